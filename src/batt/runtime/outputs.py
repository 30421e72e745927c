"""Outputs of the native engine as JSON: the same text that the reference engine writes for the same value.

Values come as wire bytes. How large and how deep one is, is counted before it is built: building a set hashes its
items, which recurs as deep as they nest.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from batt.bytecode.opcodes import OPS_BY_NUMBER
from batt.bytecode.table import STANDARD, Table
from batt.bytecode.wire import HELPER, MADE, OP, read_value
from batt.types import Function
from batt.types.digest import NONE, SET, SMALL, TUPLE, WIDE
from batt.types.plain import MAX_DEPTH, MAX_NODES, as_json

_TEXTS = tuple([str(number) for number in range(SMALL)])
_DIGITS = b"0123456789" + bytes(246)
_TOO_LARGE = json.dumps({"larger than": MAX_NODES}, separators=(",", ":"))
_TOO_DEEP = json.dumps({"deeper than": MAX_DEPTH}, separators=(",", ":"))
_PAYLOADS = {WIDE: 8, NONE: 0, TUPLE: 4, SET: 4, OP: 4, MADE: 4, HELPER: 4}


def output_text(data: bytes, helpers: Sequence[Function], table: Table = STANDARD) -> str | None:
    """The value as compact JSON; None where only the reference engine, in a process of its own, can tell."""
    grid = _grid_text(data)
    if grid is not None:
        return grid
    weight, depth, safe = _measured(data)
    if weight > MAX_NODES:
        return _TOO_LARGE
    if depth > MAX_DEPTH:
        return _TOO_DEEP
    return json.dumps(as_json(read_value(data, helpers, table)), separators=(",", ":")) if safe else None


def _grid_text(data: bytes) -> str | None:
    """The text of a rectangle of small ints; None for anything else."""
    if len(data) < 10 or data[0] != TUPLE or data[5] != TUPLE:
        return None
    height, head = int.from_bytes(data[1:5], "little"), data[5:10]
    width = int.from_bytes(head[1:], "little")
    pitch = 5 + width
    if len(data) != 5 + height * pitch:
        return None
    rows: list[str] = []
    fits = 1 + height * (1 + width) <= MAX_NODES
    for at in range(5, len(data), pitch):
        cells = data[at + 5 : at + pitch]
        most = max(cells, default=0)
        if data[at : at + 5] != head or most >= SMALL:
            return None
        # A string joins by its characters, which is quickest where every cell is one.
        if fits:
            rows.append(",".join(cells.translate(_DIGITS).decode() if most < 10 else [_TEXTS[cell] for cell in cells]))
    return f"[[{'],['.join(rows)}]]" if fits else _TOO_LARGE


def _measured(data: bytes) -> tuple[int, int, bool]:
    """Weight and depth as `types.plain` counts them, and whether the functions in it are not too deep to be built.

    Counting ends as soon as the weight is too large.
    """
    weight = depth = at = 0
    safe = True
    # Parts that are still to come, for each container around the next one; and the level within a function's parts.
    missing: list[int] = []
    inside = 0
    while True:
        tag = data[at]
        size = 0 if tag < SMALL else _PAYLOADS[tag]
        number = int.from_bytes(data[at + 1 : at + 1 + size], "little")
        at += 1 + size
        if not inside:
            weight += 1
            if weight > MAX_NODES:
                return weight, depth, safe
        parts = number if tag in (TUPLE, SET) else OPS_BY_NUMBER[number].arity if tag == MADE else 0
        if tag in (TUPLE, SET):
            safe = safe and not (inside and len(missing) >= MAX_DEPTH)
            depth = depth if inside else max(depth, len(missing) + 1)
        if parts:
            missing.append(parts)
            if inside or tag == MADE:
                inside += 1
            continue
        while missing:
            missing[-1] -= 1
            if missing[-1]:
                break
            missing.pop()
            inside = max(inside - 1, 0)
        if not missing:
            return weight, depth, safe
