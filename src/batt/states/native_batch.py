"""Calls on the states of many tasks in native memory: the Python side of native/states/batch_api.h."""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import byref
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from batt.bytecode.abi import STATE_PART, STATE_ROW
from batt.errors import InternalError, UsageError
from batt.runtime.native import Budget, NativeWorker, library
from batt.states.native import NO_ROOM, Calls, Handles, NativeStates

PART_TYPE, ROW_TYPE = STATE_PART.dtype, STATE_ROW.dtype
Parts: TypeAlias = npt.NDArray[np.void]


@dataclass(frozen=True, slots=True, eq=False)
class BatchCalls:
    """Calls on the states of many tasks, task by task: what is called, and what became of each candidate.

    A part is a run of candidates of one task, whose set is one of `sets`.
    """

    sets: Sequence[NativeStates]
    calls: Calls
    made: npt.NDArray[np.void]

    def parts(self, counts: npt.NDArray[np.int64]) -> Parts:
        """Return the parts of tasks that have as many candidates each; tasks without candidates have none."""
        used = np.flatnonzero(counts)
        made = np.zeros(len(used), PART_TYPE)
        made["set"] = [self.sets[at].handle for at in used.tolist()]
        made["count"] = counts[used]
        made["start"] = (np.cumsum(counts) - counts)[used]
        return made

    def check(self, parts: Parts, may_be_away: bool) -> None:
        """Raise UsageError if a handle is out of range."""
        if not library().call(
            "batt_batch_check", *_at_parts(parts), _program(self.calls), self.calls.callees.ctypes.data,
            len(self.calls.callees), _at(self.calls.called), self.calls.arguments.ctypes.data, may_be_away,
        ):  # fmt: skip
            raise UsageError("a handle is not one of these states, or an op has too few arguments")

    def apply(self, parts: Parts, worker: NativeWorker, budget: Budget) -> None:
        """Evaluate and merge candidates on one thread."""
        done = library().call(
            "batt_batch_apply", *_at_parts(parts), worker.handle, _program(self.calls), *self._places,
            byref(budget), self.made.ctypes.data, byref(worker.stop),
        )  # fmt: skip
        _check_done(done, parts)

    def lay_out(self, parts: Parts, layout: RowLayout, counts_only: bool) -> None:
        """Count the candidates of each part and group; or give all of them their rows."""
        rows = None if counts_only else layout.rows.ctypes.data
        library().call(
            "batt_batch_lay_out", *_at_parts(parts), *self._places, layout.groups.ctypes.data,
            layout.candidates.shape[1], layout.candidates.ctypes.data, rows, _at(layout.argument_starts),
            _at(layout.arguments), _at(layout.first_rows),
        )  # fmt: skip

    def list_wanted(
        self, parts: Parts, rows: npt.NDArray[np.void], first_rows: Handles, marked: npt.NDArray[np.uint8]
    ) -> None:
        """List the states of each part whose values the CPU needs for what a GPU deferred of `marked` callees."""
        calls = self.calls
        places = _at(calls.called), *[each.ctypes.data for each in (calls.arguments, rows, first_rows, marked)]
        if not library().call("batt_batch_wanted", *_at_parts(parts), *places):
            raise MemoryError("not enough memory for states")

    def merge(
        self,
        parts: Parts,
        worker: NativeWorker,
        budget: Budget,
        rows: npt.NDArray[np.void],
        first_rows: Handles,
        kept: Handles,
    ) -> None:
        """Merge candidates that a GPU evaluated, and list the rows whose values it keeps."""
        done = library().call(
            "batt_batch_merge", *_at_parts(parts), worker.handle, *self._places, byref(budget), self.made.ctypes.data,
            rows.ctypes.data, first_rows.ctypes.data, kept.ctypes.data, byref(worker.stop),
        )  # fmt: skip
        _check_done(done, parts)

    @property
    def _places(self) -> tuple[Any, ...]:
        calls = self.calls
        return calls.callees.ctypes.data, _at(calls.called), calls.arguments.ctypes.data


@dataclass(slots=True, eq=False)
class RowLayout:
    """The layout of the rows of launches: by group, then by part, candidate and sample. A group is an op.

    `candidates` and `rows` have a row for each part and a column for each group.
    """

    groups: Handles
    candidates: Handles
    rows: Handles
    argument_starts: npt.NDArray[np.uint64] | None = None
    arguments: Handles | None = None
    first_rows: Handles | None = None

    def part(self, some: slice) -> RowLayout:
        """Return the layout of some parts."""
        places = self.argument_starts, self.arguments, self.first_rows
        return RowLayout(self.groups, self.candidates[some], self.rows[some], *places)


def place_parts(parts: Parts, first: int) -> None:
    """Number the values of new states on the GPU from `first` on."""
    library().call("batt_batch_place", *_at_parts(parts), first)


def want_states(states: NativeStates, handles: Handles) -> Parts:
    """Say which states of a set are wanted; return a part of that set."""
    if not library().call("batt_states_want", states.handle, handles.ctypes.data, len(handles)):
        raise MemoryError("not enough memory for states")
    made = np.zeros(1, PART_TYPE)
    made["set"], made["wanted"] = states.handle, len(handles)
    return made


def wanted_rows(parts: Parts, count: int) -> Handles:
    """Return the `count` rows of a GPU's table with the values that are wanted."""
    found = np.empty(count, np.uint32)
    library().call("batt_batch_wanted_rows", *_at_parts(parts), found.ctypes.data)
    return found


def bring_wanted(parts: Parts, values: npt.NDArray[np.uint64]) -> None:
    """Keep the values that are wanted, which were fetched."""
    if not library().call("batt_batch_bring", *_at_parts(parts), values.ctypes.data):
        raise MemoryError("not enough memory for states")


def freeze_parts(
    parts: Parts,
    base: int = 0,
    values: npt.NDArray[np.uint64] | None = None,
    data: npt.NDArray[np.uint8] | None = None,
    place: int = 0,
) -> tuple[int, int]:
    """Write the values of states that are not on a GPU for one; without `values`, only count.

    Return the number of values and the bytes of their parts.
    """
    rows = np.zeros(1, np.uint64)
    places = base, _at(values), _at(data), place, rows.ctypes.data
    size = int(library().call("batt_states_freeze", *_at_parts(parts), *places))
    if size == 2**64 - 1:
        raise MemoryError("not enough memory for states")
    return int(rows[0]), size


def restore_states(states: NativeStates, worker: NativeWorker, budget: Budget) -> None:
    """Evaluate again what is only on a GPU."""
    if not library().call("batt_states_restore", states.handle, worker.handle, byref(budget), byref(worker.stop)):
        if worker.stop.value:
            raise UsageError("the engine is closed")
        raise InternalError("a state that a GPU made cannot be made on the CPU, or there is not enough memory")


def _check_done(done: int, parts: Parts) -> None:
    if done == NO_ROOM:
        raise MemoryError("not enough memory to evaluate candidates")
    if done != len(parts):
        raise UsageError("the engine is closed")


def _at_parts(parts: Parts) -> tuple[int, int]:
    return parts.ctypes.data, len(parts)


def _program(calls: Calls) -> int | None:
    return None if calls.program is None else calls.program.handle


def _at(array: npt.NDArray[Any] | None) -> int | None:
    return None if array is None else array.ctypes.data
