"""Sort the results of native code into finished and unfinished evaluations.

Native code does it, without the interpreter lock: the threads of a run wait for one another otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable
from ctypes import byref
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.bytecode.abi import Ended
from batt.runtime.evaluations import Block, Integers
from batt.runtime.native import RESULT_TYPE, BlockColumns, Library, SortedResults
from batt.runtime.records import RECORD_TYPE

DEFERRED = (Ended.UNSUPPORTED, Ended.LAUNCH_LIMIT)
"""The statuses of unfinished evaluations."""


@dataclass(frozen=True, slots=True)
class Sorted:
    """The finished evaluations with their records, steps and times, and the unfinished ones with their results.

    `positions` are those of the unfinished ones among all `results`.
    """

    block: Block
    records: npt.NDArray[Any]
    steps: Integers
    times_ns: npt.NDArray[np.uint32]
    results: npt.NDArray[Any]
    unfinished: Block
    positions: Integers

    @property
    def unfinished_results(self) -> npt.NDArray[Any]:
        """Return the results of the unfinished evaluations."""
        found: npt.NDArray[Any] = self.results[self.positions]
        return found

    @property
    def kept(self) -> Integers:
        """Return the positions of the finished evaluations among all."""
        return np.delete(np.arange(len(self.results)), self.positions)


def sort_results(library: Library, ran: Block, results: npt.NDArray[Any], more: Iterable[int] = ()) -> Sorted:
    """Sort the results of evaluations that `ran`. Those with a status in `more` are unfinished, too."""
    count = len(results)
    records = np.empty(count, RECORD_TYPE)
    steps, numbers, solvers, samples, unfinished = np.empty((5, count), np.int64)
    times_ns = np.empty(count, np.uint32)
    columns = [np.ascontiguousarray(each, np.int64) for each in (ran.numbers, ran.solvers, ran.samples)]
    made = records, steps, times_ns, numbers, solvers, samples, unfinished
    done = library.call(
        "batt_sort_results",
        *(results.ctypes.data, count, sum({1 << each for each in (*DEFERRED, *more)})),
        byref(BlockColumns(*[each.ctypes.data for each in columns])),
        byref(SortedResults(*[each.ctypes.data for each in made])),
    )
    positions = unfinished[: count - done]
    block = ran if done == count else Block(numbers[:done], solvers[:done], samples[:done], ran.cause)
    return Sorted(block, records[:done], steps[:done], times_ns[:done], results, ran[positions], positions)


def take_results(library: Library, results: npt.NDArray[Any], rows: Integers) -> npt.NDArray[Any]:
    """Return a copy of the results at these rows."""
    found = np.empty(len(rows), RESULT_TYPE)
    rows = np.ascontiguousarray(rows, np.int64)
    library.call("batt_take_results", results.ctypes.data, rows.ctypes.data, len(rows), found.ctypes.data)
    return found
