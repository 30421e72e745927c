"""Measure columns side by side on the same evaluations, and check that all outcomes are equal.

Every column first runs all evaluations once. A column in Python is measured by that pass, and again if it was quick;
for the others it is the warm-up. Then the measured passes take turns, column by column, over the evaluations that can
be compared: all, but with plain Python among the columns only those that it finished and that no budget stopped in
batt.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from batt.bench.cases import STEPS, BenchCase, Spec, resolve
from batt.bench.child import ColumnProcess
from batt.bench.columns import BenchColumn
from batt.bench.passes import Pass, ReadyColumn
from batt.bench.plain import GUARD_S
from batt.errors import UsageError
from batt.runtime import Limits, Options, Status
from batt.runtime.cuda.memory import FRACTION
from batt.runtime.evaluations import Integers

REPEAT_UNDER_S = 20.0
"""A column in Python whose pass takes longer is measured once."""
WARM_UP = 200
LIMITS = Limits(steps=STEPS, wall_s=120.0)
SHOWN_DIFFERENCES = 5


class ColumnRunner(Protocol):
    """A column that is ready to run."""

    ready: ReadyColumn

    def run(self, numbers: Integers | None) -> Pass:
        """Run the evaluations `numbers` of the case, or all."""
        ...

    def close(self) -> None:
        """Release what it holds."""
        ...


Open = Callable[[Spec, BenchColumn, Options, float], ColumnRunner]


@dataclass(frozen=True, slots=True)
class Settings:
    """The number of measured passes, and the limits of evaluations."""

    repeat: int = 3
    guard_s: float = GUARD_S
    limits: Limits = LIMITS
    gpu_memory: float = FRACTION

    def __post_init__(self) -> None:
        if self.repeat < 1:
            raise UsageError(f"the number of repeats must be at least 1, got {self.repeat}")
        if not self.guard_s > 0:
            raise UsageError(f"the guard must be longer than zero seconds, got {self.guard_s:g}")

    @property
    def options(self) -> Options:
        """Return the options of all engines."""
        return Options(limits=self.limits, gpu_memory=self.gpu_memory)


@dataclass(frozen=True)
class Measured:
    """A column, its `first` pass over everything, and its measured `passes` over what is compared."""

    column: BenchColumn
    ready: ReadyColumn
    first: Pass
    passes: list[Pass] = field(default_factory=list)

    @cached_property
    def times_ns(self) -> npt.NDArray[np.float64]:
        """Return the time of each compared evaluation, the median of the passes; not a number if it is not known."""
        return np.median(self._rows, axis=0)

    @cached_property
    def totals_s(self) -> npt.NDArray[np.float64]:
        """Return the time of each pass: of its programs alone in Python, of everything in engines."""
        if self.column.in_python:
            return np.array([row.sum() / 1e9 for row in self._rows])
        return np.array([each.wall_s for each in self.passes])

    @property
    def running_s(self) -> npt.NDArray[np.float64]:
        """Return the time of each pass without the packing of samples."""
        return self.totals_s - [each.prepared_s for each in self.passes]

    @property
    def peak_bytes(self) -> int:
        """Return the most memory of all passes."""
        return max(each.peak_bytes for each in (self.first, *self.passes))

    @property
    def _rows(self) -> npt.NDArray[np.float64]:
        rows = np.array([each.times_ns for each in self.passes], dtype=np.float64)
        rows[rows < 0] = np.nan
        return rows


@dataclass(frozen=True, slots=True)
class Measurement:
    """All columns of a case. If there are `differences`, nothing was measured after the pass that showed them."""

    case: BenchCase
    settings: Settings
    columns: tuple[Measured, ...]
    compared: Integers
    differences: tuple[str, ...] = ()
    different: int = 0


class _Different(Exception):
    """Outcomes differ in `count` evaluations; `lines` describe the first of them."""

    def __init__(self, count: int, lines: tuple[str, ...]) -> None:
        super().__init__(count, lines)
        self.count = count
        self.lines = lines


def measure(
    spec: Spec,
    columns: Sequence[BenchColumn],
    settings: Settings,
    opened: Open = ColumnProcess,
    tell: Callable[[str], None] = lambda text: None,
) -> Measurement:
    """Measure a case; `tell` is called when a pass begins."""
    case = resolve(spec)
    everything: Integers = np.arange(len(case))
    compared = everything
    measured: list[Measured] = []
    with ExitStack() as stack:
        try:
            runners: list[ColumnRunner] = []
            for column in columns:
                tell(f"{spec.name}: {column.name}: preparing")
                runners.append(opened(spec, column, settings.options, settings.guard_s))
                stack.callback(runners[-1].close)
            for column, runner in zip(columns, runners, strict=True):
                tell(f"{spec.name}: {column.name}: all {len(case):,} evaluations once")
                if column.in_python:
                    runner.run(everything[:: max(1, len(case) // WARM_UP)][:WARM_UP])
                measured.append(Measured(column, runner.ready, runner.run(None)))
                _compare(case, measured, measured[-1], measured[-1].first, everything)
            compared = np.flatnonzero(comparable(measured))
            for number in range(settings.repeat):
                for each, runner in zip(measured, runners, strict=True):
                    if each.column.in_python and number == 0:
                        each.passes.append(each.first.part(compared))
                    elif not each.column.in_python or each.first.wall_s <= REPEAT_UNDER_S:
                        tell(f"{spec.name}: {each.column.name}: pass {number + 1} of {settings.repeat}")
                        each.passes.append(runner.run(compared))
                        _compare(case, measured, each, each.passes[-1], compared)
        except _Different as found:
            return Measurement(case, settings, (), compared, found.lines, found.count)
    return Measurement(case, settings, tuple(measured), compared)


def _compare(case: BenchCase, measured: Sequence[Measured], each: Measured, done: Pass, numbers: Integers) -> None:
    """Raise _Different if outcomes of an exact column are not those of the first exact one."""
    first = next((other for other in measured if other.column.is_exact), each)
    records = first.first.records[numbers]
    places = np.flatnonzero(differing(records, done.records)) if each.column.is_exact else ()
    if len(places):
        lines = [
            f"{case.shown(int(numbers[at]))}: {first.column.name} {records[at].tolist()}, "
            f"{each.column.name} {done.records[at].tolist()}"
            for at in places[:SHOWN_DIFFERENCES]
        ]
        raise _Different(len(places), tuple(lines))


def comparable(measured: Sequence[Measured]) -> npt.NDArray[np.bool_]:
    """Return which evaluations ratios are made of.

    Plain Python has no budget: what a budget stops in batt would count as quick there.
    """
    with_plain = not all(each.column.is_exact for each in measured)
    mask = np.ones(len(measured[0].first.records), bool)
    for each in measured:
        mask &= ~each.first.left_out
        if with_plain and each.column.is_exact:
            mask &= each.first.records["status"] != Status.OVER_BUDGET
    return mask


def differing(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Return where records differ. A time-out is no outcome, and differs from nothing."""
    timed_out = (one["status"] == Status.TIMED_OUT) | (other["status"] == Status.TIMED_OUT)
    found: npt.NDArray[np.bool_] = (one != other) & ~timed_out
    return found
