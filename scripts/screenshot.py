#!/usr/bin/env python3
"""The pictures of the README: builds the site and photographs the top of a card page, light and dark, always in the same size.

Run it after a change of the look: `python scripts/screenshot.py`. It needs the packages of the test line and a Chromium.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from browser import launched  # noqa: E402  # the tests know how to find a browser

from proofpress import pipeline  # noqa: E402
from proofpress.output import publish  # noqa: E402

CARD = "models/qwen35-9b-fp8-b70.html"
WIDTH, HEIGHT = 1280, 800
LIMIT = 200_000


def main() -> int:
    checked = pipeline.check(ROOT)
    if checked.edition is None:
        print("the content has errors; python build.py check names them", file=sys.stderr)
        return 1
    pictures = ROOT / "docs"
    pictures.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, launched() as browser:
        site = Path(folder) / "site"
        publish(pipeline.build(checked.edition), site)
        for theme, name in (("light", "screenshot.png"), ("dark", "screenshot-dark.png")):
            page = browser.new_page(
                viewport={"width": WIDTH, "height": HEIGHT},
                color_scheme=theme,  # type: ignore[arg-type]  # the literal is lost in the loop
                device_scale_factor=1,
                reduced_motion="reduce",
            )
            page.goto((site / CARD).as_uri())
            picture = page.screenshot(path=pictures / name)
            print(f"docs/{name}: {len(picture):,} bytes")
            if len(picture) > LIMIT:
                print(f"docs/{name} is larger than {LIMIT:,} bytes", file=sys.stderr)
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
