"""The browser for the tests that need one: found, else fetched, else one sentence that says what to install."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Playwright, sync_playwright
from playwright.sync_api import Error as PlaywrightError

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
)
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
MISSING = (
    "The browser tests need Chromium or Chrome, and none could be found or fetched: install one so that `chromium` or "
    "`google-chrome` is on the path, run `python -m playwright install --with-deps chromium`, or name one in PROOFPRESS_BROWSER."
)


class NoBrowser(Exception):
    """No browser is there and none could be fetched."""


@contextmanager
def launched() -> Iterator[Browser]:
    """A headless browser with a fresh profile, closed at the end; `NoBrowser` where there is none to be had."""
    with sync_playwright() as playwright:
        browser = _started(playwright)
        try:
            yield browser
        finally:
            browser.close()


def _started(playwright: Playwright) -> Browser:
    """The first browser that starts: the one that is named, one on the path, Playwright's own, a fetched one."""
    named = os.environ.get("PROOFPRESS_BROWSER")
    if named:
        return _launch(playwright, named)
    for path in _installed(playwright):
        try:
            return _launch(playwright, path)
        except PlaywrightError:
            continue  # a broken installation; the next may work
    for fetch in (_from_playwright, _from_system):
        with _one_at_a_time():  # test processes share what one of them fetches
            fetch()
        for path in _installed(playwright):
            try:
                return _launch(playwright, path)
            except PlaywrightError:
                continue
    raise NoBrowser(MISSING)


def _launch(playwright: Playwright, path: str) -> Browser:
    return playwright.chromium.launch(executable_path=path, args=list(FLAGS), headless=True)


def _installed(playwright: Playwright) -> list[str]:
    found = [path for path in map(shutil.which, NAMES) if path]
    own = [path for path in (*PLACES, playwright.chromium.executable_path) if Path(path).exists()]
    return [*found, *own]


def _from_playwright() -> None:
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False, capture_output=True)


def _from_system() -> None:
    """The distribution's package, where we may install one."""
    if shutil.which("apt-get") is None or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (["update"], ["install", "-y", "--no-install-recommends", "chromium"]):
        subprocess.run(["apt-get", "-q", *arguments], check=False, capture_output=True, env=environment)


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    with (Path(tempfile.gettempdir()) / "proofpress-browser.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
