"""Compare engines on a deck and tasks, block by block."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from batt.check.child import ComparingChild, ComparingChildren
from batt.check.compare import Difference, EngineComparison, Tally
from batt.check.engines import GPUS, Engine, Pairs
from batt.check.failures import Failure, explain
from batt.errors import UsageError
from batt.front import Deck
from batt.jobs import own_task, samples_of
from batt.jobs.matching import match_all, match_own
from batt.runtime import Limits
from batt.runtime.evaluations import Evaluations, Integers
from batt.tasks import Tasks

BLOCK = 128
GPU_BLOCK = 4096
"""The size of a block with GPUs, which run many evaluations at once and which one process has to itself."""
GIVE_UP_AFTER = 3
"""The number of time-outs of one solver after which its other evaluations are not run."""
MAX_EXPLAINED = 20
"""The most solvers whose differences are made small; a wrong op shows in many, and a few are enough to see it."""


@dataclass(slots=True)
class DeckCheck:
    """The counts and differences of a comparison, and small examples of them, at most one for a solver and engine."""

    total: int
    tally: Tally = field(default_factory=Tally)
    failures: list[tuple[Difference, Failure]] = field(default_factory=list)
    wall_s: float = 0.0
    interrupted: bool = False


def check_deck(
    deck: Deck,
    tasks: Tasks,
    engines: tuple[Engine, ...],
    *,
    own: bool = False,
    sample: int | None = None,
    seed: int = 0,
    limits: Limits | None = None,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[EngineComparison, DeckCheck]:
    """Compare `engines` with the last of them: every solver on every sample, on its own task, or a random `sample`."""
    evaluations = match_own(deck, tasks) if own else match_all(deck, tasks)
    if sample is not None:
        evaluations = drawn(deck, tasks, sample, seed)
    limits = limits or Limits()
    comparison = EngineComparison(deck, tuple(evaluations.samples), (limits,) * len(evaluations.samples), engines)
    check = DeckCheck(evaluations.total)
    with_gpus = any(engine.name == GPUS for engine in engines)
    count = 1 if with_gpus else max(1, min(workers, evaluations.total // 16))

    def compare(pairs: Pairs, child: ComparingChild) -> Tally:
        if child.recipe is not comparison:
            child.open(comparison)
        return child.compare_safely(pairs, comparison, engines)

    started_s = time.monotonic()
    with ComparingChildren(count, limits.wall_s) as children:
        try:
            for tallies in children.results(compare, _blocks(evaluations, with_gpus, check.tally)):
                for tally in tallies:
                    check.tally.add(tally)
                if progress:
                    progress(check.tally.evaluations, evaluations.total)
            _explain(comparison, check, children.children[0])
        except KeyboardInterrupt:
            check.interrupted = True
    check.wall_s = time.monotonic() - started_s
    return comparison, check


def drawn(deck: Deck, tasks: Tasks, count: int, seed: int) -> Evaluations:
    """Draw `count` evaluations of solvers on tasks that are not their own, evenly over the solvers."""
    if count < 1:
        raise UsageError(f"--sample must be at least 1, got {count}")
    rng = np.random.default_rng(seed)
    samples = samples_of(tasks)
    columns: list[tuple[Integers, Integers]] = []
    for number, name in enumerate(deck.names):
        own = own_task(name, tasks.ids)
        foreign = np.array([at for at, each in enumerate(samples) if each.task != own], np.int64)
        wanted = count // len(deck) + (number < count % len(deck))
        chosen = rng.choice(foreign, min(wanted, len(foreign)), replace=False)
        columns.append((np.full(len(chosen), number, np.int64), chosen))
    solvers, positions = (np.concatenate(column) for column in zip(*columns, strict=True))
    return Evaluations(samples, len(deck), solvers, positions)


def _blocks(evaluations: Evaluations, with_gpus: bool, tally: Tally) -> Iterator[Pairs]:
    """Yield the evaluations in blocks. Count those of solvers that `tally` lost too often as timed out instead."""
    size = GPU_BLOCK if with_gpus else BLOCK
    for start in range(0, evaluations.total, size):
        block = evaluations.block(start, min(start + size, evaluations.total))
        pairs = list(zip(block.solvers.tolist(), block.samples.tolist(), strict=True))
        kept = [pair for pair in pairs if tally.lost[pair[0]] < GIVE_UP_AFTER]
        tally.evaluations += len(pairs) - len(kept)
        tally.timed_out += len(pairs) - len(kept)
        yield kept


def _explain(comparison: EngineComparison, check: DeckCheck, child: ComparingChild) -> None:
    """Make a small example for the first difference of each solver and engine, for MAX_EXPLAINED at most."""
    firsts = {(each.solver, each.engine): each for each in reversed(check.tally.found)}
    chosen = sorted(firsts.values(), key=lambda each: (each.solver, each.engine))[:MAX_EXPLAINED]
    for each in chosen:
        check.failures.append((each, explain(comparison, each, child)))
