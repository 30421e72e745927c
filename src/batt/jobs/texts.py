"""Write outputs as JSON texts, for exports. Native code writes all but functions and ints beyond 64 bits."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from batt.bytecode.wire import DEEPER, LARGER, read_grid, read_value
from batt.runtime.native import library, missing
from batt.runtime.outputs import Functions
from batt.types import Function
from batt.types.plain import MAX_DEPTH, MAX_NODES, as_json

CHARS_OF_BYTE = 5
"""The most characters of text for one byte: `null,`. A lone tag has more, `CHARS_OF_TAG`."""
CHARS_OF_TAG = 32
AT_ONCE_BYTES = 1 << 20
"""Wire bytes for one call of native code, unless one output has more."""

_TAGS = {bytes([LARGER]): {"larger than": MAX_NODES}, bytes([DEEPER]): {"deeper than": MAX_DEPTH}, b"": None}


class PrintedFunction(Function):
    """A function of which only the printed form is known."""

    __slots__ = ("arity", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self.arity = 0


def output_text(wire: bytes, functions: Functions) -> str:
    """Return an output as compact JSON; null if there is none."""
    if wire in _TAGS:
        return json.dumps(_TAGS[wire], separators=(",", ":"))
    value = read_grid(wire)
    if value is None:
        value = read_value(wire, functions.helpers, functions.table, PrintedFunction)
    return json.dumps(as_json(value), separators=(",", ":"))


def output_texts(wires: Sequence[bytes], functions: Sequence[Functions]) -> list[str]:
    """Return many outputs as compact JSON, written by native code if it is available."""
    texts = [""] * len(wires) if missing() else _native_texts(wires)
    return [text or output_text(wire, own) for text, wire, own in zip(texts, wires, functions, strict=True)]


def _native_texts(wires: Sequence[bytes]) -> list[str]:
    """Write the texts of outputs, some at a time; empty for one that native code cannot write."""
    ends = np.cumsum([len(wire) for wire in wires], dtype=np.int64)
    cuts = np.flatnonzero(np.diff(ends // AT_ONCE_BYTES, prepend=0)).tolist()
    bounds = pairwise([0, *cuts, len(wires)])
    return [text for start, end in bounds for text in _written(wires[start:end])]


def _written(wires: Sequence[bytes]) -> list[str]:
    data = np.frombuffer(b"".join(wires), np.uint8)
    sizes = np.fromiter(map(len, wires), np.uint64, len(wires))
    ends = np.cumsum(sizes, dtype=np.uint64)
    made, text_ends = np.empty(CHARS_OF_BYTE * len(data) + CHARS_OF_TAG * len(wires), np.uint8), np.zeros_like(ends)
    if not library().write_json(data, ends - sizes, ends, made, text_ends):
        raise MemoryError
    bounds = [0, *text_ends.tolist()]
    text = made[: bounds[-1]].tobytes().decode("ascii")
    return [text[start:end] for start, end in pairwise(bounds)]
