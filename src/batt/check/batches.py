"""Batches of random programs with samples and budgets, all from a seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from random import Random

from batt.check.compare import EngineComparison
from batt.check.engines import Engine, Pairs, Reference, on_cpu
from batt.check.generate import random_source
from batt.errors import BattError
from batt.front import Deck
from batt.jobs import samples_of
from batt.own.inputs import random_grid
from batt.runtime import Limits, Sample, Split
from batt.tasks import load_tasks

SAMPLES = 12
SAMPLES_EACH = 3
AMPLE = Limits(steps=100_000, max_items=20_000)
SHARE_AMPLE = 0.8
SEEDS_APART = 1_000
"""The most programs of a batch."""
WORK = 20_000_000
REAL_CELLS = 150
SHARE_REAL = 0.4
REAL_TASKS = "arc1-training"

ENGINES: tuple[Engine, ...] = (
    on_cpu(work=WORK),
    on_cpu("cpu-direct", compiled=False, share=None, work=WORK),
    Reference(count_ops=True),
)


@dataclass(frozen=True, slots=True)
class RandomBatch:
    """`count` programs of one seed, each on a few of its samples. A small object that is sent to other processes."""

    seed: int
    count: int
    engines: tuple[Engine, ...] = ENGINES

    def made(self) -> EngineComparison:
        """Make the programs, samples and budgets."""
        rng = Random(self.seed)
        samples = [random_sample(rng) for _ in range(SAMPLES)]
        limits = [AMPLE if rng.random() < SHARE_AMPLE else _tight(rng) for _ in range(SAMPLES)]
        # Samples of one budget side by side.
        order = sorted(range(SAMPLES), key=lambda at: (limits[at].steps, limits[at].max_items))
        deck = Deck.from_sources(self.sources())
        return EngineComparison(
            deck, tuple([samples[at] for at in order]), tuple([limits[at] for at in order]), self.engines
        )

    def pairs(self, limits: tuple[Limits, ...], solvers: int) -> Pairs:
        """Return the evaluations of `solvers` programs on samples with these budgets, sample by sample."""
        rng = Random(~self.seed)
        pairs = [(sample, program) for program in range(solvers) for sample in rng.sample(range(SAMPLES), SAMPLES_EACH)]
        return [(program, sample) for sample, program in sorted(pairs)]

    def command(self, engine: str) -> str:
        """Return the command that runs this batch again."""
        names, usual = (",".join([each.name for each in engines]) for engines in (self.engines, ENGINES))
        again = f"batt check --fuzz --seed {self.seed} --count {self.count}"
        return again if names == usual else f"{again} --engines {names}"

    def sources(self) -> dict[str, str]:
        """Return the programs by name."""
        return sources(self.seed, self.count)


class WordsBatch(RandomBatch):
    """A batch whose programs all call new words."""

    __slots__ = ()

    def command(self, engine: str) -> str:
        """Return the command that runs this batch again."""
        return f"{RandomBatch.command(self, engine)} --words"

    def sources(self) -> dict[str, str]:
        """Return the programs by name."""
        return sources(self.seed, self.count, words=True)


def sources(seed: int, count: int, words: bool = False) -> dict[str, str]:
    """Return the programs of a batch by name; with `words`, programs that call new words."""
    return {f"p{number}": random_source(seed * SEEDS_APART + number, words) for number in range(count)}


def by_budget(pairs: Pairs, limits: Sequence[Limits]) -> list[Pairs]:
    """Split evaluations into parts of one budget each."""
    return [list(group) for _, group in groupby(pairs, lambda pair: limits[pair[1]])]


def _tight(rng: Random) -> Limits:
    """Return a budget that many programs exceed."""
    steps = rng.choice((60, 150, 400, 1_000, 3_000, 20_000))
    return Limits(steps + rng.randrange(steps), rng.choice((1, 2, 3, 5, 9, 30, 100, 900, 5_000)))


def random_sample(rng: Random) -> Sample:
    """Return a sample with a few demonstrations. Its expected output is unknown, the input itself, or another grid."""
    real = real_samples()
    if real and rng.random() < SHARE_REAL:
        return rng.choice(real)
    grid = random_grid(rng)
    shown = tuple([(random_grid(rng), random_grid(rng)) for _ in range(rng.randint(1, 3))])
    expected = rng.choice((None, grid, tuple([row[::-1] for row in grid]), random_grid(rng)))
    return Sample("random", Split.TEST, 0, shown, grid, expected)


@cache
def real_samples() -> tuple[Sample, ...]:
    """Return the smaller samples of real tasks; none if there are no tasks."""
    try:
        tasks = load_tasks(REAL_TASKS)
    except BattError:
        return ()
    return tuple([each for each in samples_of(tasks) if len(each.input) * len(each.input[0]) <= REAL_CELLS])
