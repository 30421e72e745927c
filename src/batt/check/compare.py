"""Two or more engines on the same evaluations. Owns what counts as a difference; knows no process and no file.

Compared are status, kind of error, hash, equality, differing cells, shape and, save where the budget ran out, steps.
What the clock stopped on either side, and what an engine left to another, is counted and never a difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from batt.check.engines import Engine, Seen
from batt.check.place import Place
from batt.front import Deck
from batt.runtime import ERROR_KINDS, Limits, Sample, Status

NO_STEPS = -1
"""In place of steps that are not known, and so not compared."""

_FIELDS = ("status", "error", "equal", "hash", "differing", "height", "width")


@dataclass(frozen=True, slots=True)
class Found:
    """One difference: the positions of solver and sample, the engine, and what it did otherwise, in words."""

    solver: int
    sample: int
    engine: str
    what: str


@dataclass(slots=True)
class Tally:
    """What a number of comparisons came to. An evaluation counts once, however many engines ran it.

    `lost` counts by solver the evaluations that ended their process, or were ended with it.
    """

    evaluations: int = 0
    compared: int = 0
    timed_out: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    unsupported: Counter[str] = field(default_factory=Counter)
    executed: Counter[str] = field(default_factory=Counter)
    found: list[Found] = field(default_factory=list)
    lost: Counter[int] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        """Take in another tally."""
        self.evaluations += other.evaluations
        self.compared += other.compared
        self.timed_out += other.timed_out
        self.statuses += other.statuses
        self.unsupported += other.unsupported
        self.executed += other.executed
        self.found += other.found
        self.lost += other.lost


@dataclass(frozen=True, slots=True)
class Bench:
    """What is compared: a deck and samples, each sample with its budget, on engines; the last is the measure."""

    deck: Deck
    samples: tuple[Sample, ...]
    limits: tuple[Limits, ...]
    engines: tuple[Engine, ...]

    def made(self) -> Bench:
        """The bench itself; other recipes for one make it when they are asked."""
        return self


class Opened:
    """A bench whose deck is ready on every engine."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.runners = [engine.open(bench.deck, bench.samples) for engine in bench.engines]

    def compare(self, pairs: Sequence[tuple[int, int]], place: Place) -> Tally:
        """Run evaluations of one budget, samples side by side, on all engines and hold them against the last.

        `place` has the number of the engine under way and that of its evaluation among the pairs.
        """
        limits = self.bench.limits[pairs[0][1]]
        tally, seen = Tally(), list[Seen]()
        for number, runner in enumerate(self.runners, 1):
            place.begin(np.zeros(1, np.int64))
            place.phase.value = number
            seen.append(runner.run(pairs, limits, place))
        _tell(tally, self.bench.engines, pairs, seen)
        return tally


def _tell(tally: Tally, engines: Sequence[Engine], pairs: Sequence[tuple[int, int]], seen: Sequence[Seen]) -> None:
    expected = seen[-1]
    tally.evaluations += len(pairs)
    tally.statuses.update(Status(int(status)).word for status in expected.records["status"].tolist())
    tally.executed.update(expected.executed)
    for engine, got in zip(engines[:-1], seen[:-1], strict=True):
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
                    tally.found.append(Found(solver, sample, engine.name, what))


def difference(got: Seen, expected: Seen, number: int) -> str:
    """What one engine did otherwise than the other in an evaluation, in words; empty where they agree."""
    mine, other = got.records[number], expected.records[number]
    names = [name for name in _FIELDS if mine[name] != other[name]]
    steps = {int(got.steps[number]), int(expected.steps[number])}
    if not names and (len(steps) == 1 or NO_STEPS in steps):
        return ""
    shown = _words(mine, int(got.steps[number])), _words(other, int(expected.steps[number]))
    return f"{', '.join(names) or 'steps'}: {shown[0]}, expected {shown[1]}"


def _words(record: Any, steps: int) -> str:
    status = Status(int(record["status"]))
    match status:
        case Status.OK:
            shape = f"{int(record['height'])}x{int(record['width'])}"
            scored = f"equal {int(record['equal'])}, differing {int(record['differing'])}"
            return f"ok {int(record['hash']):016x} {shape} ({scored}) in {steps:,} steps"
        case Status.RAISED:
            return f"{ERROR_KINDS[int(record['error'])]} in {steps:,} steps"
    return f"{status.word} in {steps:,} steps"
