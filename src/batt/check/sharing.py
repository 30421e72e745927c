"""Batches of random decks whose solvers share steps, with random sizes of memory.

They run through `batt.evaluate`: many samples one after another in the memory of one worker, which fails if a staged
value is freed too early. They are compared with runs without sharing, and a few evaluations with the reference engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import ClassVar, TypeGuard

import numpy as np

from batt.check.batches import RandomBatch
from batt.check.compare import EngineComparison
from batt.check.engines import (
    Engine,
    EngineResults,
    NativeEngine,
    Pairs,
    Reference,
    Run,
    SharedProgress,
    on_gpus,
)
from batt.check.shared_decks import shared_sources, variants
from batt.errors import UsageError
from batt.front import Deck
from batt.jobs import choose_engine
from batt.own.inputs import random_grid
from batt.runtime import Limits, Options, Sample, Split
from batt.runtime.cuda.memory import fraction
from batt.runtime.memory import MEMORY, WorkerMemory
from batt.runtime.tier import ENGINES, REFERENCE

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

NOT_SAMPLED = "not in the sample"
SAMPLED = 0.01
"""The share of evaluations that the reference engine runs, which takes a hundred times as long."""


@dataclass(frozen=True, slots=True)
class Sampled:
    """The reference engine on a random part of the evaluations; on all of them if there is only one sample."""

    seed: int = 0
    name: ClassVar[str] = "reference"

    def open(self, deck: Deck, samples: Sequence[Sample]) -> Run:
        """Return the function that runs evaluations; nothing has to be made ready."""
        return partial(self._run, Reference().open(deck, samples), len(samples) == 1)

    def _run(self, run: Run, everything: bool, pairs: Pairs, limits: Limits, progress: SharedProgress) -> EngineResults:
        chosen = [number for number, pair in enumerate(pairs) if everything or self._is_chosen(*pair)]
        found = run([pairs[number] for number in chosen], limits, progress)
        causes = [NOT_SAMPLED] * len(pairs)
        records, steps = np.zeros(len(pairs), found.records.dtype), np.zeros(len(pairs), np.int64)
        for at, number in enumerate(chosen):
            causes[number] = ""
            records[number], steps[number] = found.records[at], found.steps[at]
        return EngineResults(records, steps, causes)

    def _is_chosen(self, solver: int, sample: int) -> bool:
        return Random(f"{self.seed} {solver} {sample}").random() < SAMPLED


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
        again = f"batt check --fuzz --sharing --seed {self.seed} --count {self.count}"
        calls = [_call(each.options) for each in self.made().engines if each.name == engine and _evaluates(each)]
        return "\n# ".join([again, *calls])

    def _engine(self, engine: Engine, memory: WorkerMemory, rng: Random) -> Engine:
        if _evaluates(engine) and engine.options.share:
            return replace(engine, options=replace(engine.options, memory=memory, workers=rng.choice((1, 1, 2))))
        return replace(engine, seed=self.seed) if isinstance(engine, Sampled) else engine


def evaluating(engine: str = "cpu", share: bool = True, memory: WorkerMemory = MEMORY) -> NativeEngine:
    """Return `engine` as `batt.evaluate` runs it on the compiled deck, with all its tiers."""
    name = f"evaluate-{engine}" + ("" if share else "-noshare")
    options = Options(
        engine=engine, workers=1, compiled=True, share=share, gpu_memory=fraction(), memory=memory, verify=True
    )
    return NativeEngine(name, options, ENGINES[engine])


def _evaluates(engine: Engine) -> TypeGuard[NativeEngine]:
    return isinstance(engine, NativeEngine) and REFERENCE in engine.tiers


def _call(options: Options) -> str:
    """Return the call of `batt.evaluate` with these options, for a person to repeat."""
    memory = "" if options.memory == MEMORY else f", memory={options.memory}"
    return (
        f"evaluate(deck, tasks, engine={options.engine!r}, compiled=True, share={options.share}, "
        f"workers={options.workers}{memory})"
    )


def sharing_engines(names: str) -> tuple[Engine, ...]:
    """Return the engines for a list such as `cpu` or `cpu,cuda`; the others are compared with the last."""
    chosen = [name.strip() for name in names.split(",")]
    tested: list[Engine] = []
    for name in chosen:
        if name == "cpu":
            tested.append(evaluating())
        elif name == "cuda":
            choose_engine(name)
            # GPUs alone, and with threads beside them.
            tested += [on_gpus(share=True, gpu_memory=fraction()), evaluating(name)]
        elif name != "reference":
            raise UsageError(f"--sharing runs on cpu and cuda, got {name!r}")
    if not tested:
        raise UsageError(f"--sharing runs on cpu and cuda, got {names!r}")
    return (*tested, Sampled(), evaluating(share=False))


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
