"""`batt.evaluate` as an engine to compare, with all that belongs to it: threads, blocks, what falls back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

import numpy as np

from batt.check.compare import NO_STEPS
from batt.check.engines import Reference, Runner, Seen
from batt.check.place import Place
from batt.front import Deck
from batt.jobs import evaluate
from batt.runtime import Limits, Sample, Split
from batt.runtime.memory import MEMORY, WorkerMemory
from batt.runtime.tier import Part
from batt.tasks import Pair, Task, Tasks

NOT_SAMPLED = "not in the sample"
SAMPLED = 0.01
"""The share of evaluations that the reference engine runs, which takes a hundred times as long."""


@dataclass(frozen=True, slots=True)
class Evaluated:
    """`batt.evaluate` on the compiled deck, with what solvers share computed once, or without."""

    share: bool = True
    engine: str = "cpu"
    memory: WorkerMemory = MEMORY
    workers: int = 1

    @property
    def name(self) -> str:
        """What a person calls it."""
        return f"evaluate-{self.engine}" + ("" if self.share else "-noshare")

    @property
    def call(self) -> str:
        """The call that runs it, for a person to repeat."""
        memory = "" if self.memory == MEMORY else f", memory={self.memory}"
        return (
            f"evaluate(deck, tasks, engine={self.engine!r}, compiled=True, share={self.share}, "
            f"workers={self.workers}{memory})"
        )

    def open(self, deck: Deck, samples: Sequence[Sample]) -> Runner:
        """Make tasks of the samples."""
        return _EvaluatedRunner(self, deck, samples)


class _EvaluatedRunner:
    def __init__(self, engine: Evaluated, deck: Deck, samples: Sequence[Sample]) -> None:
        self.engine = engine
        self.deck = deck
        self.tasks, self.place_of = tasks_of(samples)

    def run(self, pairs: Sequence[tuple[int, int]], limits: Limits, place: Place) -> Seen:
        engine, count = self.engine, sum([len(task.pairs) for task in self.tasks])
        steps = np.full(len(self.deck) * count, NO_STEPS, np.int64)

        def note(part: Part) -> None:
            steps[part.numbers] = part.steps

        def live() -> None:
            place.counter.value += 1

        results = evaluate(
            self.deck,
            self.tasks,
            engine=engine.engine,
            limits=limits,
            workers=engine.workers,
            share=engine.share,
            compiled=True,
            memory=engine.memory,
            on_block=note,
            on_poll=live,
        )
        numbers = np.array([solver * count + self.place_of[sample] for solver, sample in pairs], np.int64)
        return Seen(results.records[numbers], steps[numbers], [""] * len(pairs))


@dataclass(frozen=True, slots=True)
class Sampled:
    """The reference engine on a few of the evaluations; on all where there is but one sample."""

    seed: int = 0
    name: ClassVar[str] = "reference"

    def open(self, deck: Deck, samples: Sequence[Sample]) -> Runner:
        """Nothing is to be made ready."""
        return _SampledRunner(Reference().open(deck, samples), self.seed, len(samples) == 1)


class _SampledRunner:
    def __init__(self, reference: Runner, seed: int, everything: bool) -> None:
        self.reference = reference
        self.seed = seed
        self.everything = everything

    def run(self, pairs: Sequence[tuple[int, int]], limits: Limits, place: Place) -> Seen:
        chosen = self.chosen(pairs)
        seen = self.reference.run([pairs[number] for number in chosen], limits, place)
        causes = [NOT_SAMPLED] * len(pairs)
        records, steps = np.zeros(len(pairs), seen.records.dtype), np.zeros(len(pairs), np.int64)
        for at, number in enumerate(chosen):
            causes[number] = ""
            records[number], steps[number] = seen.records[at], seen.steps[at]
        return Seen(records, steps, causes)

    def chosen(self, pairs: Sequence[tuple[int, int]]) -> Sequence[int]:
        """The places of the evaluations that are run."""
        return [number for number, pair in enumerate(pairs) if self.everything or self._is_chosen(*pair)]

    def _is_chosen(self, solver: int, sample: int) -> bool:
        return Random(f"{self.seed} {solver} {sample}").random() < SAMPLED


def tasks_of(samples: Sequence[Sample]) -> tuple[Tasks, list[int]]:
    """Tasks that have these samples, and the place of each of them among the samples of those tasks."""
    by_shown: dict[tuple[object, ...], list[int]] = {}
    for position, sample in enumerate(samples):
        by_shown.setdefault(sample.demonstrations, []).append(position)
    tasks, place_of, start = list[Task](), [0] * len(samples), 0
    for number, positions in enumerate(by_shown.values()):
        shown = samples[positions[0]].demonstrations
        tests: list[Pair] = []
        for position in positions:
            sample = samples[position]
            here = shown[sample.index : sample.index + 1] if sample.part is Split.TRAIN else ()
            is_shown = here == ((sample.input, sample.expected),)
            place_of[position] = start + (sample.index if is_shown else len(shown) + len(tests))
            if not is_shown:
                tests.append(Pair(sample.input, sample.expected))
        tasks.append(Task(f"t{number}", tuple([Pair(*pair) for pair in shown]), tuple(tests)))
        start += len(shown) + len(tests)
    return Tasks(tuple(tasks), "random tasks"), place_of
