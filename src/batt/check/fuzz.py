"""Compare engines on random programs, batch after batch, and keep an example of each failure.

Everything follows from the seed of a batch, so that a failure can be repeated.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import count as count_from
from pathlib import Path

import numpy as np
import numpy.typing as npt

from batt.check.batches import ENGINES, RandomBatch, by_budget
from batt.check.child import ComparingChild, ComparingChildren, Lost
from batt.check.compare import Difference, Tally
from batt.check.engines import Engine
from batt.check.failures import Failure, explain, fewest, save
from batt.check.shrink import MAX_S
from batt.errors import UsageError
from batt.ops import EVERY_OP

BATCH = 200
WALL_S = 5.0
"""The guard of one evaluation. Evaluations that it ends are counted, and are no differences."""
SHARING_WALL_S, SHARING_EXPLAIN_S = 60.0, 15.0
"""The guard with large values, which take the reference engine seconds; and how long an example is made smaller."""
MAX_EXPLAINED = 3
"""The most differences of one batch that are made small; more are mostly the same."""


@dataclass(slots=True)
class Fuzzed:
    """The counts and failures of a fuzz run, or of one batch."""

    programs: int = 0
    batches: int = 0
    tally: Tally = field(default_factory=Tally)
    failures: list[Failure] = field(default_factory=list)
    unexplained: int = 0
    wall_s: float = 0.0
    interrupted: bool = False
    digests: list[npt.NDArray[np.uint64]] = field(default_factory=list)
    calling: list[npt.NDArray[np.uint64]] = field(default_factory=list)

    @property
    def differences(self) -> int:
        """Return the number of evaluations in which an engine differed or crashed."""
        return len(self.failures) + self.unexplained

    @property
    def distinct(self) -> int:
        """Return the number of different programs."""
        return len(np.unique(np.concatenate(self.digests))) if self.digests else 0

    @property
    def distinct_callers(self) -> int:
        """Return the number of different programs that called a new word before they ended."""
        return len(np.unique(np.concatenate(self.calling))) if self.calling else 0

    @property
    def least_executed(self) -> tuple[str, int]:
        """Return the op with the fewest calls, and their number."""
        return self.least_of(EVERY_OP)

    def least_of(self, names: Iterable[str]) -> tuple[str, int]:
        """Return the one of these ops with the fewest calls, and their number."""
        name = min(names, key=lambda each: self.tally.executed[each])
        return name, self.tally.executed[name]

    def add(self, other: Fuzzed) -> None:
        """Add the counts and failures of `other`."""
        self.programs += other.programs
        self.batches += other.batches
        self.tally.add(other.tally)
        self.failures += other.failures
        self.unexplained += other.unexplained
        self.digests += other.digests
        self.calling += other.calling
        self.interrupted |= other.interrupted


@dataclass(frozen=True, slots=True)
class Request:
    """A request to fuzz `count` programs or for some `minutes`, from `seed` on, and to keep failures in `folder`.

    `make` makes batches of up to `size` programs. `wall_s` is the guard of one evaluation, and `explain_s` how long an
    example is made smaller.
    """

    seed: int = 0
    count: int | None = None
    minutes: float | None = None
    workers: int = 1
    folder: Path = Path("fuzz-failures")
    engines: tuple[Engine, ...] = ENGINES
    make: type[RandomBatch] = RandomBatch
    size: int = BATCH
    wall_s: float = WALL_S
    explain_s: float = MAX_S

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise UsageError(f"a seed is 0 or more, got {self.seed}")
        for what, given in (("programs", self.count), ("minutes", self.minutes), ("workers", self.workers)):
            if given is not None and not given > 0:
                raise UsageError(f"the number of {what} must be greater than zero, got {given:g}")

    def batches(self, started_s: float) -> Iterator[RandomBatch]:
        """Yield batches until there are `count` programs, or `minutes` have passed since `started_s`."""
        done = 0
        for seed in count_from(self.seed):
            if self.minutes is not None and time.monotonic() - started_s > 60 * self.minutes:
                return
            size = self.size if self.count is None else min(self.size, self.count - done)
            if not size:
                return
            done += size
            yield self.make(seed, size, self.engines)


def fuzz(request: Request, tell: Callable[[str], None], progress: Callable[[Fuzzed], None] | None = None) -> Fuzzed:
    """Compare engines on random programs. Pass every batch with differences to `tell`, and log every batch.

    An interrupt ends the run; the results so far are returned.
    """
    request.folder.mkdir(parents=True, exist_ok=True)
    total, started_s = Fuzzed(), time.monotonic()
    with ComparingChildren(request.workers, request.wall_s) as children:
        try:
            for ended in children.results(partial(_compare, request), request.batches(started_s)):
                for batch, done in ended:
                    _report(batch, done, request.folder, tell)
                    total.add(done)
                total.wall_s = time.monotonic() - started_s
                if ended and progress:
                    progress(total)
        except KeyboardInterrupt:
            total.interrupted = True
    total.wall_s = time.monotonic() - started_s
    return total


def _report(batch: RandomBatch, done: Fuzzed, folder: Path, tell: Callable[[str], None]) -> None:
    found = done.differences
    line = f"seed {batch.seed}: {batch.count} programs, {done.tally.evaluations} evaluations, {found} differences"
    with open(folder / "seeds.log", "a", encoding="utf-8") as log:
        print(line, file=log)
    if found:
        tell("\n\n".join([line, *map(str, done.failures)]))


def _compare(request: Request, batch: RandomBatch, child: ComparingChild) -> tuple[RandomBatch, Fuzzed]:
    """Compare the engines on one batch, and explain a few differences, no two of one program."""
    done = Fuzzed(batch.count, 1)
    try:
        limits, digests = child.open(batch)
    except Lost as lost:
        program = child.unopenable_program(batch.made())
        found = [Difference(program or 0, 0, batch.engines[0].name, lost.why)]
    else:
        numbers = np.array(digests, np.uint64)
        done.digests.append(numbers)
        for pairs in by_budget(batch.pairs(limits, len(digests)), limits):
            done.tally.add(child.compare_safely(pairs, batch, batch.engines))
        done.calling.append(numbers[sorted(done.tally.callers)])
        done.tally.callers.clear()
        by_program = {each.solver: each for each in reversed(done.tally.found)}
        found = list(by_program.values())[:MAX_EXPLAINED]
        done.unexplained = len(done.tally.found) - len(found)
        done.tally.found.clear()
    for number, each in enumerate(found):
        comparison = batch.made()
        failure = explain(comparison, each, child, request.explain_s)
        # Several evaluations may show what a single one does not.
        few = None if failure.is_alone else fewest(comparison, each, child, request.explain_s)
        origin = f"seed {batch.seed}, program {each.solver}\n# {batch.command(each.engine)}"
        save(failure, request.folder / f"{batch.seed}-{number}", origin, few)
        done.failures.append(failure)
    return batch, done
