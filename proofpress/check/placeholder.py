"""Placeholder: the texts that a scaffold leaves for somebody to write, and where one still stands as it was.

Comes in: a `Library`. Goes out: warnings, so that a first preview can be built. The scaffold writes the constants of this module.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from proofpress.check import passages
from proofpress.check.library import Library
from proofpress.problem import Problem, Severity, of_file, quoted

COMPRESSION = "not described yet"
SUMMARY = "Say in two or three sentences what this deployment is, and what a reader should know first."
PERSON = "your name"
CONTRIBUTION = "Say what you did."
PROJECTION = "Nobody has looked for a like-for-like model yet."
UNKNOWN = "nobody has written this down yet"
README = """# How this was measured

Say which machine, which prompts, how often, and with what tool, so that someone else can do the same. Put the tool's own file beside this
one, as it is, and `campaign.json` too: an importer makes it where there is one for your tool (`python build.py import --help`).
"""

HINTS: Mapping[str, str] = {
    COMPRESSION: "say how the weights are stored, such as 'FP8 weights', or 'none'",
    SUMMARY: "write the summary; [[campaign/arm]] in it becomes the measured number",
    PERSON: "write who did it, and see that the kind beside it is right",
    CONTRIBUTION: "write what it was, such as 'Measured it.'",
    PROJECTION: "say why there is no modelled ceiling, or give its inputs",
    UNKNOWN: "write the section and delete this line, or say here what exactly is not known",
}
"""What to do about each text of a card or guide."""

_EXPECTED = "texts of the scaffold are replaced by your own"


def problems(library: Library) -> Iterator[Problem]:
    """One warning for each text that was left as the scaffold wrote it, at its place."""
    texts = [
        passage
        for entry in library.cards.values()
        for find in (passages.of_card, passages.beside_prose)
        for passage in find(entry.card, entry.source)
    ]
    texts += [passage for guide in library.guides.values() for passage in guide.passages()]
    for passage in texts:
        words = passage.words.strip()
        if words in HINTS:
            yield passage.source.problem(
                "text.placeholder",
                passage.location,
                found=quoted(words),
                expected=_EXPECTED,
                hint=HINTS[words],
                severity=Severity.WARNING,
            )
    for campaign in library.campaigns.values():
        if campaign.beside.get("README.md") == README.encode():
            path = f"evidence/{campaign.id}/README.md"
            yield of_file(
                "text.placeholder",
                path,
                expected=_EXPECTED,
                hint="say how it was measured",
                severity=Severity.WARNING,
            )
