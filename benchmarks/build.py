"""How long each stage of a build takes: on this repository, and on 200 made-up cards.

Run it from the repository's root with `python -m benchmarks.build [CARDS]`. The made-up cards are the repository's record cards under
other names, with values that a seed has changed and campaigns of their own; they are written to a temporary folder and must have no error.
"""

from __future__ import annotations

import json
import random
import re
import resource
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import TypeVar

from proofpress import pipeline
from proofpress.check import agreement
from proofpress.check.library import load
from proofpress.derive.derivation import derive
from proofpress.output import publish
from proofpress.problem import Severity

ROOT = Path(__file__).parent.parent
SEED = 20261130
SOURCES = ("qwen35-9b-fp8-b70", "qwen38-27b-fp8-tp2-b70")
"""The cards that others are made from: sixteen and seventeen profiles each."""

Given = TypeVar("Given")


def _timed(name: str, call: Callable[[], Given]) -> Given:
    start = perf_counter()
    given = call()
    print(f"  {name:<24}{perf_counter() - start:8.3f} s")
    return given


def measure(root: Path, out: Path) -> None:
    """Prints the time of each stage of one build of `root`."""
    library, problems = _timed("load and check files", lambda: load(root))
    assert library is not None
    wrong = [problem for problem in problems if problem.severity is Severity.ERROR]
    assert not wrong, wrong[:3]
    _timed("check between files", lambda: list(agreement.problems(library)))
    _timed("derive", lambda: derive(library))
    checked = _timed("all checks together", lambda: pipeline.check(root))
    assert checked.edition is not None, checked.report.text()[:2000]
    edition = checked.edition
    files = _timed("chart and render", lambda: pipeline.build(edition))
    _timed("write", lambda: publish(files, out))
    size = sum(map(len, files.sorted().values())) / 2**20
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"  {len(edition.cards)} cards, {len(files)} files, {size:.1f} MiB; at most {memory:.0f} MiB of memory")


def made_up(root: Path, number: int) -> None:
    """Fills `root` with content and evidence of `number` cards."""
    chance = random.Random(SEED)
    shutil.copytree(ROOT / "content", root / "content", ignore=shutil.ignore_patterns("*.yaml.bak"))
    shutil.copytree(ROOT / "evidence", root / "evidence")
    texts = {card: (ROOT / "content" / "cards" / f"{card}.yaml").read_text(encoding="utf-8") for card in SOURCES}
    for index in range(number - len(list((root / "content" / "cards").glob("*.yaml")))):
        text = texts[SOURCES[index % len(SOURCES)]]
        for campaign in sorted(set(re.findall(r"\bq(?:9|27)-[a-z0-9-]+(?=[,/}\]])", text)), key=len, reverse=True):
            name = f"m{index}-{campaign}"
            text = re.sub(rf"(?<![\w-]){re.escape(campaign)}(?=[,/}}\]])", name, text)
            _campaign(root / "evidence" / name, ROOT / "evidence" / campaign, chance)
        text = re.sub(r"^name: (.*)$", rf"name: \1, number {index}", text, flags=re.MULTILINE)
        text = re.sub(r"^guide: .*$", "guide: null", text, flags=re.MULTILINE)
        (root / "content" / "cards" / f"made-up-{index:03}.yaml").write_text(text, encoding="utf-8")


def _campaign(folder: Path, source: Path, chance: random.Random) -> None:
    """A campaign with the same runs and counts, and other values."""
    campaign = json.loads((source / "campaign.json").read_bytes())
    campaign["id"] = folder.name
    factor = chance.uniform(0.9, 1.1)
    for run in campaign["runs"]:
        for record in run["records"]:
            if record["value"] is not None:
                record["value"] *= factor
            if record.get("by_class"):
                record["by_class"] = {name: value * factor for name, value in record["by_class"].items()}
    folder.mkdir()
    (folder / "campaign.json").write_text(json.dumps(campaign), encoding="utf-8")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        print("this repository")
        measure(ROOT, Path(place) / "site")
        cards = int(sys.argv[1]) if len(sys.argv) > 1 else 200
        root = Path(place) / "root"
        root.mkdir()
        made_up(root, cards)
        print(f"{cards} cards, seed {SEED}")
        measure(root, Path(place) / "made-up-site")
