"""The figures of `batt bench states`, and their table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rich.table import Table

FIRST_PASS = ("checked", "differing", "evaluate_s", "evaluate_cpu_s", "parts", "features_cpu_s")
SUMMED = (
    *("tasks", "candidates", "states", "failed", "refused", "evaluations", "wall_s", "cpu_s", "unequal"),
    *FIRST_PASS,
)
LARGEST = ("state_bytes", "all_bytes", "gpu_bytes")
"""Figures by how those of several groups of tasks become one."""


@dataclass(slots=True)
class StatesFigures:
    """The figures: candidates and their states, `evaluate` on some of them, and features of parts of grids."""

    manifest: str
    workers: int
    engine: str = "cpu"
    together: int = 1
    tasks: int = 0
    candidates: int = 0
    states: int = 0
    failed: int = 0
    refused: int = 0
    evaluations: int = 0
    wall_s: float = 0.0
    cpu_s: float = 0.0
    state_bytes: int = 0
    peak_bytes: int = 0
    checked: int = 0
    differing: int = 0
    evaluate_s: float = 0.0
    evaluate_cpu_s: float = 0.0
    parts: int = 0
    features_cpu_s: float = 0.0
    all_bytes: int = 0
    gpu_bytes: int = 0
    unequal: int = 0
    notes: list[str] = field(default_factory=list)

    def add(self, other: StatesFigures) -> None:
        """Add what was measured on other tasks."""
        for name in SUMMED:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in LARGEST:
            setattr(self, name, max(getattr(self, name), getattr(other, name)))

    def take_checks(self, other: StatesFigures) -> None:
        """Take over what only the first pass measures."""
        for name in FIRST_PASS:
            setattr(self, name, getattr(other, name))

    @property
    def per_s(self) -> float:
        """Return the candidates a second of CPU time."""
        return self.candidates / self.cpu_s if self.cpu_s else 0.0

    @property
    def ratio(self) -> float:
        """Return how many times as many candidates a second of CPU time the engine makes as `evaluate`."""
        return self.per_s * self.evaluate_cpu_s / self.checked if self.checked else 0.0


def states_table(*told: StatesFigures) -> Table:
    """Return the figures as a table for the terminal: a column for each engine."""
    table = Table(show_header=False, box=None)
    for rows in zip(*[states_rows(each) for each in told], strict=True):
        table.add_row(rows[0][0], *[text for _, text in rows])
    return table


def states_rows(told: StatesFigures) -> Iterator[tuple[str, str]]:
    """Yield the names and texts of the figures."""
    yield "manifest", f"states {told.manifest}, {told.tasks:,} tasks, {told.together:,} together"
    yield "engine", f"{told.engine}, {told.workers} threads"
    yield "candidates", f"{told.candidates:,}, {told.failed:,} failed"
    yield "evaluations (candidate on a sample)", f"{told.evaluations:,}"
    yield "distinct states", f"{told.states:,}, {told.refused:,} refused"
    yield "candidates/s of CPU time", f"{told.per_s:,.0f}"
    yield "candidates/s of wall time", f"{told.candidates / max(told.wall_s, 1e-9):,.0f}"
    yield "states/s of wall time", f"{told.states / max(told.wall_s, 1e-9):,.0f}"
    yield "states/s of CPU time", f"{told.states / max(told.cpu_s, 1e-9):,.0f}"
    yield "evaluations/s of CPU time", f"{told.evaluations / max(told.cpu_s, 1e-9):,.0f}"
    yield "memory of the largest set of states", f"{told.state_bytes / 2**20:,.1f} MiB"
    yield "memory of all sets; on the GPU", f"{told.all_bytes / 2**20:,.0f}; {told.gpu_bytes / 2**20:,.0f} MiB"
    yield "arrays that differ from the first engine's", f"{told.unequal:,}"
    yield "peak memory of the process", f"{told.peak_bytes / 2**20:,.0f} MiB"
    yield "candidates also run by evaluate", f"{told.checked:,}, {told.differing:,} differ"
    yield "candidates/s of CPU time by evaluate", f"{told.checked / max(told.evaluate_cpu_s, 1e-9):,.0f}"
    yield "ratio", f"{told.ratio:,.1f} ×"
    yield "parts with features/s of CPU time", f"{told.parts / max(told.features_cpu_s, 1e-9):,.0f} of {told.parts:,}"
