"""Columns side by side on the same evaluations. Owns the order of passes and the check that all outcomes are equal.

Every column first runs all evaluations once. Columns that Python does are measured by that pass, and again where it
was quick; for the others it is the warm-up. Then the passes that are measured go round, column by column, over the
evaluations that can be compared: all, but where plain Python is among the columns only those that it finished, and
that no budget stopped in ours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from batt.bench.cases import STEPS, Case, Spec, resolve
from batt.bench.child import Child
from batt.bench.columns import Column
from batt.bench.plain import GUARD_S
from batt.bench.runner import OnGpu, Pass, Ready
from batt.errors import UsageError
from batt.runtime import Limits, Options, Status
from batt.runtime.cuda.memory import FRACTION
from batt.runtime.evaluations import Integers

REPEAT_UNDER_S = 20.0
"""A column in Python whose pass takes longer is measured once."""
WARM_UP = 200
LIMITS = Limits(steps=STEPS, wall_s=120.0)
SHOWN_DIFFERENCES = 5


class Opened(Protocol):
    """A column that is ready to run."""

    ready: Ready

    def run(self, numbers: Integers | None) -> Pass:
        """Run these evaluations of the case, or all."""
        ...

    def close(self) -> None:
        """Give back what it holds."""
        ...


Open = Callable[[Spec, Column, Options, float], Opened]


@dataclass(frozen=True, slots=True)
class Settings:
    """How to measure."""

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
        """What all engines are run with."""
        return Options(limits=self.limits, gpu_memory=self.gpu_memory)


@dataclass(frozen=True, slots=True)
class Measured:
    """A column's first pass over everything, and its passes that are measured, restricted to what is compared."""

    column: Column
    ready: Ready
    first: Pass
    totals_s: tuple[float, ...]
    running_s: tuple[float, ...]
    """The same without the packing of samples."""
    times_ns: npt.NDArray[np.float64]
    """By compared evaluation, the median of the passes; not a number where it is not known."""
    peak_bytes: int
    on_gpu: tuple[OnGpu, ...] = ()
    """Of the passes that are measured."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """All columns of a case. Where there are `differences`, nothing was measured beyond the pass that showed them."""

    case: Case
    settings: Settings
    columns: tuple[Measured, ...]
    compared: Integers
    differences: tuple[str, ...]
    different: int


def measure(
    spec: Spec,
    columns: Sequence[Column],
    settings: Settings,
    opened: Open = Child,
    tell: Callable[[str], None] | None = None,
) -> Measurement:
    """Measure a case; `tell` is told which pass begins."""
    case = resolve(spec)
    say = tell or (lambda text: None)
    with ExitStack() as stack:
        runners: list[Opened] = []
        for column in columns:
            say(f"{spec.name}: {column.name}: preparing")
            runners.append(opened(spec, column, settings.options, settings.guard_s))
            stack.callback(runners[-1].close)
        return _Measuring(case, tuple(columns), runners, settings, say).run()


class _Measuring:
    """The passes of a case as they come in."""

    def __init__(
        self,
        case: Case,
        columns: tuple[Column, ...],
        runners: list[Opened],
        settings: Settings,
        say: Callable[[str], None],
    ) -> None:
        self.case = case
        self.columns = columns
        self.runners = runners
        self.settings = settings
        self.say = say
        self.first: list[Pass] = []
        self.passes: list[list[Pass]] = [[] for _ in columns]
        self.compared: Integers = np.arange(len(case))

    def run(self) -> Measurement:
        """Everything once, then the rounds; it ends where a difference shows."""
        few = np.arange(min(WARM_UP, len(self.case))) * len(self.case) // max(1, min(WARM_UP, len(self.case)))
        for column, runner in zip(self.columns, self.runners, strict=True):
            self.say(f"{self.case.spec.name}: {column.name}: all {len(self.case):,} evaluations once")
            if column.in_python:
                runner.run(few)
            self.first.append(runner.run(None))
            found = self._differences(column, self.first[-1], None)
            if found:
                return self._ended(found)
        self.compared = np.flatnonzero(compared(self.columns, self.first))
        for number in range(self.settings.repeat):
            for at, (column, runner) in enumerate(zip(self.columns, self.runners, strict=True)):
                found = self._round(number, at, column, runner)
                if found:
                    return self._ended(found)
        return self._ended([])

    def _round(self, number: int, at: int, column: Column, runner: Opened) -> list[int]:
        """One measured pass of a column; the evaluations whose outcomes differ."""
        if column.in_python and (number == 0 or self.first[at].wall_s > REPEAT_UNDER_S):
            if number == 0:
                self.passes[at].append(part_of(self.first[at], self.compared))
            return []
        self.say(f"{self.case.spec.name}: {column.name}: pass {number + 1} of {self.settings.repeat}")
        done = runner.run(self.compared)
        self.passes[at].append(done)
        return self._differences(column, done, self.compared)

    def _differences(self, column: Column, done: Pass, numbers: Integers | None) -> list[int]:
        """Evaluations whose outcome is not that of the first exact column."""
        exact = [each for other, each in zip(self.columns, self.first, strict=False) if other.is_exact]
        if not column.is_exact or not exact:
            return []
        chosen = np.arange(len(self.case)) if numbers is None else numbers
        found: list[int] = chosen[differing(exact[0].records[chosen], done.records)].tolist()
        return found

    def _ended(self, found: list[int]) -> Measurement:
        measured = [] if found else [self._measured(at) for at in range(len(self.columns))]
        shown = tuple([self._told(number) for number in found[:SHOWN_DIFFERENCES]])
        return Measurement(self.case, self.settings, tuple(measured), self.compared, shown, len(found))

    def _told(self, number: int) -> str:
        """A difference in words: the outcome of every exact column, those of the last passes included."""
        told = []
        for at, column in enumerate(self.columns[: len(self.first)]):
            place = np.flatnonzero(self.compared == number)
            last = self.passes[at][-1] if self.passes[at] and len(place) else None
            record = last.records[int(place[0])] if last else self.first[at].records[number]
            if column.is_exact:
                told.append(f"{column.name} {record.tolist()}")
        return f"{self.case.shown(number)}: {', '.join(told)}"

    def _measured(self, at: int) -> Measured:
        column, passes = self.columns[at], self.passes[at]
        rows = np.array([each.times_ns for each in passes], dtype=np.float64)
        rows[rows < 0] = np.nan
        times_ns = np.median(rows, axis=0)
        totals_s = [float(row.sum()) / 1e9 for row in rows] if column.in_python else [each.wall_s for each in passes]
        running_s = [total_s - each.prepared_s for total_s, each in zip(totals_s, passes, strict=True)]
        peak = max(each.peak_bytes for each in (self.first[at], *passes))
        on_gpu = tuple([each.on_gpu for each in passes if each.on_gpu is not None])
        return Measured(
            column, self.runners[at].ready, self.first[at], tuple(totals_s), tuple(running_s), times_ns, peak, on_gpu
        )


def compared(columns: Sequence[Column], passes: Sequence[Pass]) -> npt.NDArray[np.bool_]:
    """The evaluations that ratios are made of.

    Plain Python has no budget: what a budget stopped in ours would count as quick there.
    """
    mask = np.ones(len(passes[0].records), bool)
    with_plain = not all(column.is_exact for column in columns)
    for column, done in zip(columns, passes, strict=True):
        mask &= ~done.left_out
        if column.is_exact:
            mask &= done.records["status"] != Status.TIMED_OUT
            mask &= ~(with_plain & (done.records["status"] == Status.OVER_BUDGET))
    return mask


def differing(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Where records differ; a time-out is no outcome, and differs from nothing."""
    timed_out = (one["status"] == Status.TIMED_OUT) | (other["status"] == Status.TIMED_OUT)
    found: npt.NDArray[np.bool_] = (one != other) & ~timed_out
    return found


def part_of(done: Pass, numbers: Integers) -> Pass:
    """A pass, restricted to some of its evaluations."""
    return Pass(
        done.records[numbers],
        done.times_ns[numbers],
        done.left_out[numbers],
        done.handed_down[numbers],
        done.wall_s,
        done.prepared_s,
        done.first_s,
        done.peak_bytes,
        None,
        done.fallbacks,
    )
