"""Features of the parts of grids: a native table with a row for each part and a column for each feature."""

from __future__ import annotations

from ctypes import byref
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from batt.bytecode.features import FEATURES, FORMS
from batt.errors import UsageError
from batt.runtime.context import MOST
from batt.runtime.cpu.worker import ThreadWorker
from batt.runtime.native import Budget, library
from batt.runtime.options import WORK
from batt.runtime.owned import Owned
from batt.source import did_you_mean
from batt.states.columns import ColumnSource, column_of
from batt.states.threads import KeptThreads

MOST_PARTS = 1_000
"""The parts of a grid above which it is left out, unless the caller says otherwise."""
PACKED_PARTS = 2**15 - 1
"""The most parts that the numbers of `owners` can tell apart."""
GRIDS = 64
"""Grids that a thread takes apart in one call of native code."""

_NUMBERS = {name: number for number, name in enumerate(FEATURES)}


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """The features of the parts of grids: `features["size"]` is a column with an int for each part, grid by grid.

    The rows of grid k are `features.rows(k)`. `missing[k]` tells that it has none because it is no grid or has too many
    parts. `shapes` and `starts` say where `owners` has the cells of grid k.
    """

    form: str
    columns: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]
    missing: npt.NDArray[np.bool_]
    packed_owners: npt.NDArray[np.int16]
    starts: npt.NDArray[np.int64]
    shapes: npt.NDArray[np.uint16]

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the columns, in order."""
        return tuple(FEATURES)

    def __len__(self) -> int:
        return int(self.columns.shape[1])

    def __getitem__(self, name: str) -> npt.NDArray[np.int64]:
        """Return the column of a feature."""
        if name not in _NUMBERS:
            raise UsageError(f"unknown feature {name!r}{did_you_mean(name, FEATURES)}")
        column: npt.NDArray[np.int64] = self.columns[_NUMBERS[name]]
        return column

    def rows(self, grid: int) -> slice:
        """Return the rows of the parts of a grid."""
        return slice(int(self.ends[grid - 1]) if grid else 0, int(self.ends[grid]))

    @property
    def grids(self) -> npt.NDArray[np.int64]:
        """Return the position of the grid of each row."""
        return np.repeat(np.arange(len(self.ends)), np.diff(self.ends, prepend=0))

    def owners(self, grid: int) -> npt.NDArray[np.int16]:
        """Return the `number` of the part that each cell of a grid is in, or -1: an array of the grid's shape."""
        height, width = map(int, self.shapes[grid])
        start = int(self.starts[grid])
        return self.packed_owners[start : start + height * width].reshape(height, width)

    def __repr__(self) -> str:
        return f"<Features {self.form} | {len(self):,} parts of {len(self.ends):,} grids | {len(FEATURES)} features>"


class _Table(Owned):
    """The rows of some grids in native memory."""

    def __init__(self, handle: int | None) -> None:
        if not handle:
            raise MemoryError("not enough memory for features, or the engine is closed")
        self.handle = handle
        super().__init__(partial(library().call, "batt_features_free", handle))

    def counts(self) -> tuple[int, int]:
        """Return the number of rows, and of cells of all grids."""
        made = np.zeros(2, np.uint64)
        library().call("batt_features_count", self.handle, made.ctypes.data)
        rows, cells = made.tolist()
        return rows, cells


def compute_features(grids: ColumnSource, form: str, threads: KeptThreads, most_parts: int = MOST_PARTS) -> Features:
    """Return the features of the parts of grids: a column, packed grids or a list of grids."""
    if form not in FORMS:
        raise UsageError(f"unknown form {form!r}{did_you_mean(form, FORMS)}: {', '.join(FORMS)}")
    if not 0 <= most_parts <= PACKED_PARTS:
        raise UsageError(f"at most {PACKED_PARTS:,} parts of a grid, got {most_parts:,}")
    column = column_of(grids)
    shapes = column.grids.shapes
    budget = Budget(MOST, MOST, WORK)
    starts = range(0, len(column), GRIDS)

    def work(worker: ThreadWorker, start: int) -> _Table:
        worker.native.stop.value = 0
        places = worker.native.handle, column.handle, start, min(GRIDS, len(column) - start)
        limits = FORMS.index(form), most_parts, byref(budget), byref(worker.native.stop)
        return _Table(library().call("batt_features_new", *places, *limits))

    return _joined(form, threads.map(work, starts) if len(starts) else [], shapes)


def _joined(form: str, tables: list[_Table], shapes: npt.NDArray[np.uint16]) -> Features:
    """Copy the tables of all parts into one."""
    counts = np.array([each.counts() for each in tables], np.int64).reshape(-1, 2)
    first_rows, first_cells = (np.cumsum(counts, axis=0) - counts).T.tolist()
    rows, cells = counts.sum(axis=0).tolist()
    columns = np.zeros((len(FEATURES), rows), np.int64)
    ends, missing = np.zeros(len(shapes), np.int64), np.zeros(len(shapes), np.bool_)
    owners = np.zeros(cells, np.int16)
    for place, table in enumerate(tables):
        some = slice(place * GRIDS, (place + 1) * GRIDS)
        written = ends[some], missing[some], owners[first_cells[place] :]
        library().call(
            "batt_features_read",
            *(table.handle, columns.ctypes.data, rows, first_rows[place]),
            *[each.ctypes.data for each in written],
        )
        ends[some] += first_rows[place]
        table.close()
    sizes = shapes.astype(np.int64).prod(axis=1)
    return Features(form, columns, ends, missing, owners, np.cumsum(sizes) - sizes, shapes)
