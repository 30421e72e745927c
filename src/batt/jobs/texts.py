"""Outputs as JSON text, which exports alone hold. Native code writes all but functions and ints beyond 64 bits."""

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
"""Characters of text that a byte comes to at most: `null,`. A tag of its own has more, `CHARS_OF_TAG`."""
CHARS_OF_TAG = 32
AT_ONCE_BYTES = 1 << 20
"""Wire bytes that native code is given at once, where one output has not more."""

_TAGS = {bytes([LARGER]): {"larger than": MAX_NODES}, bytes([DEEPER]): {"deeper than": MAX_DEPTH}, b"": None}


class _Printed(Function):
    """A function of which only the printed form is there."""

    __slots__ = ("arity", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self.arity = 0


def output_text(wire: bytes, functions: Functions) -> str:
    """An output as compact JSON; null where there is none."""
    if wire in _TAGS:
        return json.dumps(_TAGS[wire], separators=(",", ":"))
    value = read_grid(wire)
    if value is None:
        value = read_value(wire, functions.helpers, functions.table, _Printed)
    return json.dumps(as_json(value), separators=(",", ":"))


def output_texts(wires: Sequence[bytes], functions: Sequence[Functions]) -> list[str]:
    """The same for many outputs, by native code where it is there."""
    texts = [""] * len(wires) if missing() else _native_texts(wires)
    return [text or output_text(wire, own) for text, wire, own in zip(texts, wires, functions, strict=True)]


def _native_texts(wires: Sequence[bytes]) -> list[str]:
    """The texts of outputs, some at a time; empty where native code leaves one."""
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
