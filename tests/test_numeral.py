"""Numbers in words become the same numbers in digits; what names no one number becomes nothing."""

from __future__ import annotations

import re

import pytest

from proofpress.language.numeral import SPELLED, figure

NUMBERS = {
    "zero": "0",
    "seventeen": "17",
    "ninety": "90",
    "ninety-eight": "98",
    "a hundred": "100",
    "two hundred and five": "205",
    "six hundred": "600",
    "two thousand three hundred": "2300",
    "one million two hundred thousand and three": "1200003",
    "twelve point five": "12.5",
    "two and a half": "2.5",
    "half a": "0.5",
    "a dozen": "12",
    "98.1": "98.1",
    "two three": "",
    "nineteen ninety": "",
    "hundreds of": "",
    "tens of thousands of": "",
    "two point ninety": "",
}


@pytest.mark.parametrize(("written", "digits"), NUMBERS.items())
def test_a_number_as_written(written: str, digits: str) -> None:
    assert figure(written) == digits
    assert written[0].isdigit() or re.fullmatch(SPELLED, written)
