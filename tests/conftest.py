"""Fixtures that more than one test module uses."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

sys.path.insert(0, str(Path(__file__).parent))

from browser import NoBrowser, launched
from visit import served

from proofpress import pipeline
from proofpress.output import publish

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for the whole run; each test opens its own context."""
    try:
        with launched() as one:
            yield one
    except NoBrowser as error:
        pytest.fail(str(error), pytrace=False)


@pytest.fixture(scope="session")
def built_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of this repository, built once."""
    out = tmp_path_factory.mktemp("built") / "site"
    checked = pipeline.check(ROOT)
    assert checked.edition is not None, "the content of this repository has errors"
    publish(pipeline.build(checked.edition), out)
    return out


@pytest.fixture(scope="session")
def site_address(built_site: Path) -> Iterator[str]:
    """The built site over HTTP."""
    with served(built_site) as address:
        yield address
