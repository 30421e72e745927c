"""Kinds with the kinds of their items, and what each op makes of them by its schemes and signatures.

All of this is likely, none of it certain: a grid may turn out empty, a colour None. Nothing may be decided by it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, reduce
from typing import Any, NamedTuple

from batt.ops import Op
from batt.ops.schemes import Items, Maps, Never, Pattern, Scheme, Two, Var, schemes
from batt.types import Function, Kind, ordered

MAX_DEPTH = 3
"""How many levels of items a type tells of; below, items are unknown."""
MAX_ITEMS = 50
"""How many items of a constant are looked at."""
MAX_KEPT = 10_000
"""How many results of schemes are kept: most calls of a deck have the types of others."""


class Type(NamedTuple):
    """A kind and, of plain tuples and sets, the types of the items: one of all items, or two of a tuple of two.

    No kind at all is the type of what is never made.
    """

    kind: Kind | None
    parts: tuple[Type, ...] = ()


_PARTS = ["bool", "int", "pair", "cell", "grid", "tuple", "object", "indices", "objects", "set", "fn", "none"]
_BIT = {name: 1 << at for at, name in enumerate(_PARTS)}
_MADE_OF: Mapping[Kind, str] = {
    Kind.BOOL: "bool",
    Kind.INT: "bool int",
    Kind.PAIR: "pair",
    Kind.NUM: "bool int pair",
    Kind.GRID: "grid",
    Kind.CELL: "cell",
    Kind.OBJECT: "object",
    Kind.OBJECTS: "objects",
    Kind.INDICES: "indices",
    Kind.PATCH: "object indices",
    Kind.PIECE: "grid object indices",
    Kind.ELEMENT: "grid object",
    Kind.TUPLE: "pair cell grid tuple",
    Kind.SET: "object indices objects set",
    Kind.CONTAINER: "pair cell grid tuple object indices objects set",
    Kind.FN: "fn",
    Kind.ANY: " ".join(_PARTS),
}
_MASK = {kind: sum(_BIT[name] for name in text.split()) for kind, text in _MADE_OF.items()}
_BY_WIDTH = sorted(Kind, key=lambda kind: _MASK[kind].bit_count())
_JOINED = {
    (a, b): next(kind for kind in _BY_WIDTH if (_MASK[a] | _MASK[b]) & ~_MASK[kind] == 0) for a in Kind for b in Kind
}

NEVER, UNKNOWN = Type(None), Type(Kind.ANY)
INT, PAIR, GRID, CELL = Type(Kind.INT), Type(Kind.PAIR), Type(Kind.GRID), Type(Kind.CELL)
ROW = Type(Kind.TUPLE, (INT,))
_ITEMS = {
    Kind.PAIR: INT,
    Kind.CELL: Type(Kind.NUM),
    Kind.GRID: ROW,
    Kind.OBJECT: CELL,
    Kind.INDICES: PAIR,
    Kind.OBJECTS: Type(Kind.OBJECT),
    Kind.PATCH: Type(Kind.TUPLE),
    Kind.PIECE: Type(Kind.TUPLE),
    Kind.ELEMENT: Type(Kind.TUPLE),
}


def join_kinds(a: Kind, b: Kind) -> Kind:
    """The narrowest kind that covers both."""
    return _JOINED[a, b]


def may_be(a: Kind, b: Kind) -> bool:
    """Whether some value is of both kinds."""
    return bool(_MASK[a] & _MASK[b])


def join(a: Type, b: Type) -> Type:
    """The narrowest type that covers both."""
    if a == b or b.kind is None:
        return a
    if a.kind is None:
        return b
    kind = _JOINED[a.kind, b.kind]
    if kind is Kind.TUPLE:
        (left, right) = (_two_parts(a), _two_parts(b))
        if left and right:
            return two(join(left[0], right[0]), join(left[1], right[1]))
    return _container(kind, join(item(a), item(b))) if kind in _CONTAINERS else Type(kind)


def item(container: Type) -> Type:
    """The type of the container's items."""
    if container.kind is None or container.parts:
        return reduce(join, container.parts, NEVER)
    return _ITEMS.get(container.kind, UNKNOWN)


def tuple_of(of: Type) -> Type:
    """A tuple of such items, however many; of rows it is a grid."""
    return GRID if of == ROW else Type(Kind.TUPLE, (_cut(of),))


def set_of(of: Type) -> Type:
    """A set of such items, by its own name where it has one."""
    kind = {Kind.CELL: Kind.OBJECT, Kind.PAIR: Kind.INDICES, Kind.OBJECT: Kind.OBJECTS}.get(of.kind or Kind.ANY)
    return Type(kind) if kind else Type(Kind.SET, (_cut(of),))


def two(a: Type, b: Type) -> Type:
    """A tuple of two: a pair or a cell where it is one."""
    if a.kind in (Kind.INT, Kind.BOOL):
        if b.kind in (Kind.INT, Kind.BOOL):
            return PAIR
        if b.kind is Kind.PAIR:
            return CELL
    return Type(Kind.TUPLE, (_cut(a), _cut(b)))


def type_of(value: Any, depth: int = MAX_DEPTH) -> Type:
    """The type of a constant. True is the int 1, as the graph has one node for both."""
    if isinstance(value, int):
        return INT
    if isinstance(value, tuple | frozenset) and depth:
        few = list(ordered(value))[:MAX_ITEMS]
        types = [type_of(each, depth - 1) for each in few]
        if isinstance(value, tuple):
            return two(*types) if len(types) == 2 else tuple_of(reduce(join, types, NEVER))
        return set_of(reduce(join, types, NEVER))
    return Type(Kind.FN) if isinstance(value, Function) else UNKNOWN


def _container(kind: Kind, of: Type) -> Type:
    if kind is Kind.TUPLE:
        return tuple_of(of)
    return set_of(of) if kind is Kind.SET else Type(kind, (_cut(of),))


def _cut(of: Type, depth: int = MAX_DEPTH) -> Type:
    """The type with no more than so many levels of parts."""
    if not of.parts:
        return of
    return Type(of.kind, tuple([_cut(part, depth - 1) for part in of.parts]) if depth > 1 else ())


def _two_parts(of: Type) -> tuple[Type, ...]:
    match of.kind:
        case Kind.PAIR:
            return INT, INT
        case Kind.CELL:
            return INT, PAIR
    return of.parts if len(of.parts) == 2 else ()


_CONTAINERS = (Kind.TUPLE, Kind.SET, Kind.CONTAINER)


def _is_tuple(of: Type) -> bool:
    return of.kind is not None and _JOINED[of.kind, Kind.TUPLE] is Kind.TUPLE


def _is_set(of: Type) -> bool:
    return of.kind is not None and _JOINED[of.kind, Kind.SET] is Kind.SET


def _like(container: Type, of: Type) -> Type:
    """The outer kind of a container around other items."""
    kind = Kind.TUPLE if _is_tuple(container) else Kind.SET if _is_set(container) else Kind.CONTAINER
    return _container(kind, of)


def _part_of(container: Type) -> Type:
    """A container with some of the items."""
    return container if _is_set(container) else _like(container, item(container))


def _end(container: Type, at: int) -> Type:
    parts = _two_parts(container)
    return parts[at] if parts else item(container)


def _moved(patch: Type) -> Type:
    return patch if may_be(patch.kind or Kind.ANY, Kind.PATCH) and _is_set(patch) else _placed(patch)


def _placed(patch: Type) -> Type:
    found = set_of(item(patch))
    return found if found.kind in (Kind.OBJECT, Kind.INDICES) else Type(Kind.PATCH)


class _Match:
    """The arguments of a call, bound to the parameters of a scheme."""

    def __init__(self, scheme: Scheme, args: Sequence[Type], made: Type | None) -> None:
        self.variables: dict[str, Type] = {}
        self.containers: list[tuple[Pattern, Type]] = []
        for param, arg in zip(scheme.params, args, strict=True):
            self._bind(param, arg)
        for param in scheme.params:
            if isinstance(param, Maps) and made is not None:
                self._bind(param.result, made)

    def _bind(self, pattern: Pattern, given: Type) -> None:
        match pattern:
            case Var(name, False):
                self.variables[name] = join(self.variables.get(name, NEVER), given)
            case Items(_, inner):
                self.containers.append((inner, given))
                self._bind(inner, item(given))
            case Two(a, b):
                for part, each in zip((a, b), _two_parts(given), strict=False):
                    self._bind(part, each)

    def made(self, pattern: Pattern) -> Type | None:
        """The type that a pattern stands for; None where an argument does not say it."""
        match pattern:
            case Kind():
                return Type(pattern)
            case Var(name):
                return self.variables.get(name)
            case Two(a, b):
                left, right = self.made(a), self.made(b)
                return two(left, right) if left and right else None
            case Items(word, inner):
                of = self.made(inner)
                return self._container(word, inner, of) if of else None
        return None

    def _container(self, word: str, inner: Pattern, of: Type) -> Type:
        match word:
            case "tuple":
                return tuple_of(of)
            case "set":
                return set_of(of)
            case "many":
                return _like(self.containers[0][1], of)
        first, *others = [given for each, given in self.containers if each == inner]
        if word == "patch":
            return _moved(first)
        return others[-1] if others and item(first) == UNKNOWN else _part_of(first)


def _fits(pattern: Pattern, given: Type) -> bool:
    """Whether a type is one that a pattern stands for."""
    match pattern:
        case Kind():
            return _JOINED[given.kind or Kind.ANY, pattern] is pattern
        case Items(word, inner):
            is_it = {"tuple": _is_tuple, "set": _is_set, "patch": _is_set}.get(word)
            return (is_it is None or is_it(given)) and _fits(inner, item(given))
        case Two():
            return bool(_two_parts(given))
        case Never():
            return given == NEVER
    return True


@lru_cache(MAX_KEPT)
def _by_scheme(text: str, args: tuple[Type, ...], made: Type | None) -> Type | None:
    """The result of the first scheme that is met, or of all; None where there is none that tells."""
    found = schemes(text)
    met = [each for each in found if all(map(_fits, each.params, args))][:1] or found
    results = [_Match(each, args, made).made(each.result) for each in met]
    return reduce(join, [each for each in results if each], NEVER) if results and all(results) else None


def _by_signature(op: Op, args: Sequence[Type]) -> Type:
    """The result of the first signature that is met, or of all that could be."""
    kinds = [arg.kind or Kind.ANY for arg in args]
    for signature in op.signatures:
        if all(_JOINED[kind, param] is param for kind, param in zip(kinds, signature.params, strict=True)):
            return Type(signature.result)
    possible = [each for each in op.signatures if all(map(may_be, kinds, each.params))]
    return Type(reduce(join_kinds, [signature.result for signature in possible or op.signatures]))


class Kinds:
    """The likely type of every node, for a walk over a graph."""

    never, unknown = NEVER, UNKNOWN
    constant = staticmethod(type_of)
    tuple_of = staticmethod(lambda items: two(*items) if len(items) == 2 else tuple_of(reduce(join, items, NEVER)))
    join = staticmethod(join)
    item = staticmethod(item)

    def input(self, name: str) -> Type:
        """S is a tuple of pairs of grids; I and C are grids."""
        return tuple_of(two(GRID, GRID)) if name == "S" else GRID

    def call(self, op: Op, args: Sequence[Type]) -> Type:
        """The result of an op."""
        return _by_scheme(op.known.types, tuple(args), None) or _by_signature(op, args)

    def loop(self, op: Op, position: int, given: Sequence[Type], made: Type) -> Type:
        """The result of an op whose function, its argument at `position`, gives `made`."""
        args = [*given[:position], Type(Kind.FN), *given[position:]]
        return _by_scheme(op.known.types, tuple(args), made) or _by_signature(op, args)

    def count(self, number: Type) -> Type:
        """A count is an int."""
        return INT
