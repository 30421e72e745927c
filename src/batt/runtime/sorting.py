"""Sort the results of native code into finished and unfinished evaluations.

Native code does it, for many results without the interpreter lock, so that the threads of a run do not wait for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from ctypes import byref, c_uint64
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.bytecode.abi import Ended
from batt.runtime.evaluations import Block, Integers
from batt.runtime.native import RESULT_TYPE, Budget, Library, NativeBatch, NativeProgram, NativeWorker, Outputs
from batt.runtime.records import RECORD_TYPE

FEW = 1 << 12
"""Results that are sorted without giving up the interpreter lock: some microseconds."""
DEFERRED = 1 << Ended.UNSUPPORTED | 1 << Ended.LAUNCH_LIMIT
"""The statuses of unfinished evaluations, as bits."""
_SIZES = (8, 8, 8, 4, RECORD_TYPE.itemsize)
"""The bytes of steps, of a position of either kind, of a time and of a record, the widest numbers first."""


@dataclass(frozen=True, slots=True)
class Sorted:
    """The finished evaluations with their records, steps and times, and the unfinished ones with their results.

    `kept` and `unfinished` are their positions among all evaluations, which are `ran`. `scored` are all results if the
    run keeps scores.
    """

    ran: Block
    records: npt.NDArray[Any]
    steps: Integers
    times_ns: npt.NDArray[np.uint32]
    kept: Integers
    unfinished: Integers
    unfinished_results: npt.NDArray[Any]
    scored: npt.NDArray[Any] | None


def sort_results(
    library: Library,
    ran: Block,
    results: npt.NDArray[Any],
    more: Iterable[int] = (),
    rows: Integers | None = None,
    is_scored: bool = False,
) -> Sorted:
    """Sort the results of evaluations that `ran`, in their order or at `rows`.

    Those with a status in `more` are unfinished, too. The results may be overwritten later.
    """
    rows = None if rows is None else np.ascontiguousarray(rows, np.int64)
    if is_scored:
        rows = np.arange(len(ran)) if rows is None else rows
        results, rows = take_results(library, results, rows), None
    room = _Room(len(ran))
    at = 0 if rows is None else rows.ctypes.data
    told = results.ctypes.data, at, len(ran), deferred_mask(more), *room.addresses
    done = (library.call_briefly if len(ran) <= FEW else library.call)("batt_sort_results", *told)
    return room.sorted(ran, results, done, rows, is_scored)


def run_sorted(
    worker: NativeWorker,
    program: NativeProgram,
    batch: NativeBatch,
    slice_of: Integers,
    block: Block,
    budget: Budget,
    outputs: Outputs | None = None,
    more: Iterable[int] = (),
) -> Sorted:
    """Run a block in a worker, and sort the results of what it has done, the first of the block, like `sort_results`.

    `slice_of` has the slice of each program. It is one native call: with many threads, each wait for the interpreter
    lock takes long.
    """
    results, room, finished = np.empty(len(block), RESULT_TYPE), _Room(len(block)), c_uint64()
    given = [np.ascontiguousarray(each, np.int64) for each in (slice_of, block.solvers, block.samples)]
    slices, solvers, samples = [each.ctypes.data for each in given]
    done = worker.library.call(
        "batt_run_block",
        *(worker.handle, program.handle, batch.handle, slices, len(slice_of), solvers, samples, len(block)),
        *(byref(budget), results.ctypes.data, byref(outputs) if outputs is not None else None),
        *(byref(worker.stop), byref(worker.done), deferred_mask(more), *room.addresses, byref(finished)),
    )
    ran = block if done == len(block) else block[:done]
    return room.sorted(ran, results[:done], finished.value, None, bool(budget.scores))


def deferred_mask(more: Iterable[int]) -> int:
    """Return the statuses of unfinished evaluations as bits: those in `more`, too."""
    mask = DEFERRED
    for status in more:
        mask |= 1 << status
    return mask


class _Room:
    """Memory for what sorting `count` results gives.

    One piece of memory: for a few evaluations, allocating takes longer than sorting.
    """

    def __init__(self, count: int) -> None:
        self.starts = [0, *accumulate([size * count for size in _SIZES])]
        self.memory = np.empty(self.starts[-1], np.uint8)

    @property
    def addresses(self) -> tuple[int, ...]:
        """Return where native code writes: records, steps, times, and the positions of both kinds."""
        base = self.memory.ctypes.data
        steps, kept, unfinished, times, records = [base + start for start in self.starts[:-1]]
        return records, steps, times, kept, unfinished

    def sorted(
        self, ran: Block, results: npt.NDArray[Any], done: int, rows: Integers | None, is_scored: bool
    ) -> Sorted:
        """Return what was written if `done` of those that `ran` are finished; their results lie at `rows`."""
        counts = done, done, len(ran) - done, done, done
        columns = zip(self.starts, counts, _SIZES, strict=False)
        parts = [self.memory[start : start + count * size] for start, count, size in columns]
        steps, kept, unfinished = [each.view(np.int64) for each in parts[:3]]
        records, times_ns = parts[4].view(RECORD_TYPE), parts[3].view(np.uint32)
        left = results[unfinished if rows is None else rows[unfinished]]
        return Sorted(ran, records, steps, times_ns, kept, unfinished, left, results if is_scored else None)


def take_results(library: Library, results: npt.NDArray[Any], rows: Integers) -> npt.NDArray[Any]:
    """Return a copy of the results at these rows."""
    found = np.empty(len(rows), RESULT_TYPE)
    rows = np.ascontiguousarray(rows, np.int64)
    library.call("batt_take_results", results.ctypes.data, rows.ctypes.data, len(rows), found.ctypes.data)
    return found
