"""The page of changes and the feed: what happened on which day, from the data alone; links, numbers and states of the card pages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace as changed
from datetime import date
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element as Node

import example_site
import pytest
from example_site import replace
from html_page import Element, link_problems, page

from proofpress import pipeline
from proofpress.derive import wording
from proofpress.derive.change import Kind, changes
from proofpress.derive.edition import Edition

ATOM = "{http://www.w3.org/2005/Atom}"
Site = Mapping[str, bytes]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A copy of the example site."""
    return example_site.copy(tmp_path / "site")


def _edition(root: Path) -> Edition:
    checked = pipeline.check(root)
    assert checked.edition is not None, checked.report.text()
    return checked.edition


def _built(root: Path) -> Site:
    return pipeline.build(_edition(root)).sorted()


def _told(root: Path) -> list[tuple[str, str, str]]:
    return [(str(change.day), change.kind.value, change.subject) for change in changes(_edition(root))]


def _row(site: Site, day: str, words: str) -> Element:
    """The row of a day that has these words."""
    heading = page(site["changes.html"]).one("h2", id=f"day-{day}")
    assert heading.parent is not None
    (found,) = (row for row in heading.parent.one("tbody").all("tr") if words in row.text)
    return found


def _hrefs(part: Element) -> list[str]:
    return [link.attributes["href"] for link in part.all("a")]


# --- what happened ---------------------------------------------------------------------------------------------------


def test_every_day_is_one_of_the_data_and_the_newest_comes_first(root: Path) -> None:
    assert _told(root) == [
        ("2026-11-30", "superseded", "models/tiny-record"),
        ("2026-11-30", "published", "models/tiny-batch"),
        ("2026-11-30", "published", "models/tiny-open"),
        ("2026-11-30", "published", "models/tiny-record"),
        ("2026-11-30", "published", "models/tiny-requests"),
        ("2026-11-30", "measured", "models/tiny-batch"),
        ("2026-11-30", "measured", "models/tiny-open"),
        ("2026-11-30", "measured", "models/tiny-requests"),
        ("2026-09-07", "published", "models/tiny"),
        ("2026-09-07", "measured", "models/tiny"),
        ("2026-09-07", "measured", "models/tiny-record"),
    ]


def test_what_was_measured_is_counted_from_the_runs(root: Path) -> None:
    (found,) = (c for c in changes(_edition(root)) if c.kind is Kind.MEASURED and c.subject == "models/tiny")
    runs = json.loads((root / "evidence/tiny-ladder/campaign.json").read_text())["runs"]
    assert found.runs == (("tiny-ladder", len(runs)),)
    twin = json.loads(_built(root)["models/tiny.json"])
    points = [(len(profile["shown"]), len(profile["withheld"])) for profile in twin["profiles"]]
    assert (found.shown, found.withheld) == tuple(map(sum, zip(*points, strict=True)))


def test_a_run_of_another_day_is_told_on_that_day(root: Path) -> None:
    path = root / "evidence/tiny-ladder/campaign.json"
    replace(path, ('"x": 16, "server": "a", "pass": "first", "session": "s1", "measured_on": "2026-09-07"',
                   '"x": 16, "server": "a", "pass": "first", "session": "s1", "measured_on": "2026-09-09"'))  # fmt: skip
    site = _built(root)
    (first, second) = (c for c in changes(_edition(root)) if c.kind is Kind.MEASURED and c.subject == "models/tiny")
    assert (first.day, first.runs, first.shown, first.withheld) == (date(2026, 9, 9), (("tiny-ladder", 1),), 0, 1)
    assert second.day == date(2026, 9, 7)
    row = _row(site, "2026-09-09", "Measured: one run, no points shown, one withheld.")
    assert row.attributes["data-state"] == "withheld"
    assert "evidence/tiny-ladder.html" in _hrefs(row)


def test_what_has_no_day_stands_last_and_not_in_the_feed(root: Path) -> None:
    path = root / "evidence/tiny-record/campaign.json"
    path.write_text(path.read_text().replace('"measured_on": "2026-09-07"', '"measured_on": null'))
    assert _told(root)[-1] == ("None", "measured", "models/tiny-record")
    site = _built(root)
    assert page(site["changes.html"]).one("h2", id="day-undated").text == "On a day that is not stated"
    measured = [e for e in _entries(site) if "published figures: measured" in _word(e, "title")]
    assert measured == []


def test_a_card_that_was_taken_back_says_so_everywhere(root: Path) -> None:
    replace(
        root / "content/cards/tiny.yaml",
        ("status: candidate", "status: withdrawn\nwithdrawn: 2026-10-02\nwithdrawn_because: The *clock* was <b>wrong</b>."),
    )  # fmt: skip
    site = _built(root)
    row = _row(site, "2026-10-02", "Withdrawn: The clock was <b>wrong</b>.")
    assert row.attributes["data-state"] == "withheld"
    assert "withheld, 12/12 equal to the oracle" in row.text
    assert "evidence/tiny-ladder.html" in _hrefs(row)
    card = page(site["models/tiny.html"])
    assert "Withdrawn on 2 October 2026: The clock was <b>wrong</b>." in card.one("p", class_="lead").text
    assert card.one("section", class_="headline").attributes["data-state"] == "withheld"
    (listed,) = (item for item in page(site["index.html"]).all("li") if item.attributes.get("data-id") == "tiny")
    assert "data-aside" in listed.attributes
    assert "withdrawn" in listed.text
    assert "Fastest on one accelerator" not in page(site["index.html"]).text, (
        "the only card with a number was taken back"
    )
    assert b"<b>wrong" not in b"".join(site[path] for path in ("changes.html", "models/tiny.html", "feed.xml"))


def test_a_superseded_card_leads_to_the_newer_one(root: Path) -> None:
    site = _built(root)
    row = _row(site, "2026-11-30", "Superseded by Tiny with FP8 weights on one H200.")
    own = ["models/tiny-record.html", "models/tiny-record.html#headline"]
    assert _hrefs(row) == [*own, "models/tiny.html", "evidence/tiny-record.html"]
    facts = page(site["models/tiny-record.html"])
    assert "Superseded by Tiny with FP8 weights on one H200." in facts.text
    assert "tiny.html" in _hrefs(facts)


def test_a_card_is_superseded_once_both_are_published(root: Path) -> None:
    replace(root / "content/cards/tiny.yaml", ("published: 2026-09-07", "published: 2026-12-04"))
    assert ("2026-12-04", "superseded", "models/tiny-record") in _told(root)


def test_a_card_cannot_be_superseded_by_nothing(root: Path) -> None:
    replace(root / "content/cards/tiny-record.yaml", ("status: candidate", "status: superseded"))
    assert pipeline.check(root).report.text() == ""
    replace(root / "content/cards/tiny-record.yaml", ("superseded_by: tiny\n", ""))
    (problem,) = pipeline.check(root).report.problems
    assert (problem.rule, problem.field) == ("mismatch.status", "status")
    assert problem.expected == "a superseded card names the newer one under 'superseded_by'"


def test_a_superseded_campaign_leads_to_the_newer_one_on_its_last_day(root: Path) -> None:
    replace(root / "evidence/tiny-open/campaign.json", ('"digest": null,', '"digest": null, "superseded_by": "tiny-suite",'))  # fmt: skip
    site = _built(root)
    row = _row(site, "2026-11-30", "Campaign tiny-open")
    assert "Superseded by tiny-suite." in row.text
    assert _hrefs(row) == ["evidence/tiny-open.html", "evidence/tiny-suite.html"]
    assert row.text.endswith("–tiny-suite"), "a campaign has no headline"


def test_a_campaign_that_is_called_like_a_card_keeps_its_own_name(root: Path) -> None:
    replace(root / "evidence/tiny-open/campaign.json", ('"digest": null,', '"digest": null, "superseded_by": "tiny-requests",'))  # fmt: skip
    assert "Superseded by tiny-requests." in _row(_built(root), "2026-11-30", "Campaign tiny-open").text


def test_evidence_that_no_card_shows_was_measured_all_the_same(root: Path) -> None:
    (root / "content/cards/tiny-open.yaml").unlink()
    checked = pipeline.check(root)
    assert checked.edition is not None
    kinds = [(change.kind, change.subject) for change in changes(checked.edition)]
    assert (Kind.MEASURED, "evidence/tiny-open") in kinds
    wrong = link_problems(pipeline.build(checked.edition).sorted())
    written = ("formats.html", "contribute.html")  # pages that the example site does not have
    assert [one for one in wrong if one.startswith("changes.html") and not any(name in one for name in written)] == []


def test_each_number_is_the_card_pages_own(site: Site, edition: Edition) -> None:
    rows = {
        (heading.attributes["id"], row.one("th").one("a").attributes["href"]): row
        for heading in page(site["changes.html"]).all("h2")
        if heading.parent is not None
        for row in heading.parent.one("tbody").all("tr")
        if "Published." in row.text
    }
    assert len(rows) == len(edition.cards)
    for derived in edition.cards:
        row = rows[f"day-{derived.card.published}", f"models/{derived.id}.html"]
        headline = page(site[f"models/{derived.id}.html"]).one("section", class_="headline")
        printed = headline.one("p", class_="headline-number").text
        assert row.attributes["data-state"] == headline.attributes["data-state"]
        assert next(row.all("td")).text.startswith("pending" if printed.startswith("pending") else printed)


def test_every_dated_run_of_the_repository_is_told(edition: Edition) -> None:
    told = {(c.day, name) for c in changes(edition) if c.kind is Kind.MEASURED for name, _ in c.runs}
    stated = {(reading.measured_on, name) for name, e in edition.evidence.items() for reading in e.readings}
    assert told == stated


# --- the feed --------------------------------------------------------------------------------------------------------


def _entries(site: Site) -> list[Node]:
    return ElementTree.fromstring(site["feed.xml"]).findall(f"{ATOM}entry")


def _word(node: Node, tag: str) -> str:
    found = node.find(f"{ATOM}{tag}")
    assert found is not None, tag
    return found.text or ""


def _links(node: Node, relation: str) -> list[str]:
    return [link.attrib["href"] for link in node.findall(f"{ATOM}link") if link.attrib["rel"] == relation]


def test_the_feed_has_what_the_format_demands(site: Site) -> None:
    feed = ElementTree.fromstring(site["feed.xml"])
    assert feed.tag == f"{ATOM}feed"
    author = feed.find(f"{ATOM}author")
    assert author is not None
    assert _word(author, "name")
    entries = feed.findall(f"{ATOM}entry")
    ids = [_word(node, "id") for node in (feed, *entries)]
    assert len(set(ids)) == len(ids)
    assert all(one.startswith("urn:uuid:") for one in ids)
    moments = [_word(node, "updated") for node in entries]
    assert moments == sorted(moments, reverse=True)
    assert _word(feed, "updated") == moments[0]
    assert all(date.fromisoformat(moment.removesuffix("T00:00:00Z")) for moment in moments)
    for entry in entries:
        assert _word(entry, "title")
        assert _word(entry, "summary")
        (alternate,) = _links(entry, "alternate")
        assert {alternate, *_links(entry, "related")} <= set(site)


def test_the_feed_and_the_page_say_the_same(site: Site) -> None:
    root = page(site["changes.html"])
    rows = [
        (heading.text, row.one("th").one("a").text, row.one("th").one("small").text)
        for heading in root.all("h2")
        if heading.parent is not None and heading.attributes["id"] != "day-undated"
        for row in heading.parent.one("tbody").all("tr")
    ]
    told = []
    for entry in _entries(site):
        day = wording.day(date.fromisoformat(_word(entry, "updated")[:10]))
        what = _word(entry, "summary").partition(" Headline:")[0]
        told.append((day, _word(entry, "title").rpartition(": ")[0], what))
    assert told == rows


def test_addresses_are_absolute_where_the_site_has_one_and_ids_stay(root: Path) -> None:
    edition = _edition(root)
    near, far = pipeline.build(edition), pipeline.build(changed(edition, base_url="https://example.org/a&b"))
    here, there = ElementTree.fromstring(near["feed.xml"]), ElementTree.fromstring(far["feed.xml"])
    assert [node.text for node in here.iter(f"{ATOM}id")] == [node.text for node in there.iter(f"{ATOM}id")]
    assert _links(here, "self") == []
    assert _links(there, "self") == ["https://example.org/a&b/feed.xml"]
    assert _links(there, "alternate") == ["https://example.org/a&b/changes.html"]
    hrefs = [link.attrib["href"] for link in there.iter(f"{ATOM}link")]
    assert all(href.startswith("https://example.org/a&b/") for href in hrefs)
    assert [f"https://example.org/a&b/{link.attrib['href']}" for link in here.iter(f"{ATOM}link")] == [
        href for href in hrefs if not href.endswith("feed.xml")
    ]


def test_names_are_text_in_the_feed(root: Path) -> None:
    name = "Tiny ]]> <script>alert(1)</script> &amp; more"
    replace(root / "content/cards/tiny.yaml", ("name: Tiny with FP8 weights on one H200", f"name: {json.dumps(name)}"))
    titles = [_word(entry, "title") for entry in _entries(_built(root))]
    assert f"{name}: published" in titles


def test_a_site_without_cards_has_a_page_and_no_feed(tmp_path: Path) -> None:
    (tmp_path / "content").mkdir()
    (tmp_path / "evidence").mkdir()
    for file in ("site.yaml", "vocabulary.yaml"):
        (tmp_path / "content" / file).write_bytes((example_site.BASE / "content" / file).read_bytes())
    site = _built(tmp_path)
    assert "Nothing has been published yet." in page(site["changes.html"]).text
    assert "feed.xml" not in site
    assert b"atom" not in site["index.html"]


def test_every_page_names_the_feed_and_leads_to_the_changes(site: Site) -> None:
    for path, content in site.items():
        if path.endswith(".html") and not path.startswith("charts/"):  # a chart alone is bare
            up = "../" * path.count("/")
            root = page(content)
            assert root.one("link", type="application/atom+xml").attributes["href"] == f"{up}feed.xml"
            assert f"{up}changes.html" in _hrefs(root.one("footer"))


def test_two_builds_give_the_same_bytes(root: Path) -> None:
    one, other = _built(root), _built(root)
    assert (one["changes.html"], one["feed.xml"]) == (other["changes.html"], other["feed.xml"])


def test_a_later_addition_leaves_the_ids_of_the_others(root: Path) -> None:
    def ids(site: Site) -> dict[str, str]:
        return {_word(entry, "title") + _word(entry, "updated"): _word(entry, "id") for entry in _entries(site)}

    before = ids(_built(root))
    replace(
        root / "content/cards/tiny.yaml",
        ("status: candidate", "status: withdrawn\nwithdrawn: 2026-10-02\nwithdrawn_because: The clock was wrong."),
    )
    after = ids(_built(root))
    assert before.items() <= after.items()
    assert len(after) == len(before) + 1
