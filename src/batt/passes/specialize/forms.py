"""The canonical order of functions that are only known in part. Owns when that is enough to decide."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cmp_to_key

from batt.ir.graph import Builder, NodeKind
from batt.passes.specialize.values import (
    Closure,
    Data,
    Defined,
    Group,
    NotFirstOrder,
    Primitive,
    Selection,
    Symbol,
    is_function,
)
from batt.types import canonical_key, form

UNLIMITED = 1 << 40


def canonical_items(symbols: Iterable[Symbol], builder: Builder) -> tuple[Symbol, ...]:
    """The items of a set that holds functions: each once, in canonical order."""

    alike: set[tuple[int, int]] = set()

    def compare(a: Symbol, b: Symbol) -> int:
        return _compare(a, b, builder, alike)

    pool = sorted(symbols, key=cmp_to_key(compare))
    return tuple([item for at, item in enumerate(pool) if at == 0 or compare(pool[at - 1], item) != 0])


def _compare(a: Symbol, b: Symbol, builder: Builder, alike: set[tuple[int, int]]) -> int:
    """-1, 0 or 1 by canonical order; raises where that hangs on data.

    Pairs found alike are remembered: containers can hold the same part again and again, at every level.
    """
    if _is_same(a, b) or (id(a), id(b)) in alike:
        return 0
    found = _compare_kinds(a, b, builder, alike)
    if found == 0:
        alike.add((id(a), id(b)))
    return found


def _is_same(a: Symbol | str, b: Symbol | str) -> bool:
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
        raise NotFirstOrder("the order of a set hangs on how much of a tuple is data")
    return _compare_forms(a, b, builder)


def _rank(symbol: Symbol, builder: Builder) -> int:
    """The place of a symbol's kind in canonical order: ints, tuples, sets, None, functions."""
    if isinstance(symbol, Group):
        return 2 if symbol.is_set else 1
    if isinstance(symbol, Data):
        if not _is_constant(symbol, builder):
            raise NotFirstOrder("the order of a set hangs on data")
        return canonical_key(builder.nodes[symbol.node].value)[0]
    if not is_function(symbol):
        raise NotFirstOrder("the order of a set hangs on a choice between functions and data")
    return 4


def _compare_forms(a: Symbol, b: Symbol, builder: Builder) -> int:
    """-1, 0 or 1 by the printed forms of two functions; raises where those hang on data."""
    left: list[Symbol | str] = [a]
    right: list[Symbol | str] = [b]
    seen: set[tuple[int, int]] = set()
    while left and right:
        x, y = left.pop(), right.pop()
        # A pair that was met before and showed no difference is alike: forms end where they should.
        if _is_same(x, y) or (id(x), id(y)) in seen:
            continue
        if isinstance(x, str) and isinstance(y, str):
            shared = min(len(x), len(y))
            if x[:shared] != y[:shared]:
                return -1 if x < y else 1
            left.extend([x[shared:]] if x[shared:] else [])
            right.extend([y[shared:]] if y[shared:] else [])
            continue
        if not isinstance(x, str) and not isinstance(y, str):
            seen.add((id(x), id(y)))
        left.extend(reversed(_pieces(x, builder)))
        right.extend(reversed(_pieces(y, builder)))
    return bool(left) - bool(right)


def _pieces(symbol: Symbol | str, builder: Builder) -> list[Symbol | str]:
    """The printed form of a symbol, one level deep."""
    match symbol:
        case str():
            return [symbol]
        case Primitive():
            return [symbol.op.name]
        case Defined():
            return [symbol.helper.name]
        case Closure() if symbol.maker.name == "power" and not _is_constant(symbol.args[1], builder):
            raise NotFirstOrder("a count that is data may be 1, and then it does not show")
        case Closure():
            return [symbol.maker.name, *_listed("(", symbol.args, ")")]
        case Group() if symbol.is_set:
            return _listed("{", symbol.items, "}")
        case Group():
            return _listed("(", symbol.items, ",)" if len(symbol.items) == 1 else ")")
        case Data() if _is_constant(symbol, builder):
            return [form(builder.nodes[symbol.node].value, UNLIMITED)]
        case Data() | Selection():
            raise NotFirstOrder("the order of functions hangs on data")


def _is_constant(symbol: Symbol, builder: Builder) -> bool:
    return isinstance(symbol, Data) and builder.nodes[symbol.node].kind is NodeKind.CONST


def _listed(opening: str, items: tuple[Symbol, ...], closing: str) -> list[Symbol | str]:
    found: list[Symbol | str] = [opening]
    for position, item in enumerate(items):
        found += [", ", item] if position else [item]
    return [*found, closing]
