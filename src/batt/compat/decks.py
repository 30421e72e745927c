"""Legacy names for decks and batts on many tasks: batches of samples, memory of GPUs, patterns and profiles."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeAlias

from batt.card import patterns
from batt.card.running import Row, output_rows
from batt.compat.grids import engine_for, no_gpu, tell
from batt.differs import BUILT_IN as BUILT_IN_DIFFERS
from batt.differs import Candidate, differs_named, score
from batt.errors import UsageError
from batt.front import Deck, Solver, load_deck
from batt.front.batts import batt_path, read_batt
from batt.front.deck import BUILT_IN
from batt.jobs import Failed, Programs, samples_of
from batt.jobs.matching import match_all, match_own
from batt.profile.figures import Figures, figures
from batt.profile.run import profile
from batt.runtime import Limits, Sample, Split, cuda
from batt.runtime.batch import pack_samples
from batt.runtime.cuda.device import Device, count
from batt.runtime.cuda.memory import NoRoom, allowed_bytes, fraction, room, set_default_fraction
from batt.runtime.cuda.modes import THREADS
from batt.runtime.cuda.selection import Devices
from batt.runtime.options import read_options
from batt.runtime.records import RECORD_TYPE
from batt.tasks import Task, Tasks, load_tasks

__all__ = [
    "BatchResult",
    "GPUBatchProcessor",
    "MegaBatchCoordinator",
    "configure_gpu_memory",
    "detect_batch_pattern",
    "get_optimal_batch_size",
    "gpu_memory_cleanup",
    "profile_batt_operations",
]

DeckLike: TypeAlias = Deck | str | os.PathLike[str]
"""A deck; or the path of a deck or a batt, the name of a module in this folder, or `built-in`."""


def _deck(given: DeckLike) -> Deck:
    """Return the deck that `given` names."""
    if isinstance(given, Deck):
        return given
    return load_deck(given if given == BUILT_IN or os.path.isdir(given) else batt_path(given))


def detect_batch_pattern(solvers: DeckLike | Iterable[Solver]) -> patterns.Patterns:
    """Find the steps that a batch runs once: sample extraction, several forms of objects, groups of `mapply`."""
    given = _deck(solvers) if isinstance(solvers, str | os.PathLike) else solvers
    return patterns.detect_batch_pattern(given)


def profile_batt_operations(
    batt: DeckLike,
    tasks: Tasks | str = "arc1-training",
    *,
    own: bool = False,
    limits: Limits | None = None,
    workers: int | None = None,
) -> Figures:
    """Run a batt or deck on `tasks` and return which ops, steps, solvers and patterns take the time."""
    deck = _deck(batt)
    given = tasks if isinstance(tasks, Tasks) else load_tasks(tasks)
    evaluations = (match_own if own else match_all)(deck, given)
    return figures(profile(deck, evaluations, limits=limits, workers=workers))


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
        """Return the number of solvers without a value."""
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
    deck = _deck(given)
    return deck, [(len(solver.program.steps), solver.name) for solver in deck], []


class GPUBatchProcessor:
    """Runs a deck on tasks: on a GPU if there is one, in batches that fit into free memory.

    Without `batch_size`, a batch is as large as free memory allows. `gpu_available` is whether a GPU is used.
    """

    def __init__(self, batch_size: int | None = None, use_gpu: bool = True, deck: DeckLike = "built-in") -> None:
        self._coordinator = MegaBatchCoordinator(deck, 1 if batch_size is None else batch_size, use_gpu=use_gpu)
        self.batch_size = batch_size
        self.deck = self._coordinator.deck
        self.use_gpu = use_gpu
        self.gpu_available = self._coordinator.engine == "cuda"

    def process_tasks_batch(self, tasks: Tasks | Sequence[Task]) -> dict[str, list[BatchResult]]:
        """Return the results of every task. Free cached GPU memory after each batch."""
        coordinator = self._coordinator
        coordinator.batch_size = self.batch_size or self._fitting(coordinator.collect_samples(tasks))
        return coordinator.process_all(tasks, lambda done, total: gpu_memory_cleanup())

    def _fitting(self, samples: Sequence[Sample]) -> int:
        """Return the batch size for the largest grid of `samples` and the results of all solvers."""
        grids = [sample.input for sample in samples] or [((0,),)]
        sides = max(map(len, grids)), max(len(grid[0]) for grid in grids)
        return max(1, get_optimal_batch_size(sides, len(grids) * len(self.deck)) // len(self.deck))


def configure_gpu_memory(device_id: int = 0, memory_fraction: float = 0.8) -> bool:
    """Limit runs of this process to `memory_fraction` of each GPU's memory. Return whether GPU `device_id` is usable.

    The limit holds for all GPUs. The parameter `devices` of a run chooses the GPUs.
    """
    share = fraction(memory_fraction)
    why = no_gpu()
    if why is None and not 0 <= device_id < count():
        why = f"there is no GPU {device_id}"
    if why is not None:
        tell(f"GPU not available, using the CPU: {why}")
        return False
    set_default_fraction(share)
    return True


def gpu_memory_cleanup() -> None:
    """Free the memory that CuPy caches on every GPU.

    Engines keep no memory after a run: this is for arrays that the caller made.
    """
    if cuda.missing() is None:
        for info in cuda.devices():
            with Device(info.number) as device:
                device.trim()


def get_optimal_batch_size(grid_size: int | tuple[int, int], num_samples: int) -> int:
    """Return how many of `num_samples` samples with grids of `grid_size` fit into free memory; at least 1.

    `grid_size` is a side or (height, width). Without a GPU, the free memory of the machine counts.
    """
    sides = (grid_size, grid_size) if isinstance(grid_size, int) else grid_size
    sample_bytes = bytes_per_sample(*sides)
    if no_gpu() is None:
        fitting = _fitting_on_gpu(sample_bytes, num_samples)
    else:
        fitting = int(fraction() * _free_bytes()) // (sample_bytes + RECORD_TYPE.itemsize)
    return max(1, min(num_samples, fitting))


def bytes_per_sample(height: int, width: int) -> int:
    """Return the memory that an engine needs for a sample with grids of this size."""
    grid = ((0,) * width,) * height
    shifted = ((1,) * width,) * height
    batch = pack_samples([Sample("", Split.TEST, 0, (), grid, shifted)])
    return len(batch.data) + batch.ends.nbytes + batch.rows.nbytes


def _fitting_on_gpu(sample_bytes: int, num_samples: int) -> int:
    """Return the evaluations that fit on the GPU with the most free memory, beside the memory of its threads."""
    info = max(cuda.devices(), key=lambda each: each.free_bytes)
    allowed = allowed_bytes(info.free_bytes, info.total_bytes, fraction())
    try:
        arenas = room(allowed, THREADS.need, THREADS.per_sm * info.sms, num_samples).arenas_bytes
    except NoRoom:
        return 1
    return (allowed - arenas) // (sample_bytes + THREADS.need.evaluation_bytes)


def _free_bytes() -> int:
    """Return the free memory of this machine."""
    return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
