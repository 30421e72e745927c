"""Launch the kernels of columns on a GPU: one op for many rows, and the packing of values. Knows no column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.bytecode.abi import COLUMN_LAUNCH, FRAME_BYTES
from batt.bytecode.opcodes import CALLERS
from batt.bytecode.table import STANDARD
from batt.errors import InternalError
from batt.ops import Op
from batt.runtime.context import MOST
from batt.runtime.cuda import kernels
from batt.runtime.cuda.device import Device
from batt.runtime.cuda.faults import OutOfMemory
from batt.runtime.cuda.pool import BufferPool, Pooled
from batt.runtime.cuda.resources import Kernel
from batt.runtime.native import Budget

LAUNCH_TYPE = COLUMN_LAUNCH.dtype
ENTRY, PACK_ENTRY = "batt_column", "batt_pack"
SOURCE = "column.cu"
BLOCK_THREADS = 128
"""The threads of a block, each of which runs one row."""
PLACES = ("first", "second", "third", "fourth")
"""The arguments of an op, as a launch names them."""
VALUE_BYTES = 16
TAKEN, STORED_BYTES, DEFERRED = range(3)
"""What a launch counts."""


@dataclass(frozen=True, slots=True)
class ColumnForm:
    """A form of the kernels, and what a launch gives each row: a thread, an arena, and time by the SM's clock.

    An SM runs `per_sm` rows at the same time.
    """

    options: tuple[str, ...]
    per_sm: int
    arena_bytes: int
    value_room: int = 0
    frame_room: int = 0
    ticks: int = 50_000_000


# Measured on an H200, 343,600 rows of ten ops: 1,024 rows on an SM are not faster and leave a quarter of the memory to
# each; a warp for each row takes 2.4 to 8 times as long as a thread.
ONE_OP = ColumnForm(("-DBATT_ONE_OP",), per_sm=256, arena_bytes=64 << 10)
ANY_OP = ColumnForm((), per_sm=256, arena_bytes=256 << 10, value_room=1024, frame_room=64)
"""The form for ops that call functions: one kernel with the whole machine."""


def form_of(op: Op) -> ColumnForm:
    """Return the form in which an op runs."""
    return ANY_OP if op.name in CALLERS else ONE_OP


def op_options(op: Op, form: ColumnForm) -> tuple[str, ...]:
    """Return the compiler's options for the kernel of an op."""
    number = "ANY_OP" if form is ANY_OP else STANDARD.numbers[op]
    return (*form.options, f"-DBATT_COLUMN_OP={number}")


PACK_OPTIONS = ("-DBATT_ONE_OP", "-DBATT_COLUMN_PACK")


class ColumnLauncher:
    """A GPU with the kernels of columns, a stream, arenas, and a pool of memory."""

    def __init__(self, number: int, gpu_memory: float, tell: kernels.Tell) -> None:
        self.device = Device(number)
        self.pool = BufferPool(self.device, gpu_memory)
        self.stream = self.device.stream()
        self.tell = tell
        self._source = kernels.source(SOURCE)
        self._kernels: dict[tuple[str, ...], Kernel] = {}
        self._arenas: Pooled | None = None
        self._counts = self.pool.take(24)

    def close(self) -> None:
        """Give back all memory."""
        self.device.close()

    def kernel(self, op: Op | None, form: ColumnForm) -> Kernel:
        """Return the kernel of an op, or that which packs values; compile it if it is not cached."""
        options = PACK_OPTIONS if op is None else op_options(op, form)
        if options not in self._kernels:
            what = "the GPU kernel that packs values" if op is None else f"the GPU kernel of {op.name}"
            if form is ANY_OP:
                what = "the GPU kernel of ops that call functions"
            entry = PACK_ENTRY if op is None else ENTRY
            self._kernels[options] = kernels.load(self.device, options, self.tell, entry, self._source, what)
        return self._kernels[options]

    def upload(self, array: npt.NDArray[Any], at: Pooled, offset: int = 0) -> None:
        """Copy an array to the device."""
        if array.nbytes:
            self.device.upload(at.buffer, array, self.stream, offset)

    def download(self, array: npt.NDArray[Any], at: Pooled, offset: int = 0) -> None:
        """Fill an array from the device, and wait for it."""
        if array.nbytes:
            self.device.download(array, at.buffer, self.stream, offset)
        self.device.synchronize(self.stream)

    def launch(
        self,
        op: Op | None,
        form: ColumnForm,
        arguments: Sequence[tuple[int, int, int]],
        budget: Budget,
        count: int,
        counts: Sequence[int],
        **fields: int,
    ) -> list[int]:
        """Call an op for `count` rows, or without an op pack them. Return what was counted, from `counts` on.

        An argument is the address of its values, that of its ends, and its stride.
        """
        kernel = self.kernel(op, form)
        arenas, blocks = self._arenas_for(form, count)
        told: dict[str, int] = dict.fromkeys(LAUNCH_TYPE.names or (), 0) | _argument_fields(arguments) | fields
        frames = blocks * BLOCK_THREADS * form.arena_bytes
        told |= {
            "count": count,
            "op": 0 if op is None else STANDARD.numbers[op],
            "memory": arenas.address,
            "lane_bytes": form.arena_bytes,
            "frames": arenas.address + frames,
            "frame_room": form.frame_room,
            "value_room": form.value_room,
            "counts": self._counts.address,
            "ticks": form.ticks,
            "budget_steps": budget.steps,
            "budget_max_items": budget.max_items,
            "budget_work": budget.work,
        }
        record = np.array([tuple([told[name] % (1 << 64) for name in LAUNCH_TYPE.names or ()])], _UNSIGNED)
        counted = np.array(counts, np.uint64)
        self.upload(counted, self._counts)
        self.device.launch(kernel, blocks, BLOCK_THREADS, record.view(LAUNCH_TYPE)[0], self.stream)
        self.download(counted, self._counts)
        return [int(each) for each in counted]

    def fetch(
        self, argument: tuple[int, int, int], rows: npt.NDArray[np.uint32]
    ) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint8]]:
        """Return the values of some rows of an argument, 16 bytes each, and the memory in which their parts lie."""
        count, budget = len(rows), Budget(MOST, MOST, MOST)
        listed, packed = self.pool.take(4 * count), self.pool.take(VALUE_BYTES * count)
        self.upload(np.ascontiguousarray(rows), listed)
        told = {"rows": listed.address, "values": packed.address}
        counts = self.launch(None, ONE_OP, [argument], budget, count, (0, 0, 0), **told)
        if counts[DEFERRED]:
            raise OutOfMemory(0, "", "a value is nested too deeply")
        size = counts[STORED_BYTES]
        # Values are aligned, and whole words of them are read.
        raw = np.empty(size + 32, np.uint8)
        offset = -raw.ctypes.data % 16
        data = raw[offset : offset + size]
        store = self.pool.take(size)
        told |= {"store": store.address, "store_bytes": store.bytes, "moved": data.ctypes.data - store.address}
        self.launch(None, ONE_OP, [argument], budget, count, (0, 0, 0), **told)
        values = np.zeros((count, 2), np.uint64)
        self.download(values, packed)
        self.download(data, store)
        return values, raw

    def keep(self, argument: tuple[int, int, int], rows: npt.NDArray[np.uint32], to: int, store: Pooled) -> None:
        """Copy the values of some rows to the address `to`, and their parts to a store that has room for them."""
        listed = self.pool.take(4 * len(rows))
        self.upload(rows, listed)
        told = {"rows": listed.address, "values": to, "store": store.address, "store_bytes": store.bytes}
        counts = self.launch(None, ONE_OP, [argument], Budget(MOST, MOST, MOST), len(rows), (0, 0, 0), **told)
        if counts[DEFERRED] or counts[STORED_BYTES] > store.bytes:
            raise InternalError("values take more memory than they were said to take")

    def _arenas_for(self, form: ColumnForm, rows: int) -> tuple[Pooled, int]:
        """Return the memory of the arenas of a launch, and its number of blocks."""
        block_bytes = BLOCK_THREADS * (form.arena_bytes + form.frame_room * FRAME_BYTES)
        wanted = min(self.device.info.sms * form.per_sm // BLOCK_THREADS, -(-rows // BLOCK_THREADS))
        kept = 0 if self._arenas is None else self._arenas.bytes // block_bytes
        if kept < wanted or self._arenas is None:
            self._arenas = None
            # At most half of the memory is for arenas, the rest for values.
            self.pool.trim()
            blocks = min(wanted, self.pool.allowed() // 2 // block_bytes)
            if not blocks:
                info = self.device.info
                raise OutOfMemory(info.number, info.name, f"out of memory, {block_bytes:,} bytes were requested")
            self._arenas = self.pool.take(blocks * block_bytes)
            return self._arenas, blocks
        return self._arenas, wanted


_UNSIGNED = np.dtype([(name, "<u8") for name in LAUNCH_TYPE.names or ()])


def _argument_fields(arguments: Sequence[tuple[int, int, int]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for place, (values, ends, stride) in zip(PLACES, arguments, strict=False):
        found |= {f"{place}_values": values, f"{place}_ends": ends, f"{place}_stride": stride}
    return found
