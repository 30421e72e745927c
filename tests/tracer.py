"""The tracer: the machine's hard parts as small programs, on the CPU engine and on a GPU, one thread each.

Tagged values, loops in loops whose bodies' results are moved out of released memory, calls whose target differs from
sample to sample, errors in some samples only, and arenas that are too small at first. Constants are limited to what
needs no memory of its own.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np

from batt.bytecode.image import HEADER_WORDS, ROUTINE_WORDS, Image
from batt.bytecode.opcodes import OP_NUMBERS
from batt.bytecode.wire import read_value
from batt.ops import Op

NATIVE = Path(__file__).parents[1] / "native"

PROGRAMS = {
    "kinds of value": """
        def solve(I):
            x1 = height(I)
            x2 = astuple(x1, ORIGIN)
            x3 = astuple(I, x2)
            x4 = insert(x3, initset(x1))
            x5 = insert(index(I, (30, 30)), x4)
            return combine(x5, palette(I))
        """,
    "loops in loops": """
        def solve(I):
            x1 = objects(I, T, T, F)
            x2 = lbind(apply, lbind(astuple, 3))
            x3 = compose(x2, toindices)
            x4 = apply(x3, x1)
            x5 = compose(rbind(mapply, x1), lbind(rbind, shift))
            x6 = corners(asindices(I))
            x7 = apply(x5, totuple(x6))
            x8 = apply(compose(rbind(apply, x6), lbind(rbind, astuple)), x7)
            return astuple(x4, x8)
        """,
    "targets by data": """
        def solve(I):
            x1 = astuple(vmirror, compose(hmirror, vmirror))
            x2 = repeat(rot90, 1)
            x3 = combine(x1, x2)
            x4 = combine(x3, repeat(fork(vconcat, identity, hmirror), 1))
            x5 = subtract(height(I), multiply(4, divide(height(I), 4)))
            x6 = interval(0, 4, 1)
            x7 = pair(x6, x4)
            x8 = extract(x7, matcher(first, x5))
            x9 = last(x8)
            return x9(I)
        """,
    "errors in some": """
        def solve(I):
            x1 = objects(I, T, F, T)
            x2 = sfilter(x1, matcher(size, 1))
            x3 = first(x2)
            x4 = compose(first, rbind(sfilter, even))
            x5 = apply(x4, I)
            return astuple(x3, x5)
        """,
    "much memory": """
        def solve(I):
            x1 = asindices(I)
            x2 = product(palette(I), x1)
            x3 = mapply(neighbors, x1)
            x4 = apply(lbind(recolor, 3), apply(neighbors, x1))
            return astuple(size(x2), astuple(x3, size(merge(x4))))
        """,
}
"""Some constants stand in lines of their own, since a tuple in the source would need memory."""


class DeviceImage:
    """An image as the kernel wants it: code, constants and routines, each one array."""

    def __init__(self, image: Image) -> None:
        words = np.frombuffer(image.words, np.uint32)
        constants, routines, slices, stages = (int(words[k]) for k in (5, 6, 7, 8))
        assert stages == 0
        at = HEADER_WORDS
        offsets = words[at : at + constants]
        at += constants
        rows = words[at : at + ROUTINE_WORDS * routines].reshape(routines, ROUTINE_WORDS)
        at += ROUTINE_WORDS * routines
        self.slices = words[at : at + slices].copy()
        self.code = words[at + slices :].copy()
        self.routines = np.zeros((routines, 8), np.uint32)
        self.routines[:, :7] = rows
        self.constants = b"".join([_constant(read_value(image.pool[int(offset) :])) for offset in offsets])


def _constant(value: Any) -> bytes:
    """A value that needs no memory, as the 16 bytes of native/core/value.h."""
    if value is None:
        return struct.pack("<IIQ", 0, 0, 0)
    if isinstance(value, int):
        return struct.pack("<IIq", 1, 0, value)
    if isinstance(value, Op):
        return struct.pack("<IIQ", 10, value.arity << 20 | OP_NUMBERS[value.name], 0)
    if isinstance(value, tuple) and len(value) == 2 and all(isinstance(each, int) for each in value):
        return struct.pack("<IIii", 2, 0, value[1], value[0])
    raise AssertionError(f"the tracer has no such constant: {value}")


TRACED = np.dtype(
    [("status", "<u4"), ("error", "<u4"), ("cause", "<u4"), ("shape", "<u4"), ("hash", "<u8"), ("steps", "<i8")]
)
EXTRA_BYTES = 64 * 144 + 1024 * 16
"""Frames and values of one thread, as native/cuda/tracer.cu lays them out."""
ARENA_FULL = 2


class Device:
    """The tracer's kernel on the first GPU."""

    def __init__(self, cupy: Any) -> None:
        self.cupy = cupy
        options = ("-std=c++17", f"-I{NATIVE / 'cuda'}")
        text = (NATIVE / "cuda" / "tracer.cu").read_text()
        self.kernel = cupy.RawModule(code=text, options=options).get_function("trace")

    def run(self, image: Image, slices: Any, grids: list[Any], arena_bytes: int, limits: tuple[int, int]) -> Any:
        """What comes of slice k on grid k, in arenas of that size."""
        cupy, count = self.cupy, len(grids)
        made = DeviceImage(image)
        cells = [np.array(grid, np.uint8) for grid in grids]
        starts = np.concatenate([[0], np.cumsum([each.size for each in cells])])
        pool = cupy.asarray(np.concatenate([each.ravel() for each in cells]))
        inputs = b"".join(
            [
                struct.pack("<IIQ", 5, each.shape[0] << 16 | each.shape[1], pool.data.ptr + int(start))
                for each, start in zip(cells, starts, strict=False)
            ]
        )
        parts = [cupy.asarray(np.frombuffer(data, np.uint8)) for data in (inputs, made.constants or bytes(16))]
        code, table = cupy.asarray(made.code), cupy.asarray(made.routines)
        program = struct.pack("<QQQ", code.data.ptr, parts[1].data.ptr, table.data.ptr)
        routines = cupy.asarray(made.slices[np.asarray(slices)])
        arena = cupy.empty(count * (arena_bytes + EXTRA_BYTES), cupy.uint8)
        stop, traced = cupy.zeros(1, cupy.uint32), cupy.zeros(count * TRACED.itemsize, cupy.uint8)
        program_argument = np.frombuffer(program, np.dtype([("p", "<u8", (3,))]))[0]
        args = (program_argument, routines, parts[0], np.uint32(count), arena, np.uint64(arena_bytes))
        self.kernel(((count + 63) // 64,), (64,), (*args, np.int64(limits[0]), np.int64(limits[1]), stop, traced))
        return cupy.asnumpy(traced).view(TRACED)
