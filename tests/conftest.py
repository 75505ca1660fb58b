"""Fixtures that more than one test module uses."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

sys.path.insert(0, str(Path(__file__).parent))

from browser import launched


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for the whole run; each test opens its own context."""
    with launched() as one:
        yield one
