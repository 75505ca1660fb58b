"""Reason: why something measured is withheld. The words that findings, pages and the vocabulary share."""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """Why something measured is withheld. The list is closed; each has a rule id `withheld.<reason>`."""

    IDENTITY = "identity"
    ORACLE_UNSTABLE = "oracle-unstable"
    OTHER_RUN = "other-run"
    NO_IDENTITY_EVIDENCE = "no-identity-evidence"
    QUEUED = "queued"
    NOT_FRESH = "not-fresh"
    SAMPLING_UNKNOWN = "sampling-unknown"
    SUPERSEDED = "superseded"

    @property
    def rule(self) -> str:
        return f"withheld.{self.value}"
