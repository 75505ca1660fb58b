"""First paint: when the first chart of a page can be seen, and whether anything moves, in a real browser over HTTP with compression.

Run it on a built site: `python benchmarks/first_paint.py [SITE]`. Each page is opened several times in fresh contexts, at the
machine's own speed and with a processor slowed down four times; printed are the best and the median, since whatever else the
machine does only adds. The time is that of the first frame after the chart's drawing is laid out, counted from the start of the
navigation. The exit status is 1 where the best is above its limit or something moved.
"""

from __future__ import annotations

import gzip
import statistics
import sys
import threading
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from browser import launched  # noqa: E402  # the tests know how to find a browser

RUNS = 7
LIMITS = {1: 400, 4: 500}
"""Milliseconds within which the first chart is to be seen, by how many times the processor is slowed down."""

WATCH = """
window.moved = 0;
new PerformanceObserver(list => list.getEntries().forEach(entry => { window.moved += entry.value; }))
  .observe({type: 'layout-shift', buffered: true});
const look = () => {
  const drawing = [...document.querySelectorAll('.chart-drawing svg')].find(one => one.getClientRects().length);
  if (drawing && document.styleSheets.length) requestAnimationFrame(() => setTimeout(() => { window.seen = performance.now(); console.log('seen'); }));
  else requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""


@cache
def _compressed(path: Path) -> bytes:
    """What a server keeps ready; the time of compressing is none of the page's."""
    return gzip.compress(path.read_bytes(), 9)


class Compressed(SimpleHTTPRequestHandler):
    """Files as a web server sends them: compressed, with their type."""

    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the base class calls it so
        pass

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        if path.is_dir():
            path /= "index.html"
        if not path.is_file():
            self.send_error(404)
            return
        content = _compressed(path)
        self.send_response(200)
        self.send_header("Content-Type", f"{self.guess_type(path)}; charset=utf-8")
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def main() -> int:
    site = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "site"
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Compressed, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    top = f"http://127.0.0.1:{server.server_port}"
    slow = False
    with launched() as browser:
        for page_file in sorted(site.glob("models/*.html")):
            if 'class="chart-drawing"' not in page_file.read_text(encoding="utf-8"):
                continue  # a card without a curve has no first chart
            for factor, limit in LIMITS.items():
                times, moved = [], 0.0
                for _ in range(RUNS):
                    context = browser.new_context(viewport={"width": 1280, "height": 800})
                    page = context.new_page()
                    page.add_init_script(WATCH)
                    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": factor})
                    with page.expect_console_message(lambda message: message.text == "seen"):
                        page.goto(f"{top}/models/{page_file.name}")
                    page.wait_for_load_state()  # nothing is cut off in the middle of being sent
                    times.append(page.evaluate("window.seen"))
                    moved = max(moved, page.evaluate("window.moved"))
                    context.close()
                best, middle = min(times), statistics.median(times)
                slow |= best > limit or moved > 0
                print(
                    f"{page_file.stem}: first chart after {best:.0f} ms, median {middle:.0f} (limit {limit}), slowed {factor}x, moved {moved:g}"
                )
    server.shutdown()
    return int(slow)


if __name__ == "__main__":
    sys.exit(main())
