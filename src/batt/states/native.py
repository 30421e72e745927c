"""States in native memory: the Python side of native/states."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from ctypes import byref
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from batt.bytecode.abi import CANDIDATE
from batt.errors import InternalError, UsageError
from batt.runtime.native import Budget, Library, NativeProgram, NativeWorker
from batt.runtime.owned import Owned

CANDIDATE_TYPE = CANDIDATE.dtype
CALLEE_TYPE = np.dtype([("code", "<u4"), ("name", "<u4"), ("length", "<u4")])
DERIVATION_TYPE = np.dtype([("callee", "<u4"), ("length", "<u4"), ("arguments", "<u4", 6)])
SLICE = 1 << 31
"""Marks the number of a callee that is a program, not an op."""
GIVEN = 2**32 - 1
"""The callee of a state that was not made, but given."""
NO_STATE = 2**32 - 1
"""Stands for an argument that is missing."""
NO_ROOM = -2
"""The handle of a value for which there is no memory."""
AWAY = 1 << 31
"""Marks the place of values that are only on a GPU."""
MOST_ARGUMENTS = 6
"""The arguments of a callee: those of an op, or S, I and the parameters of a program."""

Handles: TypeAlias = npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True, eq=False)
class Calls:
    """Calls on states: callee `called[k]` of `callees` (or the first) on the states `arguments[k]`."""

    callees: npt.NDArray[np.void]
    called: Handles | None
    arguments: Handles
    program: NativeProgram | None = None

    def __len__(self) -> int:
        return len(self.arguments)

    def __getitem__(self, chosen: slice | npt.NDArray[np.int64]) -> Calls:
        called = None if self.called is None else self.called[chosen]
        return Calls(self.callees, called, self.arguments[chosen], self.program)


@dataclass(frozen=True, slots=True, eq=False)
class PackedGrids:
    """Grids as one array of cells: grid k has the sides `shapes[k]` and begins at `cells[starts[k]]`.

    A value that is not a grid of colours has the sides (0, 0).
    """

    cells: npt.NDArray[np.uint8]
    starts: npt.NDArray[np.uint64]
    shapes: npt.NDArray[np.uint16]

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, position: int) -> npt.NDArray[np.uint8]:
        """Return a grid as an array of two dimensions, which is a view."""
        height, width = map(int, self.shapes[position])
        start = int(self.starts[position])
        return self.cells[start : start + height * width].reshape(height, width)


class Evaluated(Owned):
    """Values of candidates that one thread evaluated, until they are merged."""

    def __init__(self, library: Library) -> None:
        self.handle = library.call("batt_evaluated_new")
        if not self.handle:
            raise UsageError("not enough memory to evaluate candidates")
        super().__init__(partial(library.call, "batt_evaluated_free", self.handle))


class NativeStates(Owned):
    """A set of distinct states in native memory. `fetch` brings values that are only on a GPU."""

    def __init__(self, library: Library, samples: int, most_bytes: int) -> None:
        self.library = library
        self.samples = samples
        self.fetch: Callable[[NativeStates, Handles], None] | None = None
        self.handle = library.call("batt_states_new", samples, most_bytes)
        if not self.handle:
            raise UsageError("not enough memory for states")
        super().__init__(partial(library.call, "batt_states_free", self.handle))

    def counts(self) -> tuple[int, int, int]:
        """Return the number of states, their bytes, and how many values were refused for lack of memory."""
        made = np.zeros(3, np.uint64)
        self.library.call("batt_states_count", self.handle, made.ctypes.data)
        size, used, refused = made.tolist()
        return size, used, refused

    def add(self, wires: Sequence[bytes], is_named: bool) -> int:
        """Add the state with these values and return its handle; NO_ROOM, or -1 if a value is not supported."""
        ends = np.cumsum([len(each) for each in wires], dtype=np.uint64)
        return int(self.library.call("batt_states_add", self.handle, b"".join(wires), ends.ctypes.data, is_named))

    def apply(
        self,
        worker: NativeWorker,
        calls: Calls,
        budget: Budget,
        made: npt.NDArray[np.void],
        evaluated: Evaluated | None = None,
    ) -> int:
        """Evaluate candidates into `made`, and merge them unless they are only to be `evaluated`.

        Return how many are done.
        """
        done = int(
            self.library.call(
                "batt_states_apply",
                *(self.handle, worker.handle, None if evaluated is None else evaluated.handle),
                None if calls.program is None else calls.program.handle,
                *(calls.callees.ctypes.data, len(calls.callees), _at(calls.called), calls.arguments.ctypes.data),
                *(len(calls), byref(budget), made.ctypes.data, byref(worker.stop)),
            )
        )
        if done == NO_ROOM:
            raise MemoryError("not enough memory to evaluate candidates")
        if done < 0:
            raise UsageError("a handle is not one of these states, or an op has too few arguments")
        return done

    def merge(self, calls: Calls, made: npt.NDArray[np.void], evaluated: Evaluated) -> None:
        """Give candidates that were evaluated the handles of their states."""
        places = calls.callees.ctypes.data, _at(calls.called), calls.arguments.ctypes.data
        if not self.library.call(
            "batt_states_merge", self.handle, evaluated.handle, *places, len(calls), made.ctypes.data
        ):
            raise MemoryError("not enough memory for states")

    def describe(self, handles: Handles) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.void], npt.NDArray[np.uint8]]:
        """Return the hashes by state and sample, the derivations and the kinds of states."""
        count = len(handles)
        hashes = np.zeros((count, self.samples), np.uint64)
        derivations, kinds = np.zeros(count, DERIVATION_TYPE), np.zeros(count, np.uint8)
        places = [each.ctypes.data for each in (hashes, derivations, kinds)]
        self.library.call("batt_states_describe", self.handle, handles.ctypes.data, count, *places)
        return hashes, derivations, kinds

    def bring(self, handles: Handles) -> None:
        """Make sure that the values of states are in the memory of the CPU."""
        if self.fetch is not None and self.elsewhere()[1]:
            known = np.unique(handles)
            known = known[known < self.counts()[0]]
            places = np.zeros(len(known), np.uint32)
            self.library.call("batt_states_places", self.handle, known.ctypes.data, len(known), places.ctypes.data)
            away = known[(places & AWAY) != 0]
            if len(away):
                self.fetch(self, away)

    def elsewhere(self) -> tuple[int, int]:
        """Return the number of states whose values are not on a GPU, and of those whose values are only there."""
        made = np.zeros(2, np.uint64)
        self.library.call("batt_states_elsewhere", self.handle, made.ctypes.data)
        unplaced, away = made.tolist()
        return unplaced, away

    def grids(self, handles: Handles) -> PackedGrids:
        """Return the values of states as grids, by state and then by sample."""
        self.bring(handles)
        count = len(handles) * self.samples
        shapes, starts = np.zeros((count, 2), np.uint16), np.zeros(count, np.uint64)
        cells = np.zeros(0, np.uint8)
        while True:
            places = handles.ctypes.data, len(handles), shapes.ctypes.data, starts.ctypes.data, cells.ctypes.data
            size = int(self.library.call("batt_states_grids", self.handle, *places, len(cells)))
            if size <= len(cells):
                return PackedGrids(cells, starts, shapes)
            cells = np.zeros(size, np.uint8)

    def shapes(self, handles: Handles) -> npt.NDArray[np.uint16]:
        """Return the sides of values that are grids, (0, 0) for others, by state and then by sample."""
        self.bring(handles)
        count = len(handles) * self.samples
        shapes, starts = np.zeros((count, 2), np.uint16), np.zeros(count, np.uint64)
        places = handles.ctypes.data, len(handles), shapes.ctypes.data, starts.ctypes.data
        self.library.call("batt_states_grids", self.handle, *places, None, 0)
        return shapes.reshape(len(handles), self.samples, 2)

    def wires(self, handles: Handles) -> list[bytes]:
        """Return the values of states as wire bytes, by state and then by sample."""
        self.bring(handles)
        ends, data = np.zeros(len(handles) * self.samples, np.uint64), np.zeros(1 << 16, np.uint8)
        while True:
            places = handles.ctypes.data, len(handles), ends.ctypes.data, data.ctypes.data
            size = int(self.library.call("batt_states_wires", self.handle, *places, len(data)))
            if size <= len(data):
                break
            data = np.zeros(size, np.uint8)
        if len(ends) and size != int(ends[-1]):
            raise InternalError("native code gives another number of bytes than it counts")
        starts = [0, *ends.tolist()]
        return [bytes(data[start:end]) for start, end in zip(starts, ends.tolist(), strict=False)]


def _at(array: npt.NDArray[Any] | None) -> int | None:
    return None if array is None else array.ctypes.data
