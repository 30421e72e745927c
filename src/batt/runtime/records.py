"""Records as NumPy arrays. Owns their type, and how the native engine's results become records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.runtime.outcome import Status
from batt.runtime.outputs import PackedOutputs

RECORD_TYPE = np.dtype(
    [
        *[("status", "u1"), ("error", "u1"), ("equal", "u1"), ("hash", "<u8")],
        *[("differing", "<u4"), ("height", "<u2"), ("width", "<u2")],
    ]
)
"""A packed outcome as NumPy reads it; the fields of `runtime.outcome.RECORD`."""
_PLAIN = f"V{RECORD_TYPE.itemsize}"
"""A record as plain bytes: field by field NumPy takes ten times as long to copy one."""


@dataclass(frozen=True, slots=True)
class Done:
    """Evaluations that are done: their numbers, their records, their outputs where asked for, their steps.

    `each` are the steps of each, where native code ran them.
    """

    numbers: npt.NDArray[np.int64]
    records: npt.NDArray[Any]
    outputs: PackedOutputs | None
    steps: int
    each: npt.NDArray[np.int64] | None = None


def unfilled(count: int) -> npt.NDArray[Any]:
    """Records of evaluations that have not been run."""
    made = np.zeros(count, RECORD_TYPE)
    made["status"] = Status.NOT_RUN
    return made


def put(records: npt.NDArray[Any], numbers: npt.NDArray[np.int64], made: npt.NDArray[Any]) -> None:
    """Write records that were made to the places of these numbers."""
    records.view(_PLAIN)[numbers] = made.view(_PLAIN)


def take(records: npt.NDArray[Any], numbers: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    """Copy the records of these numbers."""
    return records.view(_PLAIN)[numbers].view(RECORD_TYPE)


def records_of(results: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The records of results that the native engine has made."""
    made = np.zeros(len(results), RECORD_TYPE)
    for name in ("status", "error", "equal", "hash", "differing"):
        made[name] = results[name]
    made["height"] = results["shape"] >> 16
    made["width"] = results["shape"] & 0xFFFF
    return made


def steps_of(results: npt.NDArray[Any]) -> tuple[int, npt.NDArray[np.int64]]:
    """The steps of results that the native engine has made, in all and one by one."""
    each = results["steps"].astype(np.int64)
    return int(each.sum()), each


def valueless(status: Status, equal: npt.NDArray[Any], areas: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Records of evaluations without a value, given what is known of their expected outputs."""
    made = np.zeros(len(equal), RECORD_TYPE)
    made["status"] = status
    made["equal"] = equal
    made["differing"] = areas
    return made
