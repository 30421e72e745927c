"""The numbers of ops and instructions, and the header that native code reads.

All comes from the op table: a new op gets its number, name, arity and cost in native code by being declared.

`native/generated/opcodes.h` is what `header()` returns; `make opcodes` writes it, and a test compares the two.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from enum import IntEnum
from functools import cache

from batt.bytecode.forms import MAX_OPERANDS, Form, Immediate, op_form
from batt.ir.interpreter import function_position
from batt.ops import OPS, WORDS, Op, families, groups
from batt.ops.meter import unit

FAMILIES = {name: members for group in groups() for name, members in families(group).items()}
"""Every family, those of the language first."""
OPS_BY_NUMBER: tuple[Op, ...] = tuple([each for members in FAMILIES.values() for each in members])
OP_NUMBERS: dict[str, int] = {each.name: number for number, each in enumerate(OPS_BY_NUMBER)}

LOOPS = frozenset([name for name, each in OPS.items() if function_position(each) is not None])
"""Ops that call one function again and again. LOOP runs them with a body in its place."""

CALLERS = LOOPS | {"rapply"}
"""Ops that call functions. The machine runs them; all others are kernels."""


class Code(IntEnum):
    """Instructions other than ops. The instruction of an op is its number. docs/bytecode.md explains them."""

    TUPLE = Form(1024, "", "x…", "`R[d] := (x…)`, for 1 step", pattern="tuple", in_leaf=True)
    LOOP = Form(
        1025,
        "op, r",
        "args…, captures…",
        "`R[d] := op(args…)` calling `item ↦ run(r, item, captures…)`; any loop op but `rapply`",
        listing="{op}[{bodies}]({operands})",
        pattern="{op}[{bodies}]",
        is_loop=True,
    )
    REPEAT = Form(
        1026,
        "r",
        "count, x, captures…",
        "`R[d] := x`, after `x := run(r, x, captures…)` count times",
        pattern="repeat[{bodies}]",
        kept=1,
        is_loop=True,
    )
    SELECT_TRUTH = Form(1027, "r0, r1", "p, x…", "`R[d] := run(p ? r0 : r1, x…)`", pattern="select[{bodies}]", kept=1)
    SELECT_NUMBER = Form(1028, "r0, r1…", "p, x…", "`R[d] := run(r[p], x…)`", pattern="select[{bodies}]", kept=1)
    INVOKE = Form(1029, "r", "x…", "`R[d] := run(r, x…)`", pattern="{bodies}")
    COUNT = Form(1030, "", "x", "`R[d] := x` where `power` accepts it as a count, else `power`'s error")
    CHARGE = Form(
        1031,
        "low, high",
        "x…",
        "takes high·2³² + low steps, and the items of the operands",
        listing="charge {steps}{items}",
        in_leaf=True,
    )
    LIMIT = Form(
        1032, "low, high", "", "over budget if one value may not have this many items", listing="limit {steps}"
    )
    RAISE = Form(
        1033,
        "kind",
        "",
        "ends in the error of that kind: 1 TypeError … 9 ZeroDivisionError",
        listing="raise {error}",
        pattern="raise",
    )
    RECHARGE = Form(1034, "", "", "takes the `N[n]` steps again", listing="charge N{counter}", in_leaf=True)
    RECHARGE_STAGE = Form(
        1035,
        "t",
        "",
        "takes the steps of `T[t]`, then ends as it ended where that was in an error",
        listing="charge T{first}",
    )
    CALL = Form(
        1036, "", "f, x…", "`R[d] := f(x…)`, whatever f is", listing="call {callee}({arguments})", pattern="call"
    )
    RETURN = Form(1037, "", "x", "the routine's value is x", listing="return {operands}", in_leaf=True)

    form: Form

    def __new__(cls, form: Form) -> Code:
        """Make the member of a record."""
        made = int.__new__(cls, form.number)
        made._value_ = form.number
        made.form = form
        return made


FORMS: dict[int, Form] = {
    **{number: op_form(number, each, each.name not in CALLERS) for number, each in enumerate(OPS_BY_NUMBER)},
    **{int(code): code.form for code in Code},
}
"""The record of every instruction, ops of the language included."""


def cost_class(each: Op) -> str:
    """Return how an op is charged: by items, one step, or by its own formula."""
    return "ITEMS" if each.cost is None else "UNIT" if each.cost is unit else "OWN"


@cache
def table_digest() -> int:
    """Return 32 bits that change with any number, name, arity or cost class, to refuse code from another table."""
    rows = [f"{number} {each.name} {each.arity} {cost_class(each)}" for number, each in enumerate(OPS_BY_NUMBER)]
    return zlib.crc32("\n".join([*rows, *[f"{code.name} {code.value}" for code in Code]]).encode())


def header() -> str:
    """Return the text of `native/generated/opcodes.h`."""
    families_defined = "\n".join([family_rows(name, each, OP_NUMBERS[each[0].name]) for name, each in FAMILIES.items()])
    instructions = " \\\n".join([_instruction_row(code) for code in Code])
    return f"""\
// Generated from the op table by `make opcodes`; do not edit.
// X(name, number, arity, cost class, kind) for every op, by family. For every other instruction X(name, number, what
// its first immediate is, least and most immediates, where routines begin among them, least and most operands, how many
// of these its routines do not get, whether it has a result, reads a counter, may stand in a leaf).
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
{_ops()}
#define BATT_INSTRUCTIONS(X) \\
{instructions}

namespace batt {{

enum CostClass : u8 {{ COST_ITEMS, COST_UNIT, COST_OWN }};
enum OpKind : u8 {{ KERNEL, LOOP }};
enum Op : u32 {{{_rows("OP_##name = number,")}}};
constexpr u32 OP_COUNT = {len(OPS_BY_NUMBER)} + BATT_OWN_COUNT;
constexpr u32 TABLE_DIGEST = 0x{table_digest():08x}u ^ BATT_OWN_DIGEST;
constexpr u32 MAX_ARITY = {max([each.arity for each in OPS_BY_NUMBER])};
constexpr u32 MAX_OPERANDS = {MAX_OPERANDS};
enum Immediate : u32 {{ {", ".join(["NO_IMMEDIATE", *_IMMEDIATES.values()])} }};
namespace code {{ enum Code : u32 {{
#define X(name, number, ...) name = number,
  BATT_INSTRUCTIONS(X)
#undef X
}}; }}

BATT_TABLE u8 OP_ARITY[] = {{{_rows("arity,")}}};
BATT_TABLE u8 OP_COST[] = {{{_rows("COST_##cost,")}}};
BATT_TABLE u8 OP_KIND[] = {{{_rows("kind,")}}};

BATT_INLINE const char* op_name(u32 op) {{
  switch (op) {{{_rows("case number: return #name;", indent="    ")}\
    default: return "";
  }}
}}

}}  // namespace batt
"""


def _ops() -> str:
    """Return the X-macros of all ops, and of those that a kernel is compiled with."""
    words = families(WORDS)
    every, others = [
        " \\\n  ".join([f"BATT_OPS_{name}(X)" for name in (*names, "own")])
        for names in (FAMILIES, [name for name in FAMILIES if name not in words])
    ]
    return f"""\
#define BATT_OPS(X) \\
  {every}
// The ops that a kernel is compiled with: new words take room in an SM's instruction cache, and few programs use them.
#if defined(__CUDACC__) && !defined(BATT_NEW_WORDS)
#define BATT_COMPILED_OPS(X) \\
  {others}
#else
#define BATT_COMPILED_OPS(X) BATT_OPS(X)
#endif"""


def family_rows(name: str, members: Sequence[Op], first: int) -> str:
    """Return the X-macro of a family whose numbers begin at `first`."""
    columns = [(each.name, at, each.arity, cost_class(each), _kind(each)) for at, each in enumerate(members, first)]
    rows = [f"  X({', '.join(map(str, row))})" for row in columns]
    return f"#define BATT_OPS_{name}(X) \\\n" + " \\\n".join(rows)


_IMMEDIATES = {
    Immediate.OP: "LOOP_OP",
    Immediate.ROUTINE: "ROUTINE_NUMBER",
    Immediate.LOW: "STEPS",
    Immediate.ERROR: "ERROR_KIND",
    Immediate.ENTRY: "STAGE_ENTRY",
}
"""The names in native code of the kinds of a first immediate."""


def _instruction_row(code: Code) -> str:
    form = code.form
    first = _IMMEDIATES[form.first] if form.first else "NO_IMMEDIATE"
    flags = [str(each).lower() for each in (form.has_result, form.reads_counter, form.in_leaf)]
    columns = first, *form.immediate_bounds, form.routines_at, *form.operand_bounds, form.kept, *flags
    return f"  X({', '.join(map(str, (code.name, code.value, *columns)))})"


def _rows(row: str, indent: str = "  ") -> str:
    """Return one row for each op, by the X-macro."""
    return f"\n#define X(name, number, arity, cost, kind) {row}\n{indent}BATT_OPS(X)\n#undef X\n"


def _kind(each: Op) -> str:
    return "LOOP" if each.name in CALLERS else "KERNEL"
