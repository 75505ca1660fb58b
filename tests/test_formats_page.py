"""The example on the formats page is complete and true: it loads, passes every check, and prints a site."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

from proofpress import pipeline

ROOT = Path(__file__).parent.parent


def example_site(root: Path) -> Path:
    """A site made of the blocks on the formats page and this site's own vocabulary, with a family for the example."""
    page = (ROOT / "content/pages/formats.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```(yaml|json|markdown)\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    texts = {kind: [text for other, text in blocks if other == kind] for kind in ("yaml", "json", "markdown")}
    (card,), campaigns, (guide,) = texts["yaml"], texts["json"], texts["markdown"]
    for folder in ("content/cards", "content/guides", "evidence"):
        (root / folder).mkdir(parents=True)
    for name in ("site.yaml", "vocabulary.yaml"):
        shutil.copy(ROOT / "content" / name, root / "content" / name)
    vocabulary = root / "content/vocabulary.yaml"
    family = "families:\n  example: {label: Example, publisher: Example publisher, explain: For the example.}\n"
    vocabulary.write_text(vocabulary.read_text("utf-8").replace("families:\n", family), encoding="utf-8")
    (root / "content/cards/example.yaml").write_text(card, encoding="utf-8")
    (root / "content/guides/example.md").write_text(guide, encoding="utf-8")
    for campaign in campaigns:
        folder = root / "evidence" / json.loads(campaign)["id"]
        folder.mkdir()
        (folder / "campaign.json").write_text(campaign, encoding="utf-8")
    return root


def test_the_example_passes_every_check_and_shows_its_points(tmp_path: Path) -> None:
    """No problem, no warning; the headline and both profiles have what the example states."""
    checked = pipeline.check(example_site(tmp_path))
    assert checked.report.text() == ""
    assert checked.edition is not None
    (card,) = checked.edition.cards
    assert card.headline is not None
    assert card.headline.finding.value == 200
    assert [[finding.value for finding in profile.shown] for profile in card.profiles] == [[100, 150], [100, 200]]
    assert not any(profile.withheld for profile in card.profiles)


def test_the_example_prints_its_pages(tmp_path: Path) -> None:
    """The reference in the summary is filled in, and the guide's facts too."""
    edition = pipeline.check(example_site(tmp_path)).edition
    assert edition is not None
    files = pipeline.build(edition)
    assert "200 tok/s" in files["models/example.html"].decode()
    assert "example/model" in files["guides/example.html"].decode().replace("<wbr>", "")
