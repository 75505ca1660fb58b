"""Fixtures that more than one test module uses."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Browser

sys.path.insert(0, str(Path(__file__).parent))
if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):  # run in the background of a shell; what is started here must hear it
    signal.signal(signal.SIGINT, signal.default_int_handler)

from browser import NoBrowser, launched
from ground import ROOT
from visit import served

from proofpress import pipeline
from proofpress.derive.edition import Edition
from proofpress.output import publish


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for the whole run; each test opens its own context."""
    try:
        with launched() as one:
            yield one
    except NoBrowser as error:
        pytest.fail(str(error), pytrace=False)


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


@pytest.fixture(scope="session")
def built_site(edition: Edition, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same on disk, for a browser."""
    out = tmp_path_factory.mktemp("built") / "site"
    publish(pipeline.build(edition), out)
    return out


@pytest.fixture(scope="session")
def site_address(built_site: Path) -> Iterator[str]:
    """The built site over HTTP."""
    with served(built_site) as address:
        yield address
