"""Sort the results of native code into finished and unfinished evaluations.

Native code does it, for many results without the interpreter lock, so that the threads of a run do not wait for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.bytecode.abi import Ended
from batt.runtime.evaluations import Block, Integers
from batt.runtime.native import RESULT_TYPE, Library
from batt.runtime.records import RECORD_TYPE

FEW = 1 << 12
"""Results that are sorted without giving up the interpreter lock: some microseconds."""
DEFERRED = 1 << Ended.UNSUPPORTED | 1 << Ended.LAUNCH_LIMIT
"""The statuses of unfinished evaluations, as bits."""


@dataclass(frozen=True, slots=True)
class Sorted:
    """The finished evaluations with their records, steps and times, and the unfinished ones.

    `kept` and `unfinished` are their positions among all `results`, `ran` are all evaluations.
    """

    ran: Block
    results: npt.NDArray[Any]
    records: npt.NDArray[Any]
    steps: Integers
    times_ns: npt.NDArray[np.uint32]
    kept: Integers
    unfinished: Integers


def sort_results(library: Library, ran: Block, results: npt.NDArray[Any], more: Iterable[int] = ()) -> Sorted:
    """Sort the results of evaluations that `ran`. Those with a status in `more` are unfinished, too."""
    count = len(results)
    # One piece of memory: for a few evaluations, allocating takes longer than sorting.
    sizes = 8 * count, 8 * count, 8 * count, 4 * count, RECORD_TYPE.itemsize * count
    memory = np.empty(sum(sizes), np.uint8)
    starts = [0, *accumulate(sizes)]
    base, mask = memory.ctypes.data, DEFERRED
    for status in more:
        mask |= 1 << status
    steps, kept, unfinished, times_ns, records = [base + start for start in starts[:-1]]
    told = results.ctypes.data, count, mask, records, steps, times_ns, kept, unfinished
    done = (library.call_briefly if count <= FEW else library.call)("batt_sort_results", *told)
    ends = [8 * done, 8 * done, 8 * (count - done), 4 * done, RECORD_TYPE.itemsize * done]
    parts = [memory[start : start + size] for start, size in zip(starts, ends, strict=False)]
    numbers = [each.view(np.int64) for each in parts[:3]]
    return Sorted(ran, results, parts[4].view(RECORD_TYPE), numbers[0], parts[3].view(np.uint32), *numbers[1:])


def take_results(library: Library, results: npt.NDArray[Any], rows: Integers) -> npt.NDArray[Any]:
    """Return a copy of the results at these rows."""
    found = np.empty(len(rows), RESULT_TYPE)
    rows = np.ascontiguousarray(rows, np.int64)
    library.call("batt_take_results", results.ctypes.data, rows.ctypes.data, len(rows), found.ctypes.data)
    return found
