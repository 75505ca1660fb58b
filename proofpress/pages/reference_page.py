"""Reference pages: glossary, rules, formats and other written pages, the build record, and the page for addresses that do not exist."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from markupsafe import Markup

from proofpress import __version__
from proofpress.check import prose
from proofpress.check.rule import KINDS, Rule, registry
from proofpress.derive.edition import Edition
from proofpress.load.source import Source
from proofpress.pages.page import Cell, Column, Crumb, Head, Row, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A word of the glossary: its id, label, explanation, and the list of the vocabulary it belongs to."""

    id: str
    label: str
    explain: str
    file_word: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WordList:
    """One part of the glossary."""

    id: str
    heading: str
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GlossaryPage:
    """The model of `glossary.html`."""

    head: Head
    lists: tuple[WordList, ...]


_LISTS = (
    ("terms", "Terms"),
    ("metrics", "Metrics"),
    ("axes", "What is varied"),
    ("reasons", "Why something is withheld"),
    ("units", "Units"),
    ("suites", "Prompt suites"),
    ("speculation_methods", "Ways to speculate"),
    ("draft_heads", "Draft heads"),
    ("engines", "Engines"),
    ("quantizations", "Quantizations"),
    ("accelerators", "Accelerators"),
    ("families", "Model families"),
    ("statuses", "States of a card"),
    ("apis", "Interfaces"),
    ("settings", "Settings"),
    ("delivery", "Delivery"),
    ("operating_systems", "Operating systems"),
    ("good_for", "Uses"),
)


def glossary_page(edition: Edition) -> GlossaryPage:
    """Every word of the vocabulary with its explanation. A term's id is `term-<word>`, others carry their list's name."""
    vocabulary = edition.library.vocabulary
    lists = tuple(
        WordList(
            id=f"list-{name.replace('_', '-')}",
            heading=heading,
            words=tuple(
                Word(
                    id=f"{'term' if name == 'terms' else name.replace('_', '-')}-{_id(word)}",
                    label=getattr(entry, "label", word),
                    explain=getattr(entry, "explain", ""),
                    file_word="" if name == "terms" else word,
                )
                for word, entry in vocabulary.words(name).items()
            ),
        )
        for name, heading in _LISTS
        if vocabulary.words(name)
    )
    description = "The words of this site and of its files, each defined once."
    head = Head(
        path="glossary.html", title="Glossary", description=description, crumbs=_crumbs("Glossary"), own="glossary"
    )
    return GlossaryPage(head=head, lists=lists)


def _id(word: str) -> str:
    return "".join(character if character.isalnum() or character in "-_." else "-" for character in word.lower())


def _crumbs(label: str) -> tuple[Crumb, ...]:
    return (Crumb(label="Library", href="index.html"), Crumb(label=label))


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleGroup:
    """Rules of one kind."""

    kind: str
    heading: str
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesPage:
    """The model of `rules.html`."""

    head: Head
    groups: tuple[RuleGroup, ...]
    count: int


def rules_page() -> RulesPage:
    """Every rule with why it exists, an input that it refuses and a neighbour that it accepts."""
    rules = registry()
    groups = tuple(
        RuleGroup(kind=kind, heading=heading, rules=members)
        for kind, heading in KINDS.items()
        if (members := tuple(rule for rule in rules.values() if rule.kind == kind))
    )
    description = "What the build refuses, withholds and warns of, and why. The ids are those that the terminal prints."
    return RulesPage(
        head=Head(path="rules.html", title="Rules", description=description, crumbs=_crumbs("Rules"), own="rules"),
        groups=groups,
        count=len(rules),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenPage:
    """The model of a page written in Markdown, `content/pages/<name>.md`."""

    head: Head
    title: str
    html: Markup


def written_page(name: str, source: Source) -> WrittenPage:
    """A page from Markdown: its first line is the title, its first paragraph the description."""
    text = str(source.data)
    title_line, _, body = text.partition("\n")
    title = title_line.removeprefix("# ").strip()
    description = prose.plain(body.strip().partition("\n\n")[0])
    path = f"{name}.html"
    root = "../" * path.count("/")
    crumbs = (Crumb(label="Library", href=f"{root}index.html"), Crumb(label=title))
    return WrittenPage(
        head=Head(path=path, title=title, description=description, crumbs=crumbs),
        title=title,
        html=prose.html(body, first_heading=2, id_prefix=name.replace("/", "-")),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildPage:
    """The model of `build.html`."""

    head: Head
    version: str
    headlines: str
    """How many headline numbers were shown and withheld."""
    charted: str
    """The same of the points of curves and ladders."""
    rules: Table
    inputs: Table


def build_page(edition: Edition, record: Mapping[str, object]) -> BuildPage:
    """The build record for people: the same facts as `build.json`."""
    points = record["points"]
    counts = record["rules"]
    assert isinstance(points, list)
    assert isinstance(counts, dict)
    shown = Counter(point["profile"] == "headline" for point in points if point["verdict"] == "shown")
    withheld = Counter(point["profile"] == "headline" for point in points if point["verdict"] != "shown")
    rules = registry()
    spoken = tuple(
        Row(
            state="measured",
            cells=(
                Cell(text=rule_id, href=f"rules.html#rule-{rule_id}" if rule_id in rules else None),
                Cell(text=rules[rule_id].verdict if rule_id in rules else "warn"),  # a site exists: none can refuse
                Cell(text=str(count)),
            ),
        )
        for rule_id, count in counts.items()
        if count
    )
    inputs = tuple(
        Row(state="measured", cells=(Cell(text=path), Cell(text=digest)))
        for path, digest in edition.library.inputs.items()
    )
    description = "What this site was made from: every input with its digest, and how often each rule spoke."
    return BuildPage(
        head=Head(
            path="build.html",
            title="Build record",
            description=description,
            crumbs=_crumbs("Build record"),
            own="tables",
        ),
        version=__version__,
        headlines=f"{shown[True]} shown, {withheld[True]} withheld",
        charted=f"{shown[False]} shown, {withheld[False]} withheld",
        rules=Table(
            caption="Rules that spoke, and how often.",
            columns=(Column(label="Rule"), Column(label="Verdict"), Column(label="Times", numeric=True)),
            rows=spoken,
        ),
        inputs=Table(caption="Input files.", columns=(Column(label="File"), Column(label="SHA-256")), rows=inputs),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NotFoundPage:
    """The model of `404.html`."""

    head: Head


def not_found_page(base_url: str | None) -> NotFoundPage:
    """The page for addresses that do not exist, however deep: its links start at the top of the host where the site's address is known."""
    return NotFoundPage(
        head=Head(
            path="404.html",
            title="Not found",
            description="There is no page at this address.",
            indexed=False,
            top=None if base_url is None else f"{urlsplit(base_url).path}/",
            own="notfound",
        )
    )
