"""Launch the kernels of states on a GPU: one op for candidates of many tasks. Knows no state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.bytecode.abi import FRAME_BYTES, STATE_ROW, STATE_SEGMENT, STATES_LAUNCH
from batt.bytecode.table import STANDARD
from batt.ops import Op
from batt.runtime.cuda import kernels
from batt.runtime.cuda.columns import ANY_OP, BLOCK_THREADS, ONE_OP, ColumnForm, ColumnLauncher, form_of, op_options
from batt.runtime.cuda.pool import Pooled
from batt.runtime.cuda.resources import Handle, Kernel, Stream
from batt.runtime.native import Budget

LAUNCH_TYPE, ROW_TYPE, SEGMENT_TYPE = STATES_LAUNCH.dtype, STATE_ROW.dtype, STATE_SEGMENT.dtype
ENTRY = "batt_states"
SOURCE = "states.cu"
VALUE_BYTES = 16
FIRST_BYTES = 512
"""Memory for the value of a row, if nothing is known yet."""
STREAMS, MACHINES = 6, 3
"""The streams of launches: the last rows of an op leave most of a GPU to the next one. The first `MACHINES` of them run
ops that call functions.
"""


@dataclass(frozen=True, slots=True)
class OpLaunch:
    """The rows of one op: which they are, where the arguments of their candidates begin, and their segments."""

    op: Op
    first_row: int
    count: int
    first_argument: int
    first_segment: int
    segments: int


@dataclass(frozen=True, slots=True)
class StatesMemory:
    """The addresses of what launches read and write."""

    table: int
    arguments: int
    segments: int
    values: int
    rows: int
    store: int
    store_bytes: int


@dataclass(frozen=True, slots=True)
class RunningLaunches:
    """Launches that are queued: their number, what they count, and marks in the streams behind them."""

    count: int
    counted: Pooled
    marks: list[Handle]


@dataclass(slots=True)
class _Lane:
    """A stream with the arenas of its launches."""

    stream: Stream
    form: ColumnForm
    arenas: Pooled
    blocks: int


class PinnedArray:
    """Pinned memory of a device that grows and is used again: copies from and to other memory are slower."""

    def __init__(self, columns: ColumnLauncher, dtype: Any) -> None:
        self._columns = columns
        self._dtype = np.dtype(dtype)
        self._kept = columns.device.pinned(self._dtype, 1)

    def take(self, count: int) -> npt.NDArray[Any]:
        """Return an array of `count` items with undefined content; it is valid until the next one is taken."""
        if len(self._kept.array) < count:
            self._kept.close()
            self._kept = self._columns.device.pinned(self._dtype, count + count // 8)
        return self._kept.array[:count]


class StatesLauncher:
    """The kernels of states on the GPU of a launcher of columns, with streams, arenas and pinned memory of their own.

    `row_bytes` is about what the value of a row takes.
    """

    def __init__(self, columns: ColumnLauncher) -> None:
        self.columns = columns
        self._source = kernels.source(SOURCE)
        self._kernels: dict[tuple[str, ...], Kernel] = {}
        self._lanes: list[_Lane] = []
        self.rows = PinnedArray(columns, ROW_TYPE)
        self.arguments, self.kept = PinnedArray(columns, np.uint32), PinnedArray(columns, np.uint32)
        self.row_bytes = float(FIRST_BYTES)

    def kernel(self, op: Op) -> Kernel:
        """Return the kernel of an op; compile it if it is not cached."""
        form = form_of(op)
        options = op_options(op, form)
        if options not in self._kernels:
            name = "ops that call functions" if form is ANY_OP else op.name
            what = f"the GPU kernel of states of {name}"
            columns = self.columns
            self._kernels[options] = kernels.load(columns.device, options, columns.tell, ENTRY, self._source, what)
        return self._kernels[options]

    def prepare(self, ops: Iterable[Op], threads: int) -> None:
        """Load the kernels of ops; compile those that are not cached, several at a time."""
        wanted = {op_options(op, form_of(op)): op for op in ops}
        missing = [options for options in wanted if options not in self._kernels]
        if missing:
            columns = self.columns
            what = "GPU kernels of states"
            kernels.compile_missing(columns.device, missing, self._source, columns.tell, what, threads)
        for options in missing:
            self.kernel(wanted[options])

    def begin(
        self, launches: Sequence[OpLaunch], memory: StatesMemory, budget: Budget, is_again: bool = False
    ) -> RunningLaunches:
        """Queue all launches; what they read is there already."""
        device, columns = self.columns.device, self.columns
        counted = columns.pool.take(8 * (1 + 2 * len(launches)))
        device.clear(counted.buffer, columns.stream)
        device.synchronize(columns.stream)
        lanes = self._open_lanes()
        chosen = [lanes[number] for number in _dealt([form_of(each.op) is ANY_OP for each in launches], lanes)]
        records = _records(launches, memory, chosen, budget, is_again)
        records["taken"] = counted.address + 8 + 16 * np.arange(len(launches), dtype=np.uint64)
        records["stored"] = counted.address
        for record, each, lane in zip(records, launches, chosen, strict=True):
            blocks = min(lane.blocks, -(-each.count // BLOCK_THREADS))
            device.launch(self.kernel(each.op), blocks, BLOCK_THREADS, record, lane.stream)
        return RunningLaunches(len(launches), counted, [device.mark(lane.stream) for lane in lanes])

    def end(self, running: RunningLaunches) -> tuple[int, npt.NDArray[np.bool_]]:
        """Wait for launches. Return the bytes that their values take, and which of them deferred rows."""
        for each in running.marks:
            self.columns.device.wait(each)
            each.close()
        counts = np.zeros(1 + 2 * running.count, np.uint64)
        self.columns.download(counts, running.counted)
        return int(counts[0]), counts[2::2] > 0

    def _open_lanes(self) -> list[_Lane]:
        if not self._lanes:
            device, pool = self.columns.device, self.columns.pool
            room = pool.allowed() // (2 * STREAMS)
            for number in range(STREAMS):
                form = ANY_OP if number < MACHINES else ONE_OP
                block_bytes = BLOCK_THREADS * (form.arena_bytes + form.frame_room * FRAME_BYTES)
                blocks = min(max(1, room // block_bytes), device.info.sms * form.per_sm // BLOCK_THREADS)
                self._lanes.append(_Lane(device.stream(), form, pool.take(blocks * block_bytes), blocks))
        return self._lanes


def _dealt(calls_functions: Sequence[bool], lanes: Sequence[_Lane]) -> list[int]:
    """Return the lane of each launch: in turn among those with the machine, or among the others."""
    machines, others = 0, 0
    found: list[int] = []
    for each in calls_functions:
        if each:
            found.append(machines % MACHINES)
            machines += 1
        else:
            found.append(MACHINES + others % (len(lanes) - MACHINES))
            others += 1
    return found


def _records(
    launches: Sequence[OpLaunch], memory: StatesMemory, lanes: Sequence[_Lane], budget: Budget, is_again: bool
) -> npt.NDArray[np.void]:
    """Return the arguments of launches, but for what they count."""
    made = np.zeros(len(launches), LAUNCH_TYPE)

    def column(values: Iterable[int]) -> npt.NDArray[np.uint64]:
        return np.fromiter(values, np.uint64, len(launches))

    made["table"] = memory.table
    made["arguments"] = column(memory.arguments + 4 * each.first_argument for each in launches)
    made["segments"] = column(memory.segments + SEGMENT_TYPE.itemsize * each.first_segment for each in launches)
    made["segment_count"] = column(each.segments for each in launches)
    made["values"] = column(memory.values + VALUE_BYTES * each.first_row for each in launches)
    made["rows"] = column(memory.rows + ROW_TYPE.itemsize * each.first_row for each in launches)
    made["count"] = column(each.count for each in launches)
    made["op"] = column(STANDARD.numbers[each.op] for each in launches)
    made["is_again"] = is_again
    made["memory"] = column(lane.arenas.address for lane in lanes)
    made["frames"] = column(lane.arenas.address + lane.blocks * BLOCK_THREADS * lane.form.arena_bytes for lane in lanes)
    made["lane_bytes"] = column(lane.form.arena_bytes for lane in lanes)
    made["frame_room"] = column(lane.form.frame_room for lane in lanes)
    made["value_room"] = column(lane.form.value_room for lane in lanes)
    made["store"], made["store_bytes"] = memory.store, memory.store_bytes
    made["ticks"] = column(lane.form.ticks for lane in lanes)
    made["budget_steps"], made["budget_max_items"], made["budget_work"] = budget.steps, budget.max_items, budget.work
    return made
