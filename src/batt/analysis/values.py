"""Abstract values: the one model of what values can be, which all analyses share.

A claim about a value is certain or likely. Certain claims hold in every run; passes and findings rest on them. Likely
claims are for people: they are rounded up to kinds, a grid may turn out empty, and nothing may be decided by them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, reduce
from typing import Any, NamedTuple

from batt.types import Function, Kind, ordered

MAX_DEPTH = 3
"""Levels of parts in a likely claim; nothing is known about items below them."""
MAX_ITEMS = 50
"""Items of a constant that are examined to find what is likely about all."""

_SHAPES = {
    "i": "zero one int",
    "n": "none",
    "e": "empty",
    "p": "pair",
    "g": "grid rect rows",
    "t": "cell tuple",
    "z": "no_items",
    "s": "object indices objects set",
    "f": "fn",
}
"""The shapes, of which each value has one, by the letters that stand for them in what an op `gives` and `refuses`.

The ints 0 and 1 have their own shapes. `empty` is (), `pair` two ints, `cell` an int and a pair. A tuple of rows, which
are tuples with items, is a `grid` where rows have one length and hold ints, a `rect` where they have one length, else
`rows`. `no_items` is the empty set; sets with items are an `object` of cells, `indices`, `objects`, or another `set`.
"""
_BITS = {name: 1 << at for at, name in enumerate(" ".join(_SHAPES.values()).split())}


def shapes(names: str) -> int:
    """Return the bit mask of the shapes with these names."""
    return sum([_BITS[name] for name in names.split()])


LETTERS: Mapping[str, int] = {letter: shapes(names) for letter, names in _SHAPES.items()}


def lettered(letters: str) -> int:
    """Return the bit mask of the shapes that these letters stand for; `*` is every shape."""
    return sum([LETTERS[letter] for letter in (LETTERS if letters == "*" else letters)])


_FALSE = shapes("zero none empty no_items")
_TUPLES, _FILLED_TUPLES, _SETS = lettered("epgt"), lettered("pgt"), lettered("zs")
_KINDS: Mapping[Kind, int] = {
    Kind.BOOL: shapes("zero one"),
    Kind.INT: lettered("i"),
    Kind.PAIR: lettered("p"),
    Kind.NUM: lettered("ip"),
    Kind.GRID: shapes("grid"),
    Kind.CELL: shapes("cell"),
    Kind.OBJECT: shapes("object"),
    Kind.OBJECTS: shapes("objects"),
    Kind.INDICES: shapes("indices"),
    Kind.PATCH: shapes("object indices"),
    Kind.PIECE: shapes("grid object indices"),
    Kind.ELEMENT: shapes("grid object"),
    Kind.TUPLE: _TUPLES,
    Kind.SET: _SETS,
    Kind.CONTAINER: _TUPLES | _SETS,
    Kind.FN: lettered("f"),
    Kind.ANY: lettered("*"),
}
_BY_WIDTH = sorted(_KINDS, key=lambda kind: _KINDS[kind].bit_count())


@cache
def kind_of(mask: int) -> Kind:
    """Return the narrowest kind that covers these shapes; ANY of no shape."""
    return next(kind for kind in _BY_WIDTH if not mask & ~_KINDS[kind]) if mask else Kind.ANY


class AbstractValue(NamedTuple):
    """All that a value can be: its shapes, and the parts of plain tuples and sets: one for all items, or two in order.

    No shape at all is a value that is never made.
    """

    shapes: int
    parts: tuple[AbstractValue, ...] = ()

    def is_a(self, wanted: AbstractValue) -> bool:
        """Tell whether it can be made, and everything that it can be is `wanted`."""
        is_part = self.shapes and not self.shapes & ~wanted.shapes
        return bool(is_part) and (not wanted.parts or wanted.parts == self.parts)

    @property
    def kind(self) -> Kind:
        """The narrowest kind that covers it."""
        return kind_of(self.shapes)

    @property
    def truth(self) -> bool | None:
        """Its truth as a condition; None if it may be either."""
        false = self.shapes & _FALSE
        return None if false and false != self.shapes else not false

    def if_true(self) -> AbstractValue:
        """Return what it can be if it is true."""
        return AbstractValue(self.shapes & ~_FALSE, self.parts)


OF_KIND: Mapping[Kind, AbstractValue] = {kind: AbstractValue(mask) for kind, mask in _KINDS.items()}
NEVER, UNKNOWN, FUNCTION = AbstractValue(0), OF_KIND[Kind.ANY], OF_KIND[Kind.FN]
INT, BOOL, PAIR, CELL = OF_KIND[Kind.INT], OF_KIND[Kind.BOOL], OF_KIND[Kind.PAIR], OF_KIND[Kind.CELL]
GRID, TUPLE, SET, PATCH = OF_KIND[Kind.GRID], OF_KIND[Kind.TUPLE], OF_KIND[Kind.SET], OF_KIND[Kind.PATCH]
RECT, GRID_OR_NONE = AbstractValue(shapes("grid rect")), AbstractValue(shapes("grid none"))
TWO_GRIDS = AbstractValue(shapes("rect rows"), (GRID, GRID))
DEMONSTRATIONS = AbstractValue(shapes("empty rect"), (TWO_GRIDS,))
ROW = AbstractValue(_TUPLES, (INT,))
_ITEMS = {
    Kind.PAIR: INT,
    Kind.CELL: OF_KIND[Kind.NUM],
    Kind.GRID: ROW,
    Kind.OBJECT: CELL,
    Kind.INDICES: PAIR,
    Kind.OBJECTS: OF_KIND[Kind.OBJECT],
    **dict.fromkeys((Kind.PATCH, Kind.PIECE, Kind.ELEMENT), TUPLE),
}
_HALVES: Mapping[AbstractValue, tuple[AbstractValue, ...]] = {PAIR: (INT, INT), CELL: (INT, PAIR)}
_PLAIN = (Kind.TUPLE, Kind.SET, Kind.CONTAINER)
_SETS_OF = {Kind.CELL: Kind.OBJECT, Kind.PAIR: Kind.INDICES, Kind.OBJECT: Kind.OBJECTS}


def certain_constant(value: Any) -> AbstractValue:
    """Return what is certain about a constant."""
    if isinstance(value, int):
        return AbstractValue(_BITS["int" if value not in (0, 1) else "one" if value else "zero"])
    if isinstance(value, tuple):
        return AbstractValue(_tuple_shapes(value))
    if isinstance(value, frozenset):
        return AbstractValue(lettered("s" if value else "z"))
    return FUNCTION if isinstance(value, Function) else AbstractValue(lettered("n"))


def _tuple_shapes(value: tuple[Any, ...]) -> int:
    if not value:
        return lettered("e")
    if len(value) == 2 and isinstance(value[0], int) and isinstance(value[1], int):
        return lettered("p")
    if not all(isinstance(row, tuple) and row for row in value):
        return lettered("t")
    if any(len(row) != len(value[0]) for row in value):
        return _BITS["rows"]
    return _BITS["grid" if all(isinstance(cell, int) for row in value for cell in row) else "rect"]


def certain_tuple(items: Sequence[AbstractValue]) -> AbstractValue:
    """Return what is certain about the tuple of `items`."""
    masks = [each.shapes for each in items]
    ints = [mask & INT.shapes for mask in masks] if len(masks) == 2 else []
    found = 0 if ints == masks else lettered("t")
    if ints and all(ints):
        found |= PAIR.shapes
    if all(mask & _FILLED_TUPLES for mask in masks):
        found = lettered("g") | (found if any(mask & ~_FILLED_TUPLES for mask in masks) else 0)
    return AbstractValue(found if masks else lettered("e"))


def likely_constant(value: Any, depth: int = MAX_DEPTH) -> AbstractValue:
    """Return what is likely about a constant. True is the int 1, as the graph has one node for both."""
    if isinstance(value, int):
        return INT
    if isinstance(value, tuple | frozenset) and depth:
        few = [likely_constant(each, depth - 1) for each in list(ordered(value))[:MAX_ITEMS]]
        return likely_tuple(few) if isinstance(value, tuple) else container(Kind.SET, reduce(join, few, NEVER))
    return FUNCTION if isinstance(value, Function) else UNKNOWN


def likely_tuple(items: Sequence[AbstractValue]) -> AbstractValue:
    """Return what is likely about the tuple of `items`."""
    return two(*items) if len(items) == 2 else container(Kind.TUPLE, reduce(join, items, NEVER))


def join(a: AbstractValue, b: AbstractValue) -> AbstractValue:
    """Return what is likely about one or the other: the narrowest kind that covers both."""
    if a == b or not b.shapes:
        return a
    if not a.shapes:
        return b
    kind = kind_of(a.shapes | b.shapes)
    if kind is Kind.TUPLE and (left := halves(a)) and (right := halves(b)):
        return two(join(left[0], right[0]), join(left[1], right[1]))
    return container(kind, join(item(a), item(b))) if kind in _PLAIN else OF_KIND[kind]


def item(container: AbstractValue) -> AbstractValue:
    """Return what is likely about any item of a container."""
    if container.parts or not container.shapes:
        return reduce(join, container.parts, NEVER)
    return _ITEMS.get(container.kind, UNKNOWN)


def halves(value: AbstractValue) -> tuple[AbstractValue, ...]:
    """Return the items of a tuple of two; nothing if it may have another length."""
    parts = _HALVES.get(value, value.parts)
    return parts if len(parts) == 2 else ()


def two(a: AbstractValue, b: AbstractValue) -> AbstractValue:
    """Return the tuple of two items: a pair or a cell if it is one."""
    if a.is_a(INT) and (b.is_a(INT) or b.is_a(PAIR)):
        return PAIR if b.is_a(INT) else CELL
    return AbstractValue(_TUPLES, (_cut(a), _cut(b)))


def container(kind: Kind, of: AbstractValue) -> AbstractValue:
    """Return a tuple, a set, or either, of any number of items `of`; by its own name if it has one."""
    if kind is Kind.TUPLE and of == ROW:
        return GRID
    if kind is Kind.SET and of.kind in _SETS_OF:
        return OF_KIND[_SETS_OF[of.kind]]
    return AbstractValue(_KINDS[kind], (_cut(of),))


def like(outer: AbstractValue, of: AbstractValue) -> AbstractValue:
    """Return a container like `outer` with items `of`."""
    kind = Kind.TUPLE if outer.is_a(TUPLE) else Kind.SET if outer.is_a(SET) else Kind.CONTAINER
    return container(kind, of)


def _cut(of: AbstractValue, depth: int = MAX_DEPTH) -> AbstractValue:
    """Return the same with at most `depth` levels of parts."""
    if not of.parts:
        return of
    return AbstractValue(of.shapes, tuple([_cut(part, depth - 1) for part in of.parts]) if depth > 1 else ())
