"""Preview: the site as it would be built now, over HTTP for the person at this machine, and renewed when a file changes.

Comes in: a root. Goes out: pages, or the report in their place while something is wrong. Everything is held in memory: nothing is
written, and an address can name a file of the site and nothing else.
"""

from __future__ import annotations

import os
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote

from proofpress import pipeline
from proofpress.pages.template import TEMPLATES

LOOPBACK = "127.0.0.1"
HTTP_PORT = 80
"""The port that an address leaves out."""

NAMES = frozenset({LOOPBACK, "localhost"})
"""Hosts that a request may ask for. A page elsewhere can bring its own name to point at this machine; it cannot ask for these."""

PAUSE_S = 0.5
"""Between two looks at the files."""

OWN = "/.proofpress/"
"""Addresses of the preview itself; no file of a site begins like this."""

_RELOAD = b"""const mine = document.currentScript.dataset.version;
setInterval(() => fetch('/.proofpress/version', {cache: 'no-store'}).then(answer => answer.text())
  .then(now => { if (now !== mine) location.reload(); }).catch(() => {}), 700);
"""

_REPORT = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<noscript><meta http-equiv="refresh" content="2"></noscript>
</head>
<body>
<h1>{title}</h1>
<p>This page comes back by itself when it is mended.</p>
<pre tabindex="0">{report}</pre>
</body>
</html>
"""

_POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'"

_TYPES = {
    ".css": "text/css",
    ".csv": "text/csv",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".xml": "application/xml",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What the preview answers with until something changes."""

    version: str
    files: Mapping[str, bytes]
    title: str = ""
    report: str = ""
    """What is wrong; empty where there are files."""


class Preview:
    """The newest state of one root."""

    def __init__(self, root: Path, tell: Callable[[str], None]) -> None:
        self._folders = (root / "content", root / "evidence", TEMPLATES)
        self._root = root
        self._tell = tell
        self._builds = 0
        self._seen = self._look()
        self.state = self._build()

    def renew(self) -> None:
        """Builds again if a file has changed since the last time."""
        seen = self._look()
        if seen != self._seen:
            self._seen = seen
            self.state = self._build()

    def watch(self, stop: threading.Event) -> None:
        """Renews again and again, until `stop`."""
        while not stop.wait(PAUSE_S):
            self.renew()

    def _look(self) -> dict[str, tuple[int, int]]:
        """Time and size of every file."""
        seen = {}
        for folder in self._folders:
            for place, _, names in os.walk(folder):
                for name in names:
                    path = os.path.join(place, name)  # noqa: PTH118 -- four times as fast as Path, twice a second
                    with suppress(OSError):  # gone in the meantime: the next look sees that
                        about = os.lstat(path)
                        seen[path] = (about.st_mtime_ns, about.st_size)
        return seen

    def _build(self) -> State:
        self._builds += 1
        version = f"{os.getpid()}-{self._builds}"
        try:
            checked = pipeline.check(self._root)
            files = pipeline.build(checked.edition).sorted() if checked.edition is not None else {}
        except Exception:  # a template may be half written, and the next change may mend it
            words = traceback.format_exc()
            self._tell("the site cannot be printed; the page has the lines")
            return State(version=version, files={}, title="The site cannot be printed", report=words)
        report = checked.report
        if checked.edition is None:
            self._tell(f"{report.summary()}; the page has the report")
            return State(version=version, files={}, title=report.summary(), report=report.text())
        cards = len(checked.edition.cards)
        self._tell(f"{cards} card{'' if cards == 1 else 's'}, {len(files)} files, {report.summary()}")
        return State(version=version, files=files)


class _Handler(BaseHTTPRequestHandler):
    """One connection. Only what is there can be asked for, and only by this machine's own name."""

    server: Server
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_GET(self) -> None:
        if self.headers.get("Host", "").lower() not in self.server.hosts:
            self._answer(HTTPStatus.FORBIDDEN, "text/plain", b"This preview answers to its own address alone.\n")
            return
        state = self.server.preview.state
        path = unquote(self.path.partition("?")[0])
        if path == f"{OWN}version":
            self._answer(HTTPStatus.OK, "text/plain", state.version.encode())
        elif path == f"{OWN}reload.js":
            self._answer(HTTPStatus.OK, "text/javascript", _RELOAD)
        elif state.report:
            page = _REPORT.format(title=escape(state.title), report=escape(state.report))
            self._answer(HTTPStatus.INTERNAL_SERVER_ERROR, "text/html", _renewing(page.encode(), state), policy=_POLICY)
        else:
            name = f"{path[1:]}index.html" if path.endswith("/") else path[1:]
            found = name in state.files
            name = name if found else "404.html"
            kind = _TYPES.get(PurePosixPath(name).suffix, "text/plain")
            content = state.files[name]
            status = HTTPStatus.OK if found else HTTPStatus.NOT_FOUND
            self._answer(status, kind, _renewing(content, state) if kind == "text/html" else content)

    def do_HEAD(self) -> None:
        self.do_GET()

    def _answer(self, status: HTTPStatus, kind: str, content: bytes, *, policy: str = "") -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        if policy:
            self.send_header("Content-Security-Policy", policy)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 -- the base class calls it so
        """Requests are not worth a line each."""


def _renewing(page: bytes, state: State) -> bytes:
    """A page with the script that asks whether it is still the newest; built files do not have it."""
    script = f'<script src="{OWN}reload.js" data-version="{state.version}" defer></script>\n</head>'
    return page.replace(b"</head>", script.encode(), 1)


class Server(ThreadingHTTPServer):
    """Listens on the loopback alone, and answers once it has a preview. Raises OSError where the port is taken."""

    daemon_threads = True
    preview: Preview

    def __init__(self, port: int) -> None:
        super().__init__((LOOPBACK, port), _Handler)
        ends = [f":{self.server_port}"] + ([""] if self.server_port == HTTP_PORT else [])
        self.hosts = frozenset(f"{name}{end}" for name in NAMES for end in ends)

    @property
    def address(self) -> str:
        return f"http://{LOOPBACK}:{self.server_port}/"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A reader that goes away in the middle is no news."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


def serve(server: Server, root: Path, *, watch: bool, tell: Callable[[str], None]) -> None:
    """Serves the preview of `root` until the person at the terminal interrupts it."""
    stop = threading.Event()
    try:
        server.preview = Preview(root, tell)
        if watch:
            threading.Thread(target=server.preview.watch, args=(stop,), daemon=True).start()
        server.serve_forever()
    except KeyboardInterrupt:
        tell("stopped")
    finally:
        stop.set()
        server.server_close()
