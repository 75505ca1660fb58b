"""What a card leaves out of what its campaigns measured is listed on it, with counts; what another card shows is not."""

from __future__ import annotations

from pathlib import Path

import example_site
from ground import copied_root

from proofpress import pipeline
from proofpress.derive import absence
from proofpress.derive.edition import Edition
from proofpress.derive.omission import omissions

H200 = "h200-qwen3-random-static-batch"


def _edition(root: Path) -> Edition:
    checked = pipeline.check(root)
    assert checked.edition is not None, checked.report.text()
    return checked.edition


def _lines(edition: Edition, card: str) -> list[str]:
    derived = next(derived for derived in edition.cards if derived.id == card)
    found = omissions(derived, edition.cards, edition.evidence)
    return [absence.omitted(one, edition.library.vocabulary) for one in found]


def _without(root: Path, *words: str) -> Path:
    """The card without the profiles that have all of the words."""
    path = root / "content/cards" / f"{H200}.yaml"
    lines = path.read_text("utf-8").splitlines(keepends=True)
    kept = [line for line in lines if not (line.startswith("  - {campaign") and all(word in line for word in words))]
    assert len(kept) < len(lines)
    path.write_text("".join(kept), "utf-8")
    return root


def test_the_published_cards_leave_nothing_out(edition: Edition) -> None:
    assert [line for derived in edition.cards for line in _lines(edition, derived.id)] == []
    assert "Not on this card" not in "".join(
        content.decode() for path, content in pipeline.build(edition).sorted().items() if path.startswith("models/") and path.endswith("html")
    )  # fmt: skip


def test_a_series_that_is_taken_off_the_card_is_listed(tmp_path: Path) -> None:
    """Fewer charts with withheld levels make no better card."""
    edition = _edition(_without(copied_root(tmp_path), "arm: bf16,", "aggregate_wall"))
    line = "bf16 over users at once, aggregate speed: 2 of 6 levels qualify, 4 withheld"
    assert _lines(edition, H200) == [line]
    site = pipeline.build(edition).sorted()
    page = site[f"models/{H200}.html"].decode()
    way = "../evidence/h200-qwen3-random-users.html#runs-bf16-concurrent-users"
    assert "<summary>h200-qwen3-random-users: 1 series</summary>" in page
    assert f'<li><a href="{way}">{line}</a></li>' in page
    assert f"## Not on this card\n\n- {line}\n" in site[f"models/{H200}.md"].decode()


def test_a_metric_that_the_card_shows_nowhere_on_an_axis_is_a_gap_and_not_left_out(tmp_path: Path) -> None:
    edition = _edition(_without(copied_root(tmp_path), "ttft_p50"))
    assert _lines(edition, H200) == []
    assert "ttft-over-context" in [gap.id for gap in edition.gaps[H200]]


def test_a_card_without_any_users_lists_them_in_the_metrics_that_it_shows(tmp_path: Path) -> None:
    root = _without(copied_root(tmp_path), "concurrent_users")
    path = root / "content/cards" / f"{H200}.yaml"
    path.write_text(path.read_text("utf-8").replace(" at every number of users", ""), "utf-8")
    edition = _edition(root)
    page = pipeline.build(edition).sorted()[f"models/{H200}.html"].decode()
    section = page.partition('<section class="section" id="users">')[2].partition("</section>")[0]
    assert "shown in no chart of this card" in section
    assert "not measured" not in section.lower()
    found = _lines(edition, H200)
    assert "bf16 over users at once, decode speed: 2 of 6 levels qualify, 4 withheld" in found
    assert "fp32 over users at once, decode speed: 6 of 6 levels qualify, 0 withheld" in found


def test_what_another_card_shows_is_not_left_out(tmp_path: Path) -> None:
    root = example_site.copy(tmp_path / "site")
    words = "mtp5 over fixed prompt suite, class-balanced decode speed, tokens 1 to 100: withheld"
    assert _lines(_edition(root), "tiny") == [words]
    card = (root / "content/cards/tiny.yaml").read_text("utf-8")
    for old, new in (
        ("name: Tiny", "name: Other tiny"),
        ("[mtp0, mtp1, mtp3]", "[mtp0, mtp5]"),
        ("guide: tiny", "guide: null"),
    ):
        assert card.count(old) == 1
        card = card.replace(old, new)
    (root / "content/cards/other.yaml").write_text(card, "utf-8")
    edition = _edition(root)
    assert _lines(edition, "tiny") == _lines(edition, "other") == []
