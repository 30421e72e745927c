"""The numbers of ops and instructions, and the header that tells native code. Owns those numbers; all comes from the op
table, so that a new op gets its number, name, arity and cost in native code by being declared.

`native/generated/opcodes.h` is what `header()` returns; `make opcodes` writes it, and a test compares the two.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from enum import IntEnum

from batt.ir.interpreter import function_position
from batt.ops import OPS, Op, families
from batt.ops.meter import unit

OPS_BY_NUMBER: tuple[Op, ...] = tuple([each for members in families().values() for each in members])
OP_NUMBERS: dict[str, int] = {each.name: number for number, each in enumerate(OPS_BY_NUMBER)}

LOOPS = frozenset([name for name, each in OPS.items() if function_position(each) is not None])
"""Ops that call one function, again and again; LOOP runs them with a body in its place."""

CALLERS = LOOPS | {"rapply"}
"""Ops that call functions, which the machine runs; all others are kernels."""


class Code(IntEnum):
    """Instructions other than ops, which come first: a plain op is its number."""

    TUPLE = 1024
    LOOP = 1025
    REPEAT = 1026
    SELECT_TRUTH = 1027
    SELECT_NUMBER = 1028
    INVOKE = 1029
    COUNT = 1030
    CHARGE = 1031
    LIMIT = 1032
    RAISE = 1033
    RECHARGE = 1034
    RECHARGE_STAGE = 1035
    CALL = 1036
    RETURN = 1037


def cost_class(each: Op) -> str:
    """How an op is charged: by items, one step, or by a formula of its own."""
    return "ITEMS" if each.cost is None else "UNIT" if each.cost is unit else "OWN"


def table_digest() -> int:
    """32 bits that change with any number, name, arity or cost class: code built from another table is refused."""
    rows = [f"{number} {each.name} {each.arity} {cost_class(each)}" for number, each in enumerate(OPS_BY_NUMBER)]
    return zlib.crc32("\n".join([*rows, *[f"{code.name} {code.value}" for code in Code]]).encode())


def header() -> str:
    """The text of `native/generated/opcodes.h`."""
    families_defined = "\n".join(
        [family_rows(name, each, OP_NUMBERS[each[0].name]) for name, each in families().items()]
    )
    all_families = " ".join([f"BATT_OPS_{family}(X)" for family in (*families(), "own")])
    instructions = ", ".join([f"{code.name} = {code.value}" for code in Code])
    return f"""\
// Generated from the op table by `make opcodes`; do not edit.
// X(name, number, arity, cost class, kind) for every op, by family.
#pragma once
#include "../core/platform.h"

{families_defined}
#ifdef BATT_OWN_OPS
#include "batt_own_table.h"
#else
#define BATT_OPS_own(X)
#define BATT_OWN_COUNT 0
#define BATT_OWN_DIGEST 0
#endif
#define BATT_OPS(X) {all_families}

namespace batt {{

enum CostClass : u8 {{ COST_ITEMS, COST_UNIT, COST_OWN }};
enum OpKind : u8 {{ KERNEL, LOOP }};
enum Op : u32 {{{_rows("OP_##name = number,")}}};
constexpr u32 OP_COUNT = {len(OPS)} + BATT_OWN_COUNT;
constexpr u32 TABLE_DIGEST = 0x{table_digest():08x}u ^ BATT_OWN_DIGEST;
constexpr u32 MAX_ARITY = {max([each.arity for each in OPS_BY_NUMBER])};
namespace code {{ enum Code : u32 {{ {instructions} }}; }}

BATT_TABLE u8 OP_ARITY[] = {{{_rows("arity,")}}};
BATT_TABLE u8 OP_COST[] = {{{_rows("COST_##cost,")}}};
BATT_TABLE u8 OP_KIND[] = {{{_rows("kind,")}}};

BATT_FN const char* op_name(u32 op) {{
  switch (op) {{{_rows("case number: return #name;", indent="    ")}\
    default: return "";
  }}
}}

}}  // namespace batt
"""


def family_rows(name: str, members: Sequence[Op], first: int) -> str:
    """The X-macro of a family, whose numbers begin at `first`."""
    columns = [(each.name, at, each.arity, cost_class(each), _kind(each)) for at, each in enumerate(members, first)]
    rows = [f"  X({', '.join(map(str, row))})" for row in columns]
    return f"#define BATT_OPS_{name}(X) \\\n" + " \\\n".join(rows)


def _rows(row: str, indent: str = "  ") -> str:
    """One row for each op, by the X-macro."""
    return f"\n#define X(name, number, arity, cost, kind) {row}\n{indent}BATT_OPS(X)\n#undef X\n"


def _kind(each: Op) -> str:
    return "LOOP" if each.name in CALLERS else "KERNEL"
