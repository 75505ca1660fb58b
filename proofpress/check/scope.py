"""Scope: which files a check is about. What they need is read with them; everything else is known by its name alone."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath


@dataclass(frozen=True, slots=True)
class Scope:
    """Files and folders, named by their paths from the root; '.' is the root."""

    named: tuple[str, ...]

    def holds(self, path: PurePosixPath) -> bool:
        """Whether a file or folder is named, or stands in a named folder."""
        return any(PurePosixPath(name) in (path, *path.parents) for name in self.named)

    def meets(self, folder: PurePosixPath) -> bool:
        """Whether anything in a folder is named."""
        return self.holds(folder) or any(folder in PurePosixPath(name).parents for name in self.named)


EVERYTHING = Scope((".",))
