"""Batches of random decks whose solvers share steps, with random sizes of memory.

They run through `batt.evaluate`: many samples one after another in the memory of one worker, which fails if a staged
value is freed too early. They are compared with runs without sharing, and a few evaluations with the reference engine.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from batt.check.batches import RandomBatch
from batt.check.compare import EngineComparison
from batt.check.engines import Engine, Pairs, on_gpus
from batt.check.evaluated import Evaluated, Sampled
from batt.check.shared_decks import shared_sources, variants
from batt.errors import UsageError
from batt.front import Deck
from batt.jobs import choose_engine
from batt.own.inputs import random_grid
from batt.runtime import Limits, Sample, Split
from batt.runtime.cuda.memory import fraction
from batt.runtime.memory import WorkerMemory

SOLVERS = 6
SHARE_VARIANTS = 0.3
SHARE_LARGE = 0.25
SHARE_TIGHT = 0.15
SMALL, LARGE = 3_000, 100_000
"""Items up to which arenas may be small, and from which on there are few samples."""
MOST_ITEMS = 2_000_000
"""The default limit of items."""

TRIM_BYTES = (0, 0, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 32 << 20)
TRIM_STEPS = (0, 10, 1_000, 200_000)
STAGE_BYTES = (0, 1 << 10, 1 << 14, 1 << 18, 1 << 20, 1 << 24, 1 << 30, 1 << 30, 1 << 30)
ARENA_BYTES = (1 << 28, 1 << 30, 2 << 30)
SMALL_ARENA_BYTES = (1 << 20, 1 << 22, 1 << 24)


@dataclass(frozen=True, slots=True)
class SharingBatch(RandomBatch):
    """A few solvers of one seed on all its samples. Engines that share have memory of random sizes."""

    def made(self) -> EngineComparison:
        """Make the solvers, samples, budget and sizes of memory."""
        rng = Random(f"sharing {self.seed}")
        items = rng.randrange(LARGE, MOST_ITEMS) if rng.random() < SHARE_LARGE else int(10 ** rng.uniform(1, 5))
        is_small = rng.random() < SHARE_VARIANTS
        sources = variants(self.seed, rng, self.count) if is_small else shared_sources(rng, self.count, items)
        samples = random_samples(rng, rng.randint(1, 2) if items > LARGE and not is_small else rng.randint(1, 8))
        memory = _memory(rng, is_small or items <= SMALL)
        engines = [self._engine(each, memory, rng) for each in self.engines]
        limits = (_limits(rng),) * len(samples)
        return EngineComparison(Deck.from_sources(sources), tuple(samples), limits, tuple(engines))

    def pairs(self, limits: tuple[Limits, ...], solvers: int) -> Pairs:
        """Return every solver on every sample."""
        return [(solver, sample) for sample in range(len(limits)) for solver in range(solvers)]

    def command(self, engine: str) -> str:
        """Return the command that runs this batch again, and the call of `engine` alone."""
        calls = {each.name: each.call for each in self.made().engines if isinstance(each, Evaluated)}
        again = f"batt check --fuzz --sharing --seed {self.seed} --count {self.count}"
        return f"{again}\n# {calls[engine]}" if engine in calls else again

    def _engine(self, engine: Engine, memory: WorkerMemory, rng: Random) -> Engine:
        if isinstance(engine, Evaluated) and engine.share:
            return replace(engine, memory=memory, workers=rng.choice((1, 1, 2)))
        return replace(engine, seed=self.seed) if isinstance(engine, Sampled) else engine


def sharing_engines(names: str) -> tuple[Engine, ...]:
    """Return the engines for a list such as `cpu` or `cpu,cuda`; the others are compared with the last."""
    chosen = [name.strip() for name in names.split(",")]
    tested: list[Engine] = []
    for name in chosen:
        if name == "cpu":
            tested.append(Evaluated())
        elif name == "cuda":
            choose_engine(name)
            # GPUs alone, and with threads beside them.
            tested += [on_gpus(share=True, gpu_memory=fraction()), Evaluated(engine=name)]
        elif name != "reference":
            raise UsageError(f"--sharing runs on cpu and cuda, got {name!r}")
    if not tested:
        raise UsageError(f"--sharing runs on cpu and cuda, got {names!r}")
    return (*tested, Sampled(), Evaluated(share=False))


def random_samples(rng: Random, tasks: int) -> list[Sample]:
    """Return the samples of random tasks, task by task."""
    found: list[Sample] = []
    for number in range(tasks):
        shown = tuple([(random_grid(rng), random_grid(rng)) for _ in range(rng.randint(1, 3))])
        tests = [(random_grid(rng), random_grid(rng)) for _ in range(rng.randint(1, 2))]
        for part, pairs in ((Split.TRAIN, shown), (Split.TEST, tests)):
            found += [Sample(f"t{number}", part, i, shown, *pair) for i, pair in enumerate(pairs)]
    return found


def _memory(rng: Random, is_small: bool) -> WorkerMemory:
    arenas = SMALL_ARENA_BYTES if is_small and rng.random() < 0.2 else ARENA_BYTES
    return WorkerMemory(rng.choice(arenas), rng.choice(TRIM_BYTES), rng.choice(TRIM_STEPS), rng.choice(STAGE_BYTES))


def _limits(rng: Random) -> Limits:
    if rng.random() >= SHARE_TIGHT:
        return Limits(max_items=MOST_ITEMS)
    steps = int(10 ** rng.uniform(1.5, 6))
    return Limits(steps + rng.randrange(steps), rng.choice((100, 5_000, MOST_ITEMS)))
