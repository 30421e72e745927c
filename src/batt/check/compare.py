"""Compare two or more engines on the same evaluations, and describe their differences. Knows no process and no file.

Compared are status, kind of error, hash, equality, differing cells, shape and steps. Evaluations that
timed out on either engine, or that an engine deferred, are counted and never reported as differences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from batt.check.engines import Engine, EngineResults, Pairs, SharedProgress
from batt.front import Deck
from batt.runtime import ERROR_KINDS, Limits, Sample, Status

_FIELDS = ("status", "error", "equal", "hash", "differing", "height", "width")


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference: the positions of solver and sample, the engine, and a description."""

    solver: int
    sample: int
    engine: str
    what: str


@dataclass(slots=True)
class Tally:
    """The counts and differences of comparisons. An evaluation counts once, however many engines ran it.

    `unsupported` counts deferred evaluations by cause. By solver, `callers` counts those with a call of a new word, and
    `lost` those whose process ended.
    """

    evaluations: int = 0
    compared: int = 0
    timed_out: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    unsupported: Counter[str] = field(default_factory=Counter)
    executed: Counter[str] = field(default_factory=Counter)
    callers: Counter[int] = field(default_factory=Counter)
    found: list[Difference] = field(default_factory=list)
    lost: Counter[int] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        """Add the counts and differences of `other`."""
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))


@dataclass(frozen=True, slots=True)
class EngineComparison:
    """A deck and samples, each with its budget, and the engines that run them; the last is what others must equal."""

    deck: Deck
    samples: tuple[Sample, ...]
    limits: tuple[Limits, ...]
    engines: tuple[Engine, ...]

    def made(self) -> EngineComparison:
        """Return the comparison itself. A batch of random programs makes its comparison here."""
        return self


class OpenComparison:
    """A comparison whose deck is ready on every engine."""

    def __init__(self, comparison: EngineComparison) -> None:
        self.comparison = comparison
        self.runs = [engine.open(comparison.deck, comparison.samples) for engine in comparison.engines]

    def compare(self, pairs: Pairs, progress: SharedProgress) -> Tally:
        """Run evaluations of one budget on all engines, and compare the others with the last.

        `progress` holds the number of the engine under way and that of its evaluation among `pairs`.
        """
        limits = self.comparison.limits[pairs[0][1]]
        results: list[EngineResults] = []
        for number, run in enumerate(self.runs, 1):
            progress.begin(np.zeros(1, np.int64))
            progress.phase.value = number
            results.append(run(pairs, limits, progress))
        return _tally(self.comparison.engines, pairs, results)


def _tally(engines: Sequence[Engine], pairs: Pairs, results: Sequence[EngineResults]) -> Tally:
    expected = results[-1]
    tally = Tally(len(pairs), executed=Counter(expected.executed), callers=Counter(expected.callers))
    tally.statuses.update(Status(int(status)).word for status in expected.records["status"].tolist())
    for engine, got in zip(engines[:-1], results[:-1], strict=True):
        for number, (solver, sample) in enumerate(pairs):
            cause = got.causes[number] or expected.causes[number]
            if cause:
                tally.unsupported[cause] += 1
            elif Status.TIMED_OUT in (got.records["status"][number], expected.records["status"][number]):
                tally.timed_out += 1
            else:
                tally.compared += 1
                what = difference(got, expected, number)
                if what:
                    tally.found.append(Difference(solver, sample, engine.name, what))
    return tally


def difference(got: EngineResults, expected: EngineResults, number: int) -> str:
    """Describe how evaluation `number` of `got` differs from `expected`; empty if they agree."""
    mine, other = got.records[number], expected.records[number]
    names = [name for name in _FIELDS if mine[name] != other[name]]
    steps, expected_steps = int(got.steps[number]), int(expected.steps[number])
    if not names and steps == expected_steps:
        return ""
    return f"{', '.join(names) or 'steps'}: {_outcome(mine, steps)}, expected {_outcome(other, expected_steps)}"


def _outcome(record: Any, steps: int) -> str:
    status = Status(int(record["status"]))
    match status:
        case Status.OK:
            shape = f"{int(record['height'])}x{int(record['width'])}"
            scored = f"equal {int(record['equal'])}, differing {int(record['differing'])}"
            return f"ok {int(record['hash']):016x} {shape} ({scored}) in {steps:,} steps"
        case Status.RAISED:
            return f"{ERROR_KINDS[int(record['error'])]} in {steps:,} steps"
    return f"{status.word} in {steps:,} steps"
