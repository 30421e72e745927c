"""Batches of random programs with samples and budgets, from a seed. Owns what a seed stands for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from random import Random
from typing import Protocol

from batt.check.compare import Bench
from batt.check.engines import Compiled, Direct, Engine, Reference
from batt.check.generate import random_source
from batt.check.grids import random_sample
from batt.front import Deck
from batt.runtime import Limits

SAMPLES = 12
SAMPLES_EACH = 3
AMPLE = Limits(steps=100_000, max_items=20_000)
SHARE_AMPLE = 0.8
SEEDS_APART = 1_000
"""Programs of a batch are numbered below this."""
WORK = 20_000_000

ENGINES: tuple[Engine, ...] = (Compiled(work=WORK), Direct(work=WORK), Reference(count_ops=True))


class AnyBatch(Protocol):
    """Programs of one seed on samples, on engines; it can be sent to another process."""

    @property
    def seed(self) -> int:
        """Where all follows from."""
        ...

    @property
    def count(self) -> int:
        """How many programs there are."""
        ...

    @property
    def engines(self) -> tuple[Engine, ...]:
        """What is compared; the last is the measure."""
        ...

    def made(self) -> Bench:
        """The programs, samples and budgets."""
        ...

    def pairs(self, bench_limits: tuple[Limits, ...], solvers: int) -> list[tuple[int, int]]:
        """Return the evaluations of `solvers` programs on samples with these budgets, sample by sample."""
        ...

    def command(self, engine: str) -> str:
        """How a person runs this batch again."""
        ...


@dataclass(frozen=True, slots=True)
class Batch:
    """`count` programs of one seed, each on a few of its samples, on engines; it is made where it is run."""

    seed: int
    count: int
    engines: tuple[Engine, ...] = ENGINES

    def made(self) -> Bench:
        """The programs, samples and budgets."""
        rng = Random(self.seed)
        samples = tuple([random_sample(rng) for _ in range(SAMPLES)])
        limits = tuple([AMPLE if rng.random() < SHARE_AMPLE else _tight(rng) for _ in range(SAMPLES)])
        # Samples of one budget side by side.
        by_budget = sorted(range(SAMPLES), key=lambda at: (limits[at].steps, limits[at].max_items))
        deck = Deck.from_sources(sources(self.seed, self.count))
        return Bench(
            deck, tuple([samples[at] for at in by_budget]), tuple([limits[at] for at in by_budget]), self.engines
        )

    def pairs(self, bench_limits: tuple[Limits, ...], solvers: int) -> list[tuple[int, int]]:
        """The evaluations, sample by sample."""
        return pairs_of(self.seed, solvers)

    def command(self, engine: str) -> str:
        """How a person runs this batch again."""
        return f"batt check --fuzz --seed {self.seed} --count {self.count}"


def sources(seed: int, count: int) -> dict[str, str]:
    """The programs of a batch by name."""
    return {f"p{number}": random_source(seed * SEEDS_APART + number) for number in range(count)}


def pairs_of(seed: int, count: int) -> list[tuple[int, int]]:
    """The evaluations of a batch, sample by sample."""
    rng = Random(~seed)
    pairs = [(sample, program) for program in range(count) for sample in rng.sample(range(SAMPLES), SAMPLES_EACH)]
    return [(program, sample) for sample, program in sorted(pairs)]


def by_budget(pairs: Sequence[tuple[int, int]], limits: Sequence[Limits]) -> list[list[tuple[int, int]]]:
    """Evaluations in pieces of one budget each."""
    return [list(group) for _, group in groupby(pairs, lambda pair: limits[pair[1]])]


def _tight(rng: Random) -> Limits:
    """A budget that many programs do not keep to."""
    steps = rng.choice((60, 150, 400, 1_000, 3_000, 20_000))
    return Limits(steps + rng.randrange(steps), rng.choice((1, 2, 3, 5, 9, 30, 100, 900, 5_000)))
