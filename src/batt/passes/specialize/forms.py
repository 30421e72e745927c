"""Order functions that are only known in part canonically, if what is known decides it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cmp_to_key

from batt.ir.graph import Builder, NodeKind
from batt.passes.specialize.values import (
    Closure,
    Data,
    Defined,
    Group,
    Mapped,
    NotFirstOrder,
    Primitive,
    Selection,
    Symbol,
    is_function,
)
from batt.types import canonical_key, form
from batt.types.functions import compare_forms, listed

UNLIMITED = 1 << 40


def canonical_items(symbols: Iterable[Symbol], builder: Builder) -> tuple[Symbol, ...]:
    """Return the items of a set that holds functions: each once, in canonical order."""
    alike: set[tuple[int, int]] = set()

    def compare(a: Symbol, b: Symbol) -> int:
        return _compare(a, b, builder, alike)

    pool = sorted(symbols, key=cmp_to_key(compare))
    return tuple([item for at, item in enumerate(pool) if at == 0 or compare(pool[at - 1], item) != 0])


def _compare(a: Symbol, b: Symbol, builder: Builder, alike: set[tuple[int, int]]) -> int:
    """Return -1, 0 or 1 by canonical order; raise NotFirstOrder if that depends on data.

    Pairs found alike are remembered: containers can hold the same part again and again, at every level.
    """
    if _is_same(a, b) or (id(a), id(b)) in alike:
        return 0
    found = _compare_kinds(a, b, builder, alike)
    if found == 0:
        alike.add((id(a), id(b)))
    return found


def _is_same(a: Symbol, b: Symbol) -> bool:
    return a is b or (isinstance(a, Data) and isinstance(b, Data) and a.node == b.node)


def _compare_kinds(a: Symbol, b: Symbol, builder: Builder, alike: set[tuple[int, int]]) -> int:
    ranks = _rank(a, builder), _rank(b, builder)
    if ranks[0] != ranks[1]:
        return -1 if ranks[0] < ranks[1] else 1
    if isinstance(a, Data) and isinstance(b, Data):
        keys = [canonical_key(builder.nodes[each.node].value) for each in (a, b)]
        return (keys[0] > keys[1]) - (keys[0] < keys[1])
    if isinstance(a, Group) and isinstance(b, Group):
        for x, y in zip(a.items, b.items, strict=False):
            found = _compare(x, y, builder, alike)
            if found:
                return found
        return (len(a.items) > len(b.items)) - (len(a.items) < len(b.items))
    if isinstance(a, Data) or isinstance(b, Data):
        raise NotFirstOrder("the order of a set depends on how much of a tuple is data")
    return compare_forms(a, b, lambda symbol: _pieces(symbol, builder), _is_same)


def _rank(symbol: Symbol, builder: Builder) -> int:
    """Return the rank of a symbol's kind in canonical order: ints, tuples, sets, None, functions."""
    if isinstance(symbol, Group):
        return 2 if symbol.is_set else 1
    if isinstance(symbol, Data):
        if not _is_constant(symbol, builder):
            raise NotFirstOrder("the order of a set depends on data")
        return canonical_key(builder.nodes[symbol.node].value)[0]
    if not is_function(symbol):
        raise NotFirstOrder("the order of a set depends on a choice between functions and data")
    return 4


def _pieces(symbol: Symbol, builder: Builder) -> list[Symbol | str]:
    """Return the printed form of a symbol, one level deep; raise NotFirstOrder if it depends on data."""
    match symbol:
        case Primitive():
            return [symbol.op.name]
        case Defined():
            return [symbol.helper.name]
        case Closure() if symbol.maker.name == "power" and not _is_constant(symbol.args[1], builder):
            raise NotFirstOrder("a count that is data may be 1, and then it does not show")
        case Closure():
            return [symbol.maker.name, *listed("(", symbol.args, ")")]
        case Group() if symbol.is_set:
            return listed("{", symbol.items, "}")
        case Group():
            return listed("(", symbol.items, ",)" if len(symbol.items) == 1 else ")")
        case Data() if _is_constant(symbol, builder):
            return [form(builder.nodes[symbol.node].value, UNLIMITED)]
        case Data() | Selection() | Mapped():
            raise NotFirstOrder("the order of functions depends on data")


def _is_constant(symbol: Symbol, builder: Builder) -> bool:
    return isinstance(symbol, Data) and builder.nodes[symbol.node].kind is NodeKind.CONST
