"""Figure: one chart as a record: what is drawn, what is left empty and why. Drawings are made from it, never the other way.

Comes in: findings of profiles (`figure_of` in `chart`). Goes out: `Figure`, which `drawing` prints as SVG and `interactive` as Plotly.
"""

from __future__ import annotations

from dataclasses import dataclass

from proofpress.records.axis import Axis


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One point that is drawn: a finding that is shown."""

    x: int
    value: float
    detail: tuple[str, ...]
    """Lines for those who hover: value with unit, samples, identity, passes, provenance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Absence:
    """One x where something was measured and nothing is drawn."""

    x: int
    count: str
    """What stands under the tick: '15/16', or a word such as 'queued' where there is no count."""
    reason: str
    """One plain sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One line of a chart: marks and absences in the order of x."""

    id: str
    label: str
    marks: tuple[Mark, ...]
    absences: tuple[Absence, ...]

    def segments(self) -> tuple[tuple[Mark, ...], ...]:
        """The marks, split wherever a withheld x lies between two of them: a line never bridges what was withheld."""
        segments: list[tuple[Mark, ...]] = []
        current: list[Mark] = []
        absent = sorted(absence.x for absence in self.absences)
        for mark in sorted(self.marks, key=lambda mark: mark.x):
            if current and any(current[-1].x < x < mark.x for x in absent):
                segments.append(tuple(current))
                current = []
            current.append(mark)
        if current:
            segments.append(tuple(current))
        return tuple(segments)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One chart. `id` is unique in the site and stable: element ids and file names are made from it."""

    id: str
    title: str
    description: str
    """What a reader who cannot see the chart is told: computed sentences with every drawn value."""
    axis: Axis
    axis_label: str
    unit: str
    series: tuple[Series, ...]

    @property
    def drawn(self) -> int:
        """How many points are drawn, over all series."""
        return sum(len(series.marks) for series in self.series)
