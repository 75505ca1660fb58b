"""Fixtures that more than one test module uses."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Browser

sys.path.insert(0, str(Path(__file__).parent))

from browser import launched
from ground import ROOT

from proofpress import pipeline
from proofpress.edition import Edition


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for the whole run; each test opens its own context."""
    with launched() as one:
        yield one


@pytest.fixture(scope="session")
def edition() -> Edition:
    """The repository's own content and evidence, checked."""
    checked = pipeline.check(ROOT)
    assert checked.edition is not None, checked.report.text()
    return checked.edition


@pytest.fixture(scope="session")
def site(edition: Edition) -> Mapping[str, bytes]:
    """The files of the repository's own site, built in memory."""
    return pipeline.build(edition).sorted()
