"""Run all tasks in large batches of samples, and merge the results per task."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from batt.card.running import Row, output_rows
from batt.compat.choosing import engine_for, no_gpu, tell
from batt.compat.memory import get_optimal_batch_size, gpu_memory_cleanup
from batt.compat.patterns import DeckLike, deck_like
from batt.differs import BUILT_IN as BUILT_IN_DIFFERS
from batt.differs import Candidate, differs_named, score
from batt.errors import UsageError
from batt.front import Deck
from batt.front.batts import read_batt
from batt.front.deck import BUILT_IN
from batt.jobs import Failed, Programs, samples_of
from batt.runtime import Limits, Sample, Split
from batt.runtime.cuda.selection import Devices
from batt.runtime.options import read_options
from batt.tasks import Task, Tasks


@dataclass(frozen=True, slots=True)
class BatchResult:
    """The result of a batt for one sample: `outputs` and `scores` are its o and s.

    An output is (step, changed?, source, value or Failed). A score is (step, source, differ, (score, detail)). For a
    batt, `step` and `source` are those of its file; for a deck, the number of steps and the name of the solver.
    """

    task_id: str
    part: Split
    index: int
    outputs: list[Row]
    scores: list[Row]

    @property
    def failed(self) -> int:
        """The number of solvers without a value."""
        return sum(isinstance(value, Failed) for *_, value in self.outputs)

    def __repr__(self) -> str:
        head = f"{self.task_id} {self.part.value} {self.index}"
        return f"<BatchResult {head} | {len(self.outputs):,} outputs, {self.failed:,} failed>"


class MegaBatchCoordinator:
    """Runs a batt on the samples of all tasks in large batches, and merges the results per task.

    `batt_module_name` is a deck or a batt: a Deck, a path, the name of a module in this folder, or `built-in`.
    `batch_size` is the number of samples per run. `differs` are names as in `differs_named`, such as
    `equal,cells,my_differs.py`; the default is the differs of the batt's file.
    """

    def __init__(
        self,
        batt_module_name: DeckLike,
        batch_size: int = 1000,
        *,
        use_gpu: bool = False,
        engine: str | None = None,
        differs: str | Sequence[str] | None = None,
        limits: Limits | None = None,
        workers: int | None = None,
        devices: Devices = None,
    ) -> None:
        if batch_size < 1:
            raise UsageError(f"a batch has at least one sample, got {batch_size}")
        self.deck, self._labels, named = _read(batt_module_name)
        self.batch_size = batch_size
        self.engine = engine or ("auto" if devices is not None else engine_for(use_gpu))
        chosen = named if differs is None else differs
        self.differs = differs_named(chosen) if chosen else ()
        self._limits = limits
        self._workers = workers
        options = read_options(engine=self.engine, limits=limits, workers=workers, devices=devices)
        self._programs = Programs([solver.program for solver in self.deck], options, tell)

    def collect_samples(self, tasks: Tasks | Sequence[Task]) -> tuple[Sample, ...]:
        """Return every pair of every task, task by task."""
        return samples_of(tasks if isinstance(tasks, Tasks) else Tasks(tuple(tasks), ""))

    def create_batches(self, samples: Sequence[Sample]) -> Iterator[Sequence[Sample]]:
        """Yield the samples in batches of `batch_size`."""
        for start in range(0, len(samples), self.batch_size):
            yield samples[start : start + self.batch_size]

    def process_batch(self, samples: Sequence[Sample]) -> list[BatchResult]:
        """Run every solver on every sample of a batch, in one run."""
        if not samples:
            return []
        values = self._programs.on(samples).values
        count = len(samples)
        scores: list[tuple[Any, ...]] = [()] * len(values)
        if self.differs:
            candidates = [Candidate(samples[at % count], value) for at, value in enumerate(values)]
            scores = score(self.differs, candidates, limits=self._limits, engine=self.engine, workers=self._workers)
        return [self._result(sample, values[at::count], scores[at::count]) for at, sample in enumerate(samples)]

    def process_all(
        self, tasks: Tasks | Sequence[Task], progress: Callable[[int, int], None] | None = None
    ) -> dict[str, list[BatchResult]]:
        """Return all results by task. Call `progress` with the number of finished samples and their total."""
        samples = self.collect_samples(tasks)
        done: list[BatchResult] = []
        for batch in self.create_batches(samples):
            done += self.process_batch(batch)
            if progress:
                progress(len(done), len(samples))
        return self.merge_results(done)

    def merge_results(self, results: Sequence[BatchResult]) -> dict[str, list[BatchResult]]:
        """Group the results by task, in their order."""
        merged: dict[str, list[BatchResult]] = {}
        for result in results:
            merged.setdefault(result.task_id, []).append(result)
        return merged

    def _result(self, sample: Sample, values: Sequence[Any], scores: Sequence[tuple[Any, ...]]) -> BatchResult:
        scored = [
            (step, source, differ.name, each)
            for (step, source), given in zip(self._labels, scores, strict=True)
            for differ, each in zip(self.differs, given, strict=False)
        ]
        outputs = output_rows(self._labels, values, sample)
        return BatchResult(sample.task, sample.part, sample.index, outputs, scored)


def _read(given: DeckLike) -> tuple[Deck, list[tuple[int, str]], list[str]]:
    """Return a deck, the step and the source of each solver, and the differs that the batt's file scores by."""
    with suppress(UsageError):
        if not isinstance(given, Deck) and given != BUILT_IN:
            file = read_batt(given)
            names = list(dict.fromkeys([each.differ for each in file.scores]))
            own = [file.file] if set(names) - set(BUILT_IN_DIFFERS) else []
            differs = [*[name for name in names if name in BUILT_IN_DIFFERS], *own]
            return file.deck, [(each.step, each.task) for each in file.entries], differs
    deck = deck_like(given)
    return deck, [(len(solver.program.steps), solver.name) for solver in deck], []


class GPUBatchProcessor:
    """Runs a deck on tasks: on a GPU if there is one, in batches that fit into free memory.

    Without `batch_size`, a batch is as large as free memory allows. `gpu_available` is whether a GPU is used.
    """

    def __init__(self, batch_size: int | None = None, use_gpu: bool = True, deck: DeckLike = "built-in") -> None:
        if batch_size is not None and batch_size < 1:
            raise UsageError(f"a batch has at least one sample, got {batch_size}")
        self.batch_size = batch_size
        self.deck = deck_like(deck)
        self.use_gpu = use_gpu
        # A batt's file also has the labels and the differs of its solvers, which the deck lacks.
        self._named = deck
        self.gpu_available = use_gpu and no_gpu() is None

    def process_tasks_batch(self, tasks: Tasks | Sequence[Task]) -> dict[str, list[BatchResult]]:
        """Return the results of every task. Free cached GPU memory after each batch."""
        given = tasks if isinstance(tasks, Tasks) else Tasks(tuple(tasks), "")
        size = self.batch_size or self._fitting(given)
        coordinator = MegaBatchCoordinator(self._named, size, use_gpu=self.use_gpu)
        return coordinator.process_all(given, lambda done, total: gpu_memory_cleanup())

    def _fitting(self, tasks: Tasks) -> int:
        """Return the batch size for the largest grid of `tasks` and the results of all solvers."""
        grids = [pair.input for task in tasks for pair in task.pairs]
        if not grids:
            return 1
        sides = max(map(len, grids)), max(len(grid[0]) for grid in grids)
        return max(1, get_optimal_batch_size(sides, len(grids) * len(self.deck)) // len(self.deck))
