"""Ways to write an expression in everyday Python, for random programs."""

from __future__ import annotations

from batt.check.ways import (
    ANY,
    BOOL,
    CELL,
    GRID,
    INDICES,
    INT,
    OBJECT,
    PAIR,
    Fn,
    Many,
    Type,
    Way,
    fits,
    primitives,
)
from batt.types import Kind

LAMBDA = "(lambda"


def forms(kind: Kind) -> list[Way]:
    """Return ways to make data by forms of everyday Python."""
    compared = ("==", "!=", "<", "<=", ">", ">=")
    found: dict[Kind, list[Way]] = {
        INT: [
            *[("({} " + sign + " {})", (INT, INT)) for sign in ("+", "-", "//", "%")],
            *[
                ("({} * TWO)", (INT,)),
                ("(-{})", (INT,)),
                ("{}[0]", (PAIR,)),
                ("{}[-1]", (PAIR,)),
                ("{}[-1][0]", (GRID,)),
            ],
        ],
        BOOL: [
            *[("({} " + sign + " {})", (each, each)) for sign in compared for each in (INT, PAIR, INDICES)],
            ("(not {})", (ANY,)),
        ],
        PAIR: [("({}[1], {}[0])", (PAIR, PAIR)), ("tuple({})", (PAIR,))],
        GRID: [("({} + {})", (GRID, GRID)), ("({} * TWO)", (GRID,)), ("(TWO * {})", (GRID,)), ("tuple({})", (GRID,))],
        INDICES: [
            *[("({} - {})", (INDICES, INDICES)), ("frozenset({{{}, {}}})", (PAIR, PAIR))],
            ("frozenset({})", (Many(PAIR, False),)),
        ],
        OBJECT: [("({} - {})", (OBJECT, OBJECT)), ("frozenset(({}, {}))", (CELL, CELL))],
    }
    return found.get(kind, [])


def lambdas(param: Type, result: Type, a: Kind) -> list[Way]:
    """Return ways to write a lambda of one argument that reads names of its definition."""
    ways: list[Way] = [
        (f"{LAMBDA} v: identity({{}})(v))", (Fn((param,), result),)),
        (f"{LAMBDA} v: branch({{}}, {{}}, {{}}))", (BOOL, result, result)),
    ]
    ways += [(f"{LAMBDA} v: {name}(v, {{}}))", (a,)) for name in primitives((param, a), result)[:2]]
    ways += [(f"{LAMBDA} v: {name}({{}}, v))", (a,)) for name in primitives((a, param), result)[-2:]]
    if fits(INT, result):
        ways += [(f"{LAMBDA} v: v[0] + {{}})", (INT,))] if param is PAIR else []
        ways += [(f"{LAMBDA} v: {{}} - v % FIVE)", (INT,))] if param is INT else []
    if result is BOOL:
        ways.append((f"{LAMBDA} v: v == {{}})", (param,)))
    return ways
