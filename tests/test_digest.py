"""Digests of output ids: the registered encodings, byte by byte."""

from __future__ import annotations

from hashlib import sha256

import pytest

from proofpress.kernel.digest import ENCODINGS, digest_of
from proofpress.records.campaign import Digest

CASES = [
    ("u32le", [1, 258, 4294967295], b"\x01\0\0\0\x02\x01\0\0\xff\xff\xff\xff"),
    ("json-compact", [1, 258, 3], b"[1,258,3]"),
    ("decimal-comma", [1, 258, 3], b"1,258,3"),
    ("u32le", [], b""),
    ("json-compact", [], b"[]"),
    ("decimal-comma", [7], b"7"),
]


@pytest.mark.parametrize(("encoding", "ids", "expected"), CASES)
def test_ids_become_these_bytes(encoding: str, ids: list[int], expected: bytes) -> None:
    assert ENCODINGS[encoding](ids) == expected
    digest = Digest.model_validate({"algorithm": "sha256", "encoding": encoding})
    assert digest_of(ids, digest) == sha256(expected).hexdigest()


def test_every_encoding_of_the_format_is_registered() -> None:
    assert set(ENCODINGS) == set(Digest.model_json_schema()["properties"]["encoding"]["enum"])
