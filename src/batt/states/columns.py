"""Columns by op: one op over many argument tuples at once, with the outcomes that programs of one step have.

Values stay in native memory, and a column is an argument of the next op. Rows that native code does not support are
computed in Python, without a guard of time.
"""

from __future__ import annotations

from collections.abc import Sequence, Sized
from ctypes import byref, c_uint8, c_void_p
from functools import cached_property, partial
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from batt.bytecode.abi import Ended, Equality
from batt.bytecode.table import STANDARD
from batt.bytecode.wire import Unencodable
from batt.errors import InternalError, UsageError
from batt.jobs.values import as_value, failure, read_output
from batt.ops import Op
from batt.runtime import Limits, Status, outcome_of
from batt.runtime.batch import DistinctValues
from batt.runtime.context import MOST
from batt.runtime.cpu.worker import ThreadWorker
from batt.runtime.native import RESULT_TYPE, Budget, library
from batt.runtime.options import WORK
from batt.runtime.outcome import shape_of
from batt.runtime.owned import Owned
from batt.states.native import NO_ROOM, PackedGrids
from batt.states.threads import KeptThreads
from batt.types import fingerprint

ROWS = 4_096
"""Rows that a thread computes in one call of native code."""

ColumnSource: TypeAlias = "OpColumn | PackedGrids | npt.NDArray[Any] | list[Any] | Any"


class OpColumn(Owned):
    """A value for each row, in native memory, or why there is none. A column of one row stands for any number.

    `results` has the status, the error, the hash and the steps of each row; `in_python` the values of rows that native
    code does not support.
    """

    def __init__(self, handle: int | None, rows: int) -> None:
        if not handle:
            raise UsageError("native code does not support a value of the column, or there is not enough memory")
        self.handle = handle
        self.rows = rows
        self.results = np.zeros(rows, RESULT_TYPE)
        self.in_python: dict[int, Any] = {}
        self._held: list[Any] = []
        super().__init__(partial(library().call, "batt_column_free", handle))

    def __len__(self) -> int:
        return self.rows

    @property
    def grids(self) -> PackedGrids:
        """Return the values as packed grids; a row without a grid has the sides (0, 0)."""
        shapes, starts = np.zeros((self.rows, 2), np.uint16), np.zeros(self.rows, np.uint64)
        cells = np.zeros(0, np.uint8)
        while True:
            places = shapes.ctypes.data, starts.ctypes.data, cells.ctypes.data, len(cells)
            size = int(library().call("batt_column_read_grids", self.handle, *places))
            if size <= len(cells):
                return PackedGrids(cells, starts, shapes)
            cells = np.zeros(size, np.uint8)

    @cached_property
    def values(self) -> list[Any]:
        """Return the value of each row, or a Failed."""
        ends, data = np.zeros(self.rows, np.uint64), np.zeros(1 << 16, np.uint8)
        while True:
            places = ends.ctypes.data, data.ctypes.data, len(data)
            size = int(library().call("batt_column_read_wires", self.handle, *places))
            if size <= len(data):
                break
            data = np.zeros(size, np.uint8)
        found: list[Any] = []
        # Equal values are read once: they are immutable.
        read: dict[bytes, Any] = {}
        statuses, errors = self.results["status"].tolist(), self.results["error"].tolist()
        for row, (start, end) in enumerate(zip([0, *ends.tolist()], ends.tolist(), strict=False)):
            if statuses[row] != Status.OK:
                found.append(failure(Status(statuses[row]), errors[row]))
            elif row in self.in_python:
                found.append(self.in_python[row])
            else:
                wire = bytes(data[start:end])
                if wire not in read:
                    read[wire] = read_output(wire)
                found.append(read[wire])
        return found

    @property
    def has_value(self) -> npt.NDArray[np.bool_]:
        """Tell which rows have a value in native memory."""
        return self._native("batt_column_has_value", np.uint8, self.rows).astype(bool)

    def freeze(self, base: int, values: npt.NDArray[Any] | None, data: npt.NDArray[np.uint8] | None) -> int:
        """Write the values for a device, and their parts for the address `base`. Return the bytes of the parts."""
        places = [None if each is None else each.ctypes.data for each in (values, data)]
        size = int(library().call("batt_column_freeze", self.handle, base, *places))
        if size == 2**64 - 1:
            raise MemoryError("not enough memory for a column")
        return size

    def put(self, values: npt.NDArray[np.uint64], rows: npt.NDArray[np.uint32], held: Any) -> None:
        """Give some rows values, 16 bytes each, whose parts lie in what is `held`."""
        if not library().call("batt_column_put", self.handle, rows.ctypes.data, values.ctypes.data, len(rows)):
            raise InternalError("a row is not one of the column")
        self._held.append(held)

    def take(self, other: OpColumn, chosen: npt.NDArray[Any], rows: npt.NDArray[np.uint32]) -> None:
        """Give some rows the values of `chosen` rows of another column."""
        for place, row in zip(rows.tolist(), chosen.tolist(), strict=True):
            if row in other.in_python:
                self.in_python[place] = other.in_python[row]
        found = other.has_value[chosen]
        values = self._native_values(other)[chosen[found]]
        self.put(np.ascontiguousarray(values), np.ascontiguousarray(rows[found]), other)

    @staticmethod
    def _native_values(column: OpColumn) -> npt.NDArray[np.uint64]:
        return column._native("batt_column_values", np.uint64, 2 * column.rows).reshape(-1, 2)

    def _native(self, name: str, dtype: Any, count: int) -> npt.NDArray[Any]:
        """Return a view of an array in native memory."""
        size = np.dtype(dtype).itemsize * count
        if not size:
            return np.zeros(0, dtype)
        address = library().call(name, self.handle)
        return np.frombuffer((c_uint8 * size).from_address(address), dtype)

    def __repr__(self) -> str:
        failed = int((self.results["status"] != Ended.OK).sum())
        return f"<OpColumn | {self.rows:,} rows | {failed:,} failed>"


def column_of(given: ColumnSource) -> OpColumn:
    """Return a column of packed grids, of an array of ints, of a list with a value per row, or of one constant."""
    call = library().call
    if isinstance(given, OpColumn):
        return given
    if isinstance(given, PackedGrids):
        cells, starts, shapes = (np.ascontiguousarray(each) for each in (given.cells, given.starts, given.shapes))
        places = cells.ctypes.data, len(cells), starts.ctypes.data, shapes.ctypes.data
        return OpColumn(call("batt_column_grids", *places, len(given)), len(given))
    if isinstance(given, np.ndarray) and given.ndim == 1 and given.dtype.kind in "iub":
        ints = np.ascontiguousarray(given, np.int64)
        return OpColumn(call("batt_column_ints", ints.ctypes.data, len(ints)), len(ints))
    return column_of_values([as_value(each) for each in (given if isinstance(given, list) else [given])])


def column_of_values(values: Sequence[Any]) -> OpColumn:
    """Return a column of values of the language."""
    distinct = DistinctValues()
    try:
        wires = [distinct.wire(each) for each in values]
    except Unencodable as reason:
        raise UsageError(f"a column cannot hold {reason}") from None
    ends = np.cumsum([len(each) for each in wires], dtype=np.uint64)
    handle = library().call("batt_column_wires", b"".join(wires), ends.ctypes.data, len(wires))
    return OpColumn(handle, len(wires))


def new_column(rows: int, parts: int = 1) -> OpColumn:
    """Return a column without values, which threads compute in `parts` parts."""
    return OpColumn(library().call("batt_column_new", rows, parts), rows)


def common_rows(op: Op, columns: Sequence[Sized]) -> int:
    """Return the rows of a column of calls of an op; a column of one row stands for any number."""
    if len(columns) != op.arity:
        raise UsageError(f"{op.name} takes {op.arity} arguments, got {len(columns)}")
    lengths = {len(each) for each in columns} - {1}
    if len(lengths) > 1:
        raise UsageError(f"columns of different lengths: {', '.join(map(str, sorted(lengths)))} rows")
    return lengths.pop() if lengths else 1


def compute_column(
    op: Op, arguments: Sequence[ColumnSource], threads: KeptThreads, limits: Limits, defer: bool = True
) -> OpColumn:
    """Call an op for every row of its arguments, each within `limits`; with `defer`, in Python where that is needed."""
    columns = [column_of(each) for each in arguments]
    rows = common_rows(op, columns)
    starts = range(0, rows, ROWS)
    made = new_column(rows, len(starts))
    budget = Budget(min(limits.steps, MOST), min(limits.max_items, MOST), WORK)
    places = (c_void_p * max(1, len(columns)))(*[each.handle for each in columns])

    def work(worker: ThreadWorker, part: int) -> None:
        worker.native.stop.value = 0
        start, count = starts[part], min(ROWS, rows - starts[part])
        results = made.results[start:]
        done = library().call(
            "batt_column_call", made.handle, part, worker.native.handle, STANDARD.numbers[op], places,
            start, count, byref(budget), results.ctypes.data, byref(worker.native.stop),
        )  # fmt: skip
        if done == NO_ROOM:
            raise MemoryError("not enough memory for a column")
        if done != count:
            raise UsageError("the engine is closed")

    if rows:
        threads.map(work, range(len(starts)))
    _finish(op, columns, made, limits, defer)
    return made


def _finish(op: Op, columns: Sequence[OpColumn], made: OpColumn, limits: Limits, defer: bool) -> None:
    """Give rows with a failed argument its failure; with `defer`, compute what native code does not support."""
    for row in np.flatnonzero(made.results["status"] >= Ended.UNSUPPORTED).tolist():
        places = [0 if len(each) == 1 else row for each in columns]
        failed = [each.results[at] for each, at in zip(columns, places, strict=True) if each.results[at]["status"]]
        result = made.results[row]
        if failed:
            result["status"], result["error"], result["steps"] = failed[0]["status"], failed[0]["error"], 0
            continue
        if not defer:
            continue
        arguments = [each.values[at] for each, at in zip(columns, places, strict=True)]
        outcome = outcome_of(lambda: op(*arguments), limits)  # noqa: B023
        result["status"], result["error"], result["steps"] = outcome.status, outcome.error_number, outcome.steps
        result["cause"], result["equal"] = 0, Equality.UNKNOWN
        if outcome.status is Status.OK:
            made.in_python[row] = outcome.value
            height, width = shape_of(outcome.value)
            result["hash"], result["shape"] = fingerprint(outcome.value), height << 16 | width
