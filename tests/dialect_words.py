"""The second dialect in plain Python: every word as its sentence says, on the values of the language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from batt.dsl import (
    cmirror,
    dmirror,
    hmirror,
    leftmost,
    llcorner,
    lowermost,
    lrcorner,
    objects,
    ofcolor,
    palette,
    rightmost,
    rot90,
    rot180,
    rot270,
    ulcorner,
    uppermost,
    urcorner,
    vmirror,
)
from batt.ops import CONSTANTS, OPS
from batt.types import ascending

Fn = Callable[..., Any]


def in_order(container: Any) -> tuple[Any, ...]:
    if not isinstance(container, tuple | frozenset):
        raise TypeError("no container")
    return container if isinstance(container, tuple) else ascending(container)


def at(items: tuple[Any, ...], rank: int) -> Any:
    """The item at a rank, negative from the end; past either end an error."""
    return items[rank]


def by_key(items: tuple[Any, ...], key: Fn, rank: int) -> Any:
    """At a rank in descending order: from the end in ascending order; ties keep their order from either end."""
    return sorted(items, key=key, reverse=True)[rank] if rank >= 0 else sorted(items, key=key)[-rank - 1]


def o_g(grid: Any, r: int) -> Any:
    return objects(grid, bool(r & 4), bool(r & 2), bool(r & 1))


def o_g_t(grid: Any, r: int) -> Any:
    return ascending(o_g(grid, r))


def p_g(element: Any) -> Any:
    return ascending(palette(element))


def second(container: Any) -> Any:
    return at(in_order(container), 1)


def difference_tuple(a: Any, b: Any) -> Any:
    return tuple([item for item in a if item not in b])


def get_nth(container: Any, rank: int) -> Any:
    return at(in_order(container), rank)


MIRRORS: list[Fn] = [hmirror, dmirror, vmirror, cmirror, rot90, rot180, rot270, lambda grid: grid]


def picked(functions: list[Fn]) -> Fn:
    def pick(piece: Any, number: Any) -> Any:
        return dict(enumerate(functions))[number](piece)

    return pick


def get_arg_rank(container: Any, function: Fn, rank: int) -> Any:
    return by_key(in_order(container), function, rank)


def get_val_rank(container: Any, function: Fn, rank: int) -> Any:
    # valmax and valmin take an empty container to hold a 0.
    return function(by_key(in_order(container) or (0,), function, rank))


def get_rank(container: Any, rank: int) -> Any:
    # maximum and minimum take an empty container to hold a 0.
    return by_key(in_order(container) or (0,), lambda item: item, rank)


def get_color_rank(element: Any, rank: int) -> Any:
    rows = element if isinstance(element, tuple) else [[colour for colour, _ in element]]
    counts = Counter([colour for row in rows for colour in row])
    return by_key(tuple(sorted(counts)), lambda colour: counts[colour], rank)


def get_common_rank(container: Any, rank: int) -> Any:
    counts = Counter(in_order(container))
    return by_key(ascending(counts), lambda item: counts[item], rank)


def collected(pairs: Any, which: int, function: Fn) -> list[Any]:
    return list(dict.fromkeys([item for pair in pairs for item in in_order(function(pair[which]))]))


def c_iz(S: Any, function: Fn) -> Any:
    found = collected(S, 0, function)
    return tuple([item for item in found if item not in collected(S, 1, function)])


def c_zo(S: Any, function: Fn) -> Any:
    found = collected(S, 1, function)
    return tuple([item for item in found if item not in collected(S, 0, function)])


def a_mr(S: Any) -> Any:
    fitting = [a for a in range(8) if all(MIRRORS[a](before) == after for before, after in S)]
    return fitting[0] if fitting else None


WORDS: dict[str, Fn] = {
    "o_g": o_g,
    "o_g_t": o_g_t,
    "p_g": p_g,
    "p_f": p_g,
    "second": second,
    "difference_tuple": difference_tuple,
    "get_nth_f": get_nth,
    "get_nth_t": get_nth,
    "f_ofcolor": ofcolor,
    "mir_rot_t": picked(MIRRORS),
    "mir_rot_f": picked(MIRRORS[:4]),
    "corner": picked([ulcorner, urcorner, llcorner, lrcorner]),
    "col_row": picked([lowermost, uppermost, leftmost, rightmost]),
    "get_rank": get_rank,
    "get_color_rank_t": get_color_rank,
    "get_color_rank_f": get_color_rank,
    **{f"get_arg_rank{suffix}": get_arg_rank for suffix in ("", "_t", "_f")},
    **{f"get_val_rank{suffix}": get_val_rank for suffix in ("", "_t", "_f")},
    **{f"get_common_rank{suffix}": get_common_rank for suffix in ("", "_t", "_f")},
    "c_iz": c_iz,
    "c_zo": c_zo,
    "a_mr": a_mr,
    "ascell": lambda place, colour: (colour, place),
    "toij": lambda cell: cell[1],
    "celltuple": lambda places, colours: tuple([(c, ij) for ij, c in zip(places, colours, strict=False)]),
}
"""Every word of the table that is no suffix form of a primitive."""

RANKS = {
    **{f"{letter}{number}": number for letter in "FRA" for number in range(10)},
    **{f"L{number}": -number for number in range(1, 11)},
}
COLOURS = {
    "BLACK": 0, "BLUE": 1, "RED": 2, "GREEN": 3, "YELLOW": 4,
    "GREY": 5, "FUCHSIA": 6, "ORANGE": 7, "TEAL": 8, "BURGUNDY": 9,
}  # fmt: skip

FORMS: dict[str, Fn] = {
    "compose": lambda outer, inner: lambda x: outer(inner(x)),
    "chain": lambda h, g, f: lambda x: h(g(f(x))),
    "fork": lambda outer, a, b: lambda x: outer(a(x), b(x)),
    "matcher": lambda function, target: lambda x: function(x) == target,
    "lbind": lambda function, fixed: lambda *rest: function(fixed, *rest),
    "rbind": lambda function, fixed: lambda *rest: function(*rest, fixed),
}
"""Functions that make functions, of any Python functions."""

SUFFIXED: dict[str, Any] = {f"{name}{suffix}": op for name, op in OPS.items() for suffix in ("_t", "_f", "_i", "_o")}

NAMES: dict[str, Any] = {**OPS, **CONSTANTS, **SUFFIXED, **FORMS, **RANKS, **COLOURS, **WORDS}
"""All that an expression of the dialect may name, but S, I and C."""


def value_of(expression: str, S: Any, I: Any) -> Any:  # noqa: E741
    """What an expression of the dialect gives for a sample."""
    return eval(expression, {"__builtins__": {}}, {**NAMES, "S": S, "I": I})
