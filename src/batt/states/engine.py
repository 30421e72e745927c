"""An open engine: it keeps threads, memory, programs and samples from one run to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import TracebackType
from typing import Any
from weakref import WeakSet

import numpy as np
import numpy.typing as npt

from batt.errors import UsageError
from batt.ir import Program
from batt.jobs.choice import choose_engine
from batt.jobs.prepare import prepare
from batt.jobs.settling import settle
from batt.ops import Op
from batt.runtime import Limits, Outcome, Sample, Status
from batt.runtime.context import MOST, Loaded
from batt.runtime.cpu.worker import ThreadWorker
from batt.runtime.cuda.faults import DeviceError, NoGpu
from batt.runtime.cuda.states import StatesLauncher
from batt.runtime.evaluations import Block, Evaluations, Integers
from batt.runtime.job import Job
from batt.runtime.ladder import Ladder
from batt.runtime.native import Budget
from batt.runtime.options import Options, read_options
from batt.runtime.outputs import PackedOutputs
from batt.runtime.packing import pack
from batt.runtime.records import RECORD_TYPE
from batt.runtime.tier import CPU, Part
from batt.states.batch import StatesBatch
from batt.states.calls import op_named
from batt.states.columns import ColumnSource, OpColumn, common_rows, compute_column
from batt.states.device_columns import DeviceColumn, DeviceColumns, given_column, on_cpu
from batt.states.device_states import DeviceStates
from batt.states.features import MOST_PARTS, Features, compute_features
from batt.states.programs import KeptPrograms, KeptSamples, ProgramSource, SampleSource, programs_of, samples_in
from batt.states.runs import EngineRun, PartialRun
from batt.states.states import LIMITS, MOST_BYTES, States, TaskSource
from batt.states.threads import KeptThreads

FEW = 256
"""The most evaluations that one thread runs alone."""
BLOCKS_PER_THREAD = 8


def open_engine(options: Options | None = None, **given: Any) -> OpenEngine:
    """Open an engine that keeps threads, memory, programs and samples, for many small runs and for searches.

    `given` are the options of `evaluate` by name, such as `engine`, `workers`, `limits`, `outputs` and `compiled`. Use
    it as a context manager, or close it.

    >>> from batt import load_deck, load_tasks, open_engine
    >>> with open_engine(workers=1) as engine:
    ...     run = engine.run(load_deck()[:2], load_tasks("arc1-training")["007bbfb7"])
    >>> len(run)
    12
    """
    return OpenEngine(options or read_options(**given))


class OpenEngine:
    """Threads, native memory, programs and samples, kept until it is closed. It serves one thread at a time."""

    def __init__(self, options: Options) -> None:
        if options.cluster is not None:
            raise UsageError("an open engine runs on this machine; use batt.evaluate with a cluster")
        self.options = replace(options, engine=choose_engine(options.engine, options.devices).engine)
        self.notes: list[str] = []
        self._has_gpu = self.options.engine == "cuda"
        self._device_columns: DeviceColumns | None = None
        self._states_launcher: StatesLauncher | None = None
        self._device_states: WeakSet[DeviceStates] = WeakSet()
        self._programs = KeptPrograms(self.options)
        self._samples = KeptSamples()
        self._threads: KeptThreads | None = None
        self._loaded: dict[tuple[int, int], Loaded] = {}
        limits = options.limits
        self._budget = Budget(min(limits.steps, MOST), min(limits.max_items, MOST), options.work)
        self._is_closed = False

    def __enter__(self) -> OpenEngine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        kept = f"{len(self._programs):,} programs | {len(self._samples):,} samples"
        return f"<OpenEngine {self.options.engine} | {kept}{' | closed' * self._is_closed}>"

    def close(self) -> None:
        """Stop all threads and free all memory. Sets of states keep their values, but cannot grow any more."""
        if self._threads is not None:
            for each in [each for each in self._device_states if each.is_open]:
                each.leave()
        if self._device_columns is not None:
            self._device_columns.close()
        if self._threads is not None:
            self._threads.close()
            self._threads = None
        self.forget()
        self._is_closed = True

    def forget(self) -> None:
        """Free the programs and samples of earlier runs."""
        self._loaded.clear()
        self._programs.close()
        self._samples.close()

    def run(self, programs: ProgramSource, samples: SampleSource, pairs: npt.ArrayLike | None = None) -> EngineRun:
        """Run programs on samples: all on all, program by program, or only `pairs` of their positions, in that order.

        Outcomes, errors and steps are those of `evaluate`. Programs and samples are recognized by identity or
        equality: only new ones are compiled and loaded.
        """
        self._check_open()
        wanted, given = programs_of(programs), samples_in(samples)
        run = EngineRun(*_pairs_of(pairs, len(wanted), len(given)), self.options.outputs)
        left: Integers = np.arange(len(run))
        if self.options.engine == "cpu":
            left = self._run_native(wanted, given, run)
        if len(left):
            self._run_ladder(wanted, given, run, left)
        return run

    def states(self, task: TaskSource, *, limits: Limits = LIMITS, most_bytes: int = MOST_BYTES) -> States:
        """Return an empty set of states of a task, or of samples, that uses at most `most_bytes` of memory.

        `limits` holds for each candidate on each sample.
        """
        self._check_open()
        if self.options.engine == "reference":
            raise UsageError("states need native code, and this engine is 'reference'")
        return States(task, self._kept_threads(), self._programs, limits, self.options.work, most_bytes)

    def states_batch(
        self, tasks: Sequence[TaskSource], *, limits: Limits = LIMITS, most_bytes: int = MOST_BYTES
    ) -> StatesBatch:
        """Return empty sets of states of many tasks, each of which uses at most `most_bytes`.

        One call applies ops to states of all tasks. With the engine `cuda`, a GPU does, and keeps the values.
        """
        self._check_open()
        if self.options.engine == "reference":
            raise UsageError("states need native code, and this engine is 'reference'")
        threads, gpu = self._kept_threads(), self._gpu() if self._has_gpu else None
        device = None
        if gpu is not None and gpu.lost is None:
            if self._states_launcher is None:
                self._states_launcher = StatesLauncher(gpu.launcher)
            device = DeviceStates(self._states_launcher, threads, self._tell)
            self._device_states.add(device)
        return StatesBatch(tasks, threads, self._programs, limits, self.options.work, most_bytes, device)

    def columns(
        self, op: str | Op, *arguments: ColumnSource | DeviceColumn, defer: bool = True
    ) -> OpColumn | DeviceColumn:
        """Call an op for every row of its arguments: columns, packed grids, arrays of ints, lists, or constants.

        Each row has the outcome, error and steps of a program of that one step, within the limits of the engine.
        What native code does not support is computed in Python, or unless `defer` left with the status UNSUPPORTED.
        With the engine `cuda`, a GPU computes the column and keeps it.
        """
        self._check_open()
        if self.options.engine == "reference":
            raise UsageError("columns need native code, and this engine is 'reference'")
        found, given = op_named(op), [given_column(each) for each in arguments]
        rows, limits = common_rows(found, given), self.options.limits
        gpu = self._gpu() if self._has_gpu else None
        if gpu is not None:
            return gpu.compute(found, given, rows, limits, defer)
        return compute_column(found, [on_cpu(each) for each in given], self._kept_threads(), limits, defer)

    def _gpu(self) -> DeviceColumns | None:
        """Return what computes columns on the first GPU; None if it cannot be used."""
        if self._device_columns is None:
            number, memory = (self.options.devices or (0,))[0], self.options.gpu_memory
            try:
                self._device_columns = DeviceColumns(number, memory, self._kept_threads(), self._tell)
            except (DeviceError, NoGpu) as error:
                self._has_gpu = False
                self._tell(f"{error}; continuing on the CPU")
        return self._device_columns

    def _tell(self, line: str) -> None:
        """Keep a line that says what the engine could not do as asked."""
        self.notes.append(line)

    def features(self, grids: ColumnSource | DeviceColumn, form: str, *, most_parts: int = MOST_PARTS) -> Features:
        """Take grids apart and return the features of all parts: a column, packed grids, or a list of grids.

        `form` is one of `batt.states.FORMS`: the flags of `objects`, such as "TFT", or "colours", "panels", "pieces". A
        grid with more than `most_parts` parts is left out.
        """
        self._check_open()
        if self.options.engine == "reference":
            raise UsageError("features need native code, and this engine is 'reference'")
        return compute_features(on_cpu(given_column(grids)), form, self._kept_threads(), most_parts)

    def _check_open(self) -> None:
        if self._is_closed:
            raise UsageError("the engine is closed")

    def _kept_threads(self) -> KeptThreads:
        if self._threads is None:
            self._threads = KeptThreads(self.options)
        return self._threads

    def _run_native(self, programs: Sequence[Program], samples: Sequence[Sample], run: EngineRun) -> Integers:
        """Run what native code can. Return the numbers of the others."""
        images = self._programs.places(programs, len(run))
        batches = self._samples.places(samples)
        if len(run) == 1:
            return self._run_one(images[run.programs.item()], batches[run.samples.item()], samples, run)
        left: list[Integers] = []
        images_of = np.array(images, np.int64).reshape(-1, 2)[run.programs]
        batches_of = np.array(batches, np.int64).reshape(-1, 2)[run.samples]
        groups = images_of[:, 0] * len(self._samples.batches) + batches_of[:, 0]
        for group in np.unique(groups).tolist():
            image, batch = divmod(group, len(self._samples.batches))
            numbers = np.flatnonzero(groups == group)
            slices, rows = images_of[numbers, 1], batches_of[numbers, 1]
            refused = (slices < 0) | self._samples.batches[batch].refused[rows]
            if refused.any():
                left.append(numbers[refused])
                numbers, slices, rows = numbers[~refused], slices[~refused], rows[~refused]
            left += self._run_group(self._group(image, batch), Block(numbers, slices, rows), samples, run)
        return np.concatenate(left) if left else np.zeros(0, np.int64)

    def _run_one(
        self, program: tuple[int, int], sample: tuple[int, int], samples: Sequence[Sample], run: EngineRun
    ) -> Integers:
        """Run a single evaluation, for which arrays would cost more than the evaluation."""
        (image, place), (batch, row) = program, sample
        numbers = np.zeros(1, np.int64)
        if place < 0 or self._samples.batches[batch].refused[row]:
            return numbers
        block = Block(numbers, np.array([place]), np.array([row]))
        left = self._run_group(self._group(image, batch), block, samples, run)
        return left[0] if left else numbers[:0]

    def _group(self, image: int, batch: int) -> Loaded:
        found = self._loaded.get((image, batch))
        if found is None:
            kept, samples = self._programs.images[image], self._samples.batches[batch]
            functions = kept.functions if self.options.outputs else None
            found = Loaded(kept.native, samples.native, samples.packed, samples.refused, functions)
            self._loaded[image, batch] = found
        return found

    def _run_group(self, loaded: Loaded, block: Block, samples: Sequence[Sample], run: EngineRun) -> list[Integers]:
        threads = self._kept_threads()
        # The block has slices in place of programs.
        slices = np.arange(loaded.program.slices)

        def work(worker: ThreadWorker, part: Block) -> Part:
            worker.loaded = loaded
            return worker.run(part, slices, self._budget, {})()

        deferred: list[Integers] = []
        blocks = [block] if len(block) else []
        while blocks:
            parts = threads.map(work, [small for each in blocks for small in _split(each, threads.count)])
            for part in parts:
                run.on_part(part)
                deferred += [each.numbers for each in part.deferred.values()]
                if part.timed_out is not None:
                    run.on_part(self._timed_out(part.timed_out, samples, run))
            blocks = [part.rest for part in parts if part.rest is not None and len(part.rest)]
        return deferred

    def _timed_out(self, block: Block, samples: Sequence[Sample], run: EngineRun) -> Part:
        packed = [pack(Outcome(Status.TIMED_OUT), samples[at]) for at in run.samples[block.numbers].tolist()]
        outputs = PackedOutputs.none(len(block)) if self.options.outputs else None
        records = np.frombuffer(b"".join(packed), RECORD_TYPE)
        return Part(CPU, block, records, np.zeros(len(block), np.int64), outputs=outputs)

    def _run_ladder(
        self, programs: Sequence[Program], samples: Sequence[Sample], run: EngineRun, numbers: Integers
    ) -> None:
        """Run what native code on threads cannot, or all evaluations of another engine."""
        named = {f"program_{number}": program for number, program in enumerate(programs)}
        chosen = run.programs[numbers], run.samples[numbers]
        evaluations = Evaluations(tuple(samples), len(programs), *chosen)
        engine = "reference" if self.options.engine == "cpu" else self.options.engine
        options, _ = settle(named, evaluations, replace(self.options, engine=engine))
        job = Job.plain(named) if engine == "reference" else prepare(named, options)
        Ladder(job.on(evaluations), options, observer=PartialRun(run, numbers)).run()


def _pairs_of(pairs: npt.ArrayLike | None, programs: int, samples: int) -> tuple[Integers, Integers]:
    """Return the program and the sample of each evaluation."""
    if pairs is None:
        made = np.divmod(np.arange(programs * samples), max(1, samples))
        return made[0], made[1]
    found = np.asarray(pairs, np.int64).reshape(-1, 2)
    first, second = np.ascontiguousarray(found[:, 0]), np.ascontiguousarray(found[:, 1])
    for name, column, count in (("programs", first, programs), ("samples", second, samples)):
        if len(column) and not 0 <= int(column.min()) <= int(column.max()) < count:
            raise UsageError(f"a pair is out of range: there are {count:,} {name}")
    return first, second


def _split(block: Block, threads: int) -> list[Block]:
    """Split a block so that all threads have something to do; few evaluations stay together."""
    if len(block) <= FEW or threads == 1:
        return [block]
    size = max(FEW // 4, -(-len(block) // (threads * BLOCKS_PER_THREAD)))
    return [block[start : start + size] for start in range(0, len(block), size)]
