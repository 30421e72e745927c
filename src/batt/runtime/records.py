"""Records as NumPy arrays: their type, and how to make them from results of native code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.runtime.native import library, missing
from batt.runtime.outcome import Status

RECORD_TYPE = np.dtype(
    [
        *[("status", "u1"), ("error", "u1"), ("equal", "u1"), ("hash", "<u8")],
        *[("differing", "<u4"), ("height", "<u2"), ("width", "<u2")],
    ]
)
"""A record in NumPy, with the fields of `runtime.outcome.RECORD`."""
_PLAIN = f"V{RECORD_TYPE.itemsize}"
"""A record as plain bytes: NumPy takes ten times as long to copy one field by field."""


def unfilled(count: int) -> npt.NDArray[Any]:
    """Return `count` records of evaluations that were not run."""
    made = np.zeros(count, RECORD_TYPE)
    made["status"] = Status.NOT_RUN
    return made


AT_ONCE = 1 << 18
"""The records that `chunks` yields at once."""


def chunks(records: npt.NDArray[Any]) -> Iterator[npt.NDArray[Any]]:
    """Yield all records, some at a time: the records of a large run may be in a file, and larger than memory."""
    for start in range(0, len(records), AT_ONCE):
        yield records[start : start + AT_ONCE]


MANY = 1 << 14
"""Records that native code writes: NumPy waits for the memory of each, and other threads for NumPy."""


def put(records: npt.NDArray[Any], numbers: npt.NDArray[np.int64], made: npt.NDArray[Any]) -> None:
    """Write the records `made` to `records`, at these numbers."""
    if len(numbers) >= MANY and records.flags.c_contiguous and missing() is None:
        numbers, made = np.ascontiguousarray(numbers, np.int64), np.ascontiguousarray(made)
        if len(made) == len(numbers) and numbers.min() >= 0 and numbers.max() < len(records):
            places = [each.ctypes.data for each in (records, numbers, made)]
            library().call("batt_put_records", *places, len(numbers))
            return
    records.view(_PLAIN)[numbers] = made.view(_PLAIN)


def take(records: npt.NDArray[Any], numbers: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    """Return a copy of the records at these numbers."""
    return records.view(_PLAIN)[numbers].view(RECORD_TYPE)


def join(records: Sequence[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """Return all these records as one array."""
    return np.concatenate([each.view(_PLAIN) for each in records]).view(RECORD_TYPE)
