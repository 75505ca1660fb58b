"""A site over HTTP on the loopback, and a visit to one of its pages that keeps what the page said and asked for."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, expect

WATCH = """
window.violations = [];
document.addEventListener('securitypolicyviolation',
  event => window.violations.push(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample));
window.shifts = [];
new PerformanceObserver(list => list.getEntries().forEach(entry => window.shifts.push(entry.value + ': ' + entry.sources.map(
  ({node, previousRect, currentRect}) => `${node && (node.outerHTML || node.textContent).slice(0, 100)} from ${JSON.stringify(previousRect)}`
    + ` to ${JSON.stringify(currentRect)}`).join('; '))))
  .observe({type: 'layout-shift', buffered: true});
"""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the base class calls it so
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of `folder` over HTTP, without a slash at its end."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


PATIENCE = 10_000
"""Milliseconds until what a test waits for counts as missing."""
expect.set_options(timeout=PATIENCE)


class Visit:
    """A page and everything it said and asked for."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.page: Page = context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.add_init_script(WATCH)
        self.page.goto(address)

    def faults(self) -> list[str]:
        """Everything on the console, and every violation of the page's policy."""
        violations: list[str] = self.page.evaluate("window.violations")
        return self.said + violations

    def moved(self) -> list[str]:
        """What was painted already and moved later, and from where to where."""
        shifts: list[str] = self.page.evaluate("window.shifts")
        return shifts

    def close(self) -> None:
        self.page.context.close()
