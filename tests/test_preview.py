"""The live preview: pages, the report in their place while something is wrong, and who may ask for what. Each is a process of its own."""

from __future__ import annotations

import http.client
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import example_site
import pytest
from example_site import replace
from ground import ROOT, run, tree
from playwright.sync_api import Browser
from visit import Visit

from proofpress import pipeline
from proofpress.review.preview import Preview as Live

CARD = "content/cards/tiny.yaml"


class Preview:
    """A preview that runs, and how to ask it."""

    def __init__(self, root: Path, *arguments: str) -> None:
        command = [sys.executable, str(ROOT / "build.py"), "serve", "--root", str(root), "--port", "0", *arguments]
        self.process = subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        found = re.match(r"http://127\.0\.0\.1:(\d+)/ \(Ctrl-C stops it\)\n", self.process.stdout.readline())
        assert found is not None
        self.port = int(found[1])

    def ask(self, path: str, *, method: str = "GET", host: str | None = None) -> tuple[int, Mapping[str, str], str]:
        """Status, headers and text of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.putrequest(method, path, skip_host=True)
        connection.putheader("Host", host or f"127.0.0.1:{self.port}")
        connection.endheaders()
        answer = connection.getresponse()
        body = answer.read().decode()
        connection.close()
        return answer.status, dict(answer.headers), body

    def until(self, path: str, wanted: Callable[[int, str], bool]) -> tuple[int, str]:
        """The answer, as soon as it is the wanted one."""
        end = time.monotonic() + 30
        while True:
            status, _, text = self.ask(path)
            if wanted(status, text):
                return status, text
            assert time.monotonic() < end, (status, text[:2000])
            time.sleep(0.1)

    def stop(self, number: int) -> tuple[int, str]:
        """Exit status, and what it said."""
        self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=30)
        return self.process.returncode, errors


@contextmanager
def previewed(root: Path, *arguments: str) -> Iterator[Preview]:
    one = Preview(root, *arguments)
    try:
        yield one
    finally:
        one.process.kill()
        one.process.communicate()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A copy of the example site."""
    return example_site.copy(tmp_path / "site")


def test_a_card_is_broken_and_mended_and_the_page_with_it(root: Path) -> None:
    with previewed(root) as preview:
        status, text = preview.until("/models/tiny.html", lambda status, _: status == 200)
        assert "Tiny with FP8 weights" in text
        first = preview.ask("/.proofpress/version")[2]
        assert f'data-version="{first}"' in text

        replace(root / CARD, ("name: Tiny with", "nam: <script>alert(1)</script> with"))
        status, text = preview.until("/models/tiny.html", lambda status, _: status != 200)
        assert status == 500
        assert "content/cards/tiny.yaml:2:1  schema.unknown-field  nam" in text
        assert "<script>alert" not in text
        assert "&lt;script&gt;alert(1)" in text
        assert text == preview.ask("/")[2], "every address has the report"
        assert 'http-equiv="refresh"' in text
        assert preview.ask("/.proofpress/version")[2] != first

        replace(root / CARD, ("nam: <script>alert(1)</script> with", "name: Another with"))
        status, text = preview.until("/models/tiny.html", lambda status, _: status == 200)
        assert "Another with FP8 weights" in text


def test_a_page_is_the_built_one_but_for_the_script_that_renews_it(root: Path) -> None:
    edition = pipeline.check(root).edition
    assert edition is not None
    built = pipeline.build(edition).sorted()
    with previewed(root) as preview:
        for path in (
            "index.html",
            "models/tiny.html",
            "models/tiny.json",
            "feed.xml",
            "evidence/tiny-open/campaign.json",
        ):
            status, headers, text = preview.ask(f"/{path}")
            assert status == 200
            assert headers["Cache-Control"] == "no-store"
            assert re.sub(r"<script src=\"/\.proofpress/[^\n]*\n", "", text) == built[path].decode()
            assert ("/.proofpress/reload.js" in text) == path.endswith(".html")
        assert preview.ask("/")[2] == preview.ask("/index.html")[2]
        assert preview.ask("/assets/none.js")[0] == 404
        assert "There is no page at this address." in preview.ask("/none.html")[2]
        status, headers, text = preview.ask("/index.html", method="HEAD")
        assert (status, text) == (200, "")
        assert int(headers["Content-Length"]) > 1000
    assert not any(b"/.proofpress/" in content for content in built.values())


OUTSIDE = (
    "http://[",
    "/../content/site.yaml",
    "/models/../../content/site.yaml",
    "/%2e%2e/content/site.yaml",
    "/..%2fcontent/site.yaml",
    "/..%5ccontent%5csite.yaml",
    "//etc/passwd",
    "/content/site.yaml",
    f"/{ROOT}/README.md",
    "/%00",
    "http://example.org/etc/passwd",
)
STRANGERS = (
    "example.org",
    "example.org:{port}",
    "127.0.0.1",
    "localhost:1",
    "127.0.0.1.example.org:{port}",
    "[::1]:{port}",
)


def test_nothing_but_the_site_is_given_and_only_to_this_machine(root: Path) -> None:
    with previewed(root) as preview:
        for path in OUTSIDE:
            status, _, text = preview.ask(path)
            assert status == 404, path
            assert "proofpress.site/1" not in text
        for host in STRANGERS:
            for path in ("/", "/.proofpress/version"):
                status, _, text = preview.ask(path, host=host.format(port=preview.port))
                assert (status, text) == (403, "This preview answers to its own address alone.\n"), host
        assert preview.ask("/", host=f"LocalHost:{preview.port}")[0] == 200
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "CONNECT", "BREW"):
            assert preview.ask("/", method=method)[0] == 501, method
        assert preview.ask("/")[0] == 200


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 0), (signal.SIGTERM, 143)], ids=["Ctrl-C", "terminate"])
def test_it_ends_at_once_and_leaves_nothing(root: Path, tmp_path: Path, number: int, status: int) -> None:
    before, temporary = tree(root), tmp_path / "temporary"
    temporary.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(temporary))
        with previewed(root) as preview:
            preview.until("/", lambda status, _: status == 200)
            returned, errors = preview.stop(number)
    assert returned == status
    assert "Traceback" not in errors
    assert errors.endswith("\n")
    assert tree(root) == before
    assert list(temporary.iterdir()) == []


def test_without_watching_it_stays_as_it_was(root: Path) -> None:
    with previewed(root, "--no-watch") as preview:
        before = preview.ask("/models/tiny.html")[2]
        replace(root / CARD, ("name: Tiny with", "name: Another with"))
        time.sleep(1.5)
        assert preview.ask("/models/tiny.html")[2] == before


def test_a_port_that_is_taken_or_none_is_wrong_usage(root: Path) -> None:
    with previewed(root) as preview:
        result = run("serve", "--root", root, "--port", str(preview.port))
    assert result.returncode == 2
    assert result.stderr == f"wrong usage: --port {preview.port}: Address already in use\n"
    for port in ("65536", "-1", "x", "٣"):
        result = run("serve", "--root", root, f"--port={port}")
        assert result.returncode == 2
        assert "is not a port: a number up to 65535, 0 for any that is free" in result.stderr


def test_the_page_in_a_browser_comes_back_by_itself(browser: Browser, root: Path) -> None:
    with previewed(root) as preview:
        one = Visit(browser.new_context(), f"http://127.0.0.1:{preview.port}/models/tiny.html")
        try:
            replace(root / CARD, ("name: Tiny with", "nam: Tiny with"))
            one.page.wait_for_selector("h1:has-text('error')", timeout=30_000)
            replace(root / CARD, ("nam: Tiny with", "name: Another with"))
            one.page.wait_for_selector("h1:has-text('Another with FP8 weights')", timeout=30_000)
            assert not [words for words in one.faults() if "500" not in words]
        finally:
            one.close()


def test_a_template_that_cannot_be_printed_is_told(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever works on the pages sees where it fails, and need not start again."""
    template, said = root / "templates" / "one.html", list[str]()
    template.parent.mkdir()
    template.write_text("half")
    monkeypatch.setattr("proofpress.review.preview.TEMPLATES", template.parent)
    with monkeypatch.context() as patch:
        patch.setattr(pipeline, "build", lambda _: 1 / 0)
        preview = Live(root, said.append)
    assert "ZeroDivisionError" in preview.state.report
    assert said == ["the site cannot be printed; the page has the lines"]
    preview.renew()
    assert preview.state.report, "nothing has changed"
    template.write_text("whole")
    preview.renew()
    assert preview.state.report == ""
    assert "index.html" in preview.state.files
    assert said[1:] == [f"5 cards, {len(preview.state.files)} files, no problems"]
