"""Columns by op on a GPU: values stay there as arguments of the next op, and are fetched when they are asked for.

A row that the GPU defers is computed on CPU threads and stays on the CPU. What a GPU that fails had is computed again
from the columns that were given.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from batt.bytecode.abi import Ended
from batt.ops import Op
from batt.runtime import Limits
from batt.runtime.context import MOST
from batt.runtime.cuda.columns import DEFERRED, STORED_BYTES, VALUE_BYTES, ColumnForm, ColumnLauncher, form_of
from batt.runtime.cuda.faults import CompileFailed, DeviceError, DeviceFailed, OutOfMemory, RefusedCubin
from batt.runtime.cuda.pool import Pooled
from batt.runtime.native import RESULT_TYPE, Budget
from batt.runtime.options import WORK
from batt.states.columns import ColumnSource, OpColumn, column_of, compute_column, new_column
from batt.states.native import PackedGrids
from batt.states.threads import KeptThreads

END_BYTES = 2
ROW_BYTES = VALUE_BYTES + END_BYTES + RESULT_TYPE.itemsize + 4
LEAST_ROWS = 1_024
"""The fewest rows for which a launch is made smaller if memory runs out."""
FIRST_BYTES = 64
"""Memory for the value of a row, at least, if nothing is known of the op."""
MARGIN = 1 << 16

Rows: TypeAlias = npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True, eq=False)
class Recipe:
    """The recipe of a column on a GPU, to make it again on the CPU."""

    op: Op
    arguments: tuple[Recipe | OpColumn, ...]
    limits: Limits
    defer: bool

    def compute(self, threads: KeptThreads) -> OpColumn:
        """Compute the column on CPU threads."""
        arguments = [each.compute(threads) if isinstance(each, Recipe) else each for each in self.arguments]
        return compute_column(self.op, arguments, threads, self.limits, self.defer)


class DeviceColumn:
    """A value for each row on a GPU, or why there is none. `rest` has the rows `deferred`, computed on the CPU.

    It can do what an OpColumn can; values and results are fetched when they are first asked for.
    """

    def __init__(self, owner: DeviceColumns, rows: int, recipe: Recipe | OpColumn) -> None:
        self.owner = owner
        self.rows = rows
        self.recipe = recipe
        self.memory = owner.launcher.pool.take(rows * ROW_BYTES)
        self.stores: list[Pooled] = []
        self.bytes = 0
        self.deferred: Rows = np.zeros(0, np.uint32)
        self.rest: OpColumn | None = None

    def __len__(self) -> int:
        return self.rows

    def __repr__(self) -> str:
        failed = int((self.results["status"] != Ended.OK).sum())
        return f"<DeviceColumn | {self.rows:,} rows | {failed:,} failed>"

    @property
    def ends_at(self) -> int:
        """Return the offset of how rows ended; values come before."""
        return self.rows * VALUE_BYTES

    @property
    def results_at(self) -> int:
        """Return the offset of the results."""
        return -(-self.rows * (VALUE_BYTES + END_BYTES) // 16) * 16

    @property
    def argument(self) -> tuple[int, int, int]:
        """Return the addresses of values and ends, and the stride."""
        address = self.memory.address
        return address, address + self.ends_at, int(self.rows > 1)

    @cached_property
    def results(self) -> npt.NDArray[Any]:
        """Return the status, the error, the hash and the steps of each row."""
        if isinstance(self.recipe, OpColumn):
            return self.recipe.results
        found = np.zeros(self.rows, RESULT_TYPE)
        try:
            self.owner.launcher.download(found, self.memory, self.results_at)
        except DeviceError as error:
            self.owner.lose(error)
            return self.fetched.results
        if self.rest is not None:
            found[self.deferred] = self.rest.results
        return found

    @cached_property
    def fetched(self) -> OpColumn:
        """Return the column in the memory of the CPU."""
        if isinstance(self.recipe, OpColumn):
            return self.recipe
        if self.owner.lost is None:
            try:
                return self.picked(np.arange(self.rows, dtype=np.uint32))
            except DeviceError as error:
                self.owner.lose(error)
        return self.recipe.compute(self.owner.threads)

    @property
    def in_python(self) -> dict[int, Any]:
        """Return the values that native code does not hold, by row."""
        return self.fetched.in_python

    @property
    def values(self) -> list[Any]:
        """Return the value of each row, or a Failed."""
        return self.fetched.values

    @property
    def grids(self) -> PackedGrids:
        """Return the values as packed grids; a row without a grid has the sides (0, 0)."""
        return self.fetched.grids

    def picked(self, rows: Rows) -> OpColumn:
        """Return some rows as a column in the memory of the CPU."""
        made = new_column(len(rows))
        made.results[:] = self.results[rows]
        if isinstance(self.recipe, OpColumn):
            made.take(self.recipe, rows, np.arange(len(rows), dtype=np.uint32))
            return made
        is_deferred = np.isin(rows, self.deferred)
        there = np.flatnonzero(~is_deferred & (made.results["status"] == Ended.OK))
        self.owner.fetch(self, rows[there], made, there.astype(np.uint32))
        if self.rest is not None:
            here = np.flatnonzero(is_deferred)
            made.take(self.rest, np.searchsorted(self.deferred, rows[here]), here.astype(np.uint32))
        return made


class DeviceColumns:
    """Computes columns on a GPU. `lost` says why it does not any more; `tell` gets a line for each such change."""

    def __init__(self, number: int, gpu_memory: float, threads: KeptThreads, tell: Callable[[str], object]) -> None:
        self.launcher = ColumnLauncher(number, gpu_memory, tell)
        self.threads = threads
        self.lost: str | None = None
        self._tell = tell
        self._placed: WeakKeyDictionary[OpColumn, DeviceColumn] = WeakKeyDictionary()
        self._row_bytes: dict[Op, float] = {}
        self._refused: set[Op] = set()

    def close(self) -> None:
        """Give back all memory of the GPU. Columns that are there are computed again if they are asked for."""
        if self.lost is None:
            self.lost = "the engine is closed"
        self.launcher.close()

    def lose(self, error: DeviceError) -> None:
        """Do not use a GPU that failed any more, and say so once. One that is out of memory is still used."""
        if isinstance(error, OutOfMemory):
            self._tell(f"{error}; a column is computed again on the CPU")
        elif self.lost is None:
            self.lost = str(error)
            self._tell(f"{error}; continuing on the CPU")

    def compute(
        self, op: Op, columns: Sequence[OpColumn | DeviceColumn], rows: int, limits: Limits, defer: bool
    ) -> OpColumn | DeviceColumn:
        """Call an op for every row of its arguments, as `compute_column` does."""
        if self.lost is None and op not in self._refused and rows:
            try:
                return self._compute(op, columns, rows, limits, defer)
            except (CompileFailed, RefusedCubin) as error:
                self._refused.add(op)
                self._tell(f"{error}; {op.name} runs on the CPU")
            except OutOfMemory as error:
                self._tell(f"{error}; a column of {op.name} is computed on the CPU")
            except DeviceFailed as error:
                self.lose(error)
        return compute_column(op, [on_cpu(each) for each in columns], self.threads, limits, defer)

    def place(self, column: OpColumn | DeviceColumn) -> DeviceColumn:
        """Return a column on the GPU; upload it if it is not there."""
        if isinstance(column, DeviceColumn):
            return column
        found = self._placed.get(column)
        if found is None:
            found = self._placed[column] = self._upload(column)
        return found

    def fetch(self, column: DeviceColumn, rows: Rows, to: OpColumn, places: Rows) -> None:
        """Fetch the values of rows that are on the GPU, and keep them in a column of the CPU at `places`."""
        if not len(rows):
            return
        try:
            values, held = self.launcher.fetch(column.argument, rows)
        except OutOfMemory:
            if len(rows) <= LEAST_ROWS:
                raise
            half = len(rows) // 2
            self.fetch(column, rows[:half], to, places[:half])
            self.fetch(column, rows[half:], to, places[half:])
        else:
            to.put(values, places, held)

    def _compute(
        self, op: Op, columns: Sequence[OpColumn | DeviceColumn], rows: int, limits: Limits, defer: bool
    ) -> DeviceColumn:
        form = form_of(op)
        self.launcher.kernel(op, form)
        placed = [self.place(each) for each in columns]
        made = DeviceColumn(self, rows, Recipe(op, tuple([each.recipe for each in placed]), limits, defer))
        budget = Budget(min(limits.steps, MOST), min(limits.max_items, MOST), WORK)
        deferred = self._run(op, form, placed, made, budget)
        if deferred:
            found = np.zeros(deferred, np.uint32)
            self.launcher.download(found, made.memory, made.results_at + rows * RESULT_TYPE.itemsize)
            made.deferred = np.sort(found)
            self._defer(op, placed, made, limits, defer)
        return made

    def _run(self, op: Op, form: ColumnForm, placed: Sequence[DeviceColumn], made: DeviceColumn, budget: Budget) -> int:
        """Run all rows in launches, smaller ones if memory runs out; return how many rows are deferred."""
        at, block, deferred = 0, made.rows, 0
        while at < made.rows:
            count = min(block, made.rows - at)
            try:
                deferred = self._run_block(op, form, placed, made, budget, at, count, deferred)
            except OutOfMemory:
                if count <= LEAST_ROWS:
                    raise
                block = -(-count // 2)
                continue
            at += count
        return deferred

    def _run_block(
        self,
        op: Op,
        form: ColumnForm,
        placed: Sequence[DeviceColumn],
        made: DeviceColumn,
        budget: Budget,
        start: int,
        count: int,
        deferred: int,
    ) -> int:
        """Run rows from `start` on, again those for whose values the memory did not suffice."""
        pool, address = self.launcher.pool, made.memory.address
        given = max([each.bytes / each.rows for each in placed], default=0)
        wanted = int(count * self._row_bytes.get(op, max(FIRST_BYTES, 1.25 * given))) + MARGIN
        is_again, stores, total = 0, [], 0
        while True:
            store = pool.take(wanted)
            counts = self.launcher.launch(
                op, form, [each.argument for each in placed], budget, count, (0, 0, deferred),
                values=address, ends=address + made.ends_at, results=address + made.results_at,
                deferred=address + made.results_at + made.rows * RESULT_TYPE.itemsize,
                store=store.address, store_bytes=store.bytes, is_again=is_again, **{"from": start},
            )  # fmt: skip
            stores.append(store)
            used, deferred = counts[STORED_BYTES], counts[DEFERRED]
            total = max(total, used)
            if used <= store.bytes:
                break
            # In a second launch for the same rows, `used` is exactly what they need.
            wanted = used if is_again else used - store.bytes + MARGIN
            is_again = 1
        made.stores += stores
        made.bytes += total
        self._row_bytes[op] = 1.125 * total / count
        return deferred

    def _defer(self, op: Op, placed: Sequence[DeviceColumn], made: DeviceColumn, limits: Limits, defer: bool) -> None:
        """Compute deferred rows on the CPU."""
        first = np.zeros(1, np.uint32)
        arguments = [each.picked(first if each.rows == 1 else made.deferred) for each in placed]
        made.rest = compute_column(op, arguments, self.threads, limits, defer)

    def _upload(self, column: OpColumn) -> DeviceColumn:
        made = DeviceColumn(self, column.rows, column)
        size = column.freeze(0, None, None)
        values, data = np.zeros((column.rows, 2), np.uint64), np.zeros(size, np.uint8)
        store = self.launcher.pool.take(size)
        column.freeze(store.address, values, data)
        # What native code does not hold is on the CPU only.
        status = np.where(column.has_value, Ended.OK, column.results["status"])
        status = np.where(~column.has_value & (status == Ended.OK), Ended.UNSUPPORTED, status).astype(np.uint16)
        ends = status | column.results["error"].astype(np.uint16) << np.uint16(8)
        self.launcher.upload(data, store)
        self.launcher.upload(values, made.memory)
        self.launcher.upload(ends.astype(np.uint16), made.memory, made.ends_at)
        self.launcher.device.synchronize(self.launcher.stream)
        made.stores.append(store)
        made.bytes = size
        return made


def given_column(given: ColumnSource | DeviceColumn) -> OpColumn | DeviceColumn:
    """Return a column as it is, or make one as `column_of` does."""
    return given if isinstance(given, DeviceColumn) else column_of(given)


def on_cpu(column: OpColumn | DeviceColumn) -> OpColumn:
    """Return a column in the memory of the CPU."""
    return column if isinstance(column, OpColumn) else column.fetched
