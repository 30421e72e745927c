"""`batt bench states --minutes M`: fill sets of states at full speed for some minutes, and measure the memory.

Every set may use a limited number of bytes. What does not fit is refused and counted, and known states are still found.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from rich.table import Table

from batt.bench.passes import peak_bytes
from batt.bench.states import constant_pools, kind_pools, random_layer, states_manifest
from batt.jobs import samples_of
from batt.states import OpenEngine, open_engine
from batt.states.states import LIMITS, MOST_BYTES
from batt.tasks import Tasks, load_tasks

DRAWN = 2_000
"""The argument tuples of each call in a layer."""
FULL_LAYERS = 3
"""Layers that are run on a set after it first refused a value."""
MOST_LAYERS = 60
"""Layers after which a set that is not full is left."""
OTHER_BYTES = 512 << 20
"""What a process may use besides the states: the interpreter, tasks, candidates and values that wait to be merged."""
LINES = 20
"""The lines of the table: the run in equal parts."""


@dataclass(frozen=True, slots=True)
class MemoryLine:
    """Counts since the start, and the memory at one moment."""

    elapsed_s: float
    candidates: int
    states: int
    refused: int
    state_bytes: int
    process_bytes: int


@dataclass(slots=True)
class MemoryFigures:
    """The figures: a line for each part of the run, and the most memory of the process."""

    most_bytes: int
    workers: int
    tasks: int = 0
    candidates: int = 0
    states: int = 0
    refused: int = 0
    full: int = 0
    most_state_bytes: int = 0
    peak_bytes: int = 0
    wall_s: float = 0.0
    lines: list[MemoryLine] = field(default_factory=list)

    @property
    def limit_bytes(self) -> int:
        """Return the memory that the process may use."""
        return self.most_bytes + OTHER_BYTES

    @property
    def is_within(self) -> bool:
        """Return whether the states and the process stayed within their limits."""
        return self.most_state_bytes <= self.most_bytes and self.peak_bytes <= self.limit_bytes


def measure_memory(
    minutes: float,
    workers: int = 1,
    most_bytes: int = MOST_BYTES,
    drawn: int = DRAWN,
    tell: Callable[[str], None] = lambda line: None,
) -> MemoryFigures:
    """Fill sets of states of one task after the other for some minutes."""
    figures = MemoryFigures(most_bytes, workers)
    tasks = load_tasks(states_manifest()["tasks"])
    order = np.random.default_rng(states_manifest()["seed"]).permutation(len(tasks)).tolist()
    run = _Run(figures, time.monotonic(), 60 * minutes, drawn, tell)
    with open_engine(engine="cpu", workers=workers, limits=LIMITS) as engine:
        while not run.is_over:
            at = order[figures.tasks % len(order)]
            run.fill(engine, tasks[at : at + 1], at)
    figures.wall_s = time.monotonic() - run.began_s
    figures.peak_bytes = peak_bytes()
    return figures


@dataclass(slots=True)
class _Run:
    """A run under way."""

    figures: MemoryFigures
    began_s: float
    length_s: float
    drawn: int
    tell: Callable[[str], None]

    @property
    def is_over(self) -> bool:
        """Return whether the time is over."""
        return time.monotonic() - self.began_s >= self.length_s

    def fill(self, engine: OpenEngine, task: Tasks, seed: int) -> None:
        """Apply layers to the states of a task until they are full, and a few more."""
        figures = self.figures
        random = np.random.default_rng([states_manifest()["seed"], seed, 2])
        states = engine.states(samples_of(task), most_bytes=figures.most_bytes)
        constants = constant_pools(states)
        left = MOST_LAYERS
        while left and not self.is_over:
            layer = random_layer(kind_pools(states, constants), self.drawn, random)
            applied = states.apply_each(layer.ops, layer.called, *layer.arguments.T)
            figures.candidates += len(applied)
            figures.states += len(applied.new)
            figures.refused += int((applied.handles == -2).sum())
            figures.most_state_bytes = max(figures.most_state_bytes, states.used_bytes)
            left = min(left, FULL_LAYERS) - 1 if states.refused else left - 1
            self.note(states.used_bytes)
        figures.tasks += 1
        figures.full += states.refused > 0
        states.close()

    def note(self, state_bytes: int) -> None:
        """Keep a line if the next part of the run has begun."""
        elapsed_s, figures = time.monotonic() - self.began_s, self.figures
        if elapsed_s >= len(figures.lines) * self.length_s / LINES:
            counts = figures.candidates, figures.states, figures.refused
            figures.lines.append(MemoryLine(elapsed_s, *counts, state_bytes, _process_bytes()))
            self.tell(f"{elapsed_s:,.0f} s: {_mib(_process_bytes())} in use")


def _process_bytes() -> int:
    """Return the memory that this process uses now; 0 where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def memory_tables(told: MemoryFigures) -> tuple[Table, Table]:
    """Return the memory over time and the totals as tables for the terminal."""
    lines = Table(box=None)
    for heading in ("seconds", "candidates", "new states", "refused", "states of the task", "process"):
        lines.add_column(heading, justify="right")
    for each in told.lines:
        counts = f"{each.elapsed_s:,.0f}", f"{each.candidates:,}", f"{each.states:,}", f"{each.refused:,}"
        lines.add_row(*counts, _mib(each.state_bytes), _mib(each.process_bytes))
    totals = Table(show_header=False, box=None)
    totals.add_row(
        "tasks", f"{told.tasks:,}, {told.full:,} of them until their states were full; {told.workers} threads"
    )
    totals.add_row("candidates", f"{told.candidates:,}, {told.states:,} new states, {told.refused:,} refused")
    totals.add_row("most memory of a set of states", f"{_mib(told.most_state_bytes)}, limit {_mib(told.most_bytes)}")
    totals.add_row("peak memory of the process", f"{_mib(told.peak_bytes)}, limit {_mib(told.limit_bytes)}")
    totals.add_row("within both limits", "yes" if told.is_within else "no")
    return lines, totals


def _mib(size: int) -> str:
    return f"{size / 2**20:,.1f} MiB"
