"""`batt.evaluate` as an engine to compare, with all that belongs to it: threads, blocks, deferred evaluations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import ClassVar

import numpy as np

from batt.check.compare import NO_STEPS
from batt.check.engines import EngineResults, Pairs, Reference, Run, SharedProgress
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
    """`batt.evaluate` on the compiled deck; with `share`, values that solvers share are staged."""

    share: bool = True
    engine: str = "cpu"
    memory: WorkerMemory = MEMORY
    workers: int = 1

    @property
    def name(self) -> str:
        """Return the name that messages use."""
        return f"evaluate-{self.engine}" + ("" if self.share else "-noshare")

    @property
    def call(self) -> str:
        """Return the call that runs it, for a person to repeat."""
        memory = "" if self.memory == MEMORY else f", memory={self.memory}"
        return (
            f"evaluate(deck, tasks, engine={self.engine!r}, compiled=True, share={self.share}, "
            f"workers={self.workers}{memory})"
        )

    def open(self, deck: Deck, samples: Sequence[Sample]) -> Run:
        """Make tasks of `samples`."""
        return partial(self._run, deck, *tasks_of(samples))

    def _run(
        self, deck: Deck, tasks: Tasks, position_of: list[int], pairs: Pairs, limits: Limits, progress: SharedProgress
    ) -> EngineResults:
        count = sum([len(task.pairs) for task in tasks])
        steps = np.full(len(deck) * count, NO_STEPS, np.int64)

        def note(part: Part) -> None:
            steps[part.numbers] = part.steps

        def live() -> None:
            progress.counter.value += 1

        results = evaluate(
            deck,
            tasks,
            engine=self.engine,
            limits=limits,
            workers=self.workers,
            share=self.share,
            compiled=True,
            memory=self.memory,
            on_block=note,
            on_poll=live,
        )
        numbers = np.array([solver * count + position_of[sample] for solver, sample in pairs], np.int64)
        return EngineResults(results.records[numbers], steps[numbers], [""] * len(pairs))


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


def tasks_of(samples: Sequence[Sample]) -> tuple[Tasks, list[int]]:
    """Return tasks that have these samples, and the position of each of them among the samples of those tasks."""
    by_shown: dict[tuple[object, ...], list[int]] = {}
    for position, sample in enumerate(samples):
        by_shown.setdefault(sample.demonstrations, []).append(position)
    tasks, position_of, start = list[Task](), [0] * len(samples), 0
    for number, positions in enumerate(by_shown.values()):
        shown = samples[positions[0]].demonstrations
        tests: list[Pair] = []
        for position in positions:
            sample = samples[position]
            here = shown[sample.index : sample.index + 1] if sample.part is Split.TRAIN else ()
            is_shown = here == ((sample.input, sample.expected),)
            position_of[position] = start + (sample.index if is_shown else len(shown) + len(tests))
            if not is_shown:
                tests.append(Pair(sample.input, sample.expected))
        tasks.append(Task(f"t{number}", tuple([Pair(*pair) for pair in shown]), tuple(tests)))
        start += len(shown) + len(tests)
    return Tasks(tuple(tasks), "random tasks"), position_of
