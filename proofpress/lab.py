"""Lab: what belongs to the one who publishes this site and not to the generator; `content/site.yaml`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import StringConstraints

from proofpress.schema import Closed, Link, Sentence, Word


class Improve(Closed):
    """Where 'submit an improvement' leads: a link that a title is appended to."""

    url: Link
    title_parameter: Word


class Lab(Closed):
    """Name, address, repository and colours of one site."""

    format: Literal["proofpress.site/1"]
    name: Word
    tagline: Sentence
    description: Sentence
    address: Link | None
    """Where the site will stand, for canonical links and the sitemap; null leaves them out."""
    repository: Link | None
    """Where the sources are, for 'submit an improvement' and pinned links; null leads to the contribute page instead."""
    branch: Word
    improve: Improve | None
    language: Literal["en"]
    accent: Annotated[str, StringConstraints(pattern=r"^#[0-9a-f]{6}$")] | None = None
    """A CSS colour for both themes in place of the built-in accent, as '#rrggbb'."""
