"""The types of random programs, what fits where, and the ways to write an expression of a type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Union

from batt.ops import OPS, PYTHON, Op, Signature
from batt.ops.schemes import Items, Maps, Pattern, Scheme, Var, schemes
from batt.ops.table import DEMONSTRATIONS
from batt.types import Kind

ANY, BOOL, INT, PAIR, GRID, CELL = Kind.ANY, Kind.BOOL, Kind.INT, Kind.PAIR, Kind.GRID, Kind.CELL
OBJECT, OBJECTS, INDICES, PATCH = Kind.OBJECT, Kind.OBJECTS, Kind.INDICES, Kind.PATCH
TUPLE, SET, CONTAINER = Kind.TUPLE, Kind.SET, Kind.CONTAINER


@dataclass(frozen=True)
class Fn:
    """The type of a function of these parameters."""

    params: tuple[Type, ...]
    result: Type


@dataclass(frozen=True)
class Many:
    """The type of a tuple or a set of such items. Items may be functions."""

    item: Type
    is_set: bool


Type = Union[Kind, Fn, Many]
Way = tuple[str, tuple[Type, ...]]
"""A way to write an expression: a text with gaps, and the types of the expressions that fill them."""

CALLED = "identity({})({})"
DATA = (INT, INT, BOOL, PAIR, GRID, GRID, OBJECT, OBJECTS, INDICES, INDICES)
LITERALS: dict[Type, Sequence[str]] = {
    INT: ("ZERO", "ONE", "TWO", "THREE", "FIVE", "NEG_ONE"),
    BOOL: ("T", "F"),
    PAIR: ("ORIGIN", "UNITY", "DOWN", "RIGHT", "UP_RIGHT", "TWO_BY_TWO"),
    CELL: ("(1, (0, 1))", "(2, (1, 1))", "(0, ORIGIN)"),
}
ODD_LITERALS: dict[Type, Sequence[str]] = {
    INT: ("FOUR", "SEVEN", "NINE", "TEN", "NEG_TWO", "30", "240", "-300", "4611686018427387904"),
    PAIR: (
        "LEFT",
        "UP",
        "NEG_UNITY",
        "DOWN_LEFT",
        "THREE_BY_THREE",
        "(-7, 40)",
        "(43, 0)",
        "(0, 44)",
        "(42, 1)",
        "(0, 9223372036854775807)",
    ),
    CELL: ("(None, UNITY)", "(300, NEG_UNITY)"),
}
"""Rarer literals, which most ops refuse."""
COUNTS = ("ONE", "TWO", "THREE", "T", "numcolors({grid})", "0", "901", "ORIGIN")
ITEMS: dict[Kind, Many] = {
    OBJECTS: Many(OBJECT, True),
    INDICES: Many(PAIR, True),
    OBJECT: Many(CELL, True),
    GRID: Many(Many(INT, False), False),
    PAIR: Many(INT, False),
}
PAIRS_OF_GRIDS = Many(Many(GRID, False), False)
"""The type of demonstrations."""
FITS: dict[Kind, set[Kind]] = {
    INT: {BOOL},
    Kind.NUM: {INT, PAIR, BOOL},
    PATCH: {OBJECT, INDICES},
    Kind.PIECE: {GRID, PATCH, OBJECT, INDICES},
    Kind.ELEMENT: {GRID, OBJECT},
    TUPLE: {GRID, PAIR},
    SET: {OBJECTS, OBJECT, INDICES},
    CONTAINER: {TUPLE, SET, GRID, PAIR, OBJECTS, OBJECT, INDICES, PATCH},
}
# Products of products would grow without bound.
PLAIN = [each for each in OPS.values() if Kind.FN not in each.signatures[0].params and each.name != "multiply"]


def fits(given: Type, wanted: Type) -> bool:
    """Tell whether a value of type `given` fits where `wanted` is expected."""
    if wanted is ANY:
        return True
    # Most types are plain kinds, and most of the time to write a program is spent here.
    if isinstance(given, Kind) and isinstance(wanted, Kind):
        return given is wanted or given in FITS.get(wanted, ())
    if given == wanted:
        return True
    match given, wanted:
        case Kind(), Many():
            return given in ITEMS and fits(ITEMS[given], wanted)
        case Many(), Kind():
            kinds = (CONTAINER, SET if given.is_set else TUPLE)
            return wanted in kinds or (wanted in (OBJECTS, INDICES, OBJECT) and fits(given, ITEMS[wanted]))
        case Many(), Many():
            return given.is_set == wanted.is_set and fits(given.item, wanted.item)
        case Fn(), Fn():
            takes_it = len(given.params) == len(wanted.params) and all(map(fits, wanted.params, given.params))
            return takes_it and fits(given.result, wanted.result)
    return False


@cache
def signatures(each: Op) -> Sequence[Signature]:
    """Return the signatures of calls that mostly succeed: not all values have an order, not all items a colour."""
    usual = schemes(each.known.usual)
    kinds = [[kind for kind in (*scheme.params, scheme.result) if isinstance(kind, Kind)] for scheme in usual]
    return [Signature(tuple(params), result) for *params, result in kinds] or each.signatures


@cache
def primitives(params: tuple[Type, ...], result: Type) -> list[str]:
    """Return the names of primitives that take such arguments and return such a result."""
    fitting = [(each.name, sig) for each in PLAIN if each.arity == len(params) for sig in signatures(each)]
    return [name for name, sig in fitting if all(map(fits, params, sig.params)) and fits(sig.result, result)]


@cache
def calls(result: Kind) -> list[Way]:
    """Return the calls of primitives with such a result."""
    return [
        (f"{each.name}({', '.join(['{}'] * each.arity)})", sig.params)
        for each in PLAIN
        for sig in signatures(each)
        if fits(sig.result, result)
    ]


@cache
def scheme_of(each: Op) -> Scheme | None:
    """Return the scheme by which an op is called: one with functions, or one that returns an item of its container."""
    for scheme in reversed(schemes(each.known.types)):
        items = [param.item if isinstance(param, Items) else None for param in scheme.params]
        if any(isinstance(part, Maps) for part in (*scheme.params, *items)) or items == [scheme.result]:
            return scheme
    return None


def call_of(each: Op, a: Kind, b: Kind, is_set: bool, signature: Signature) -> tuple[Way, Type]:
    """Return a call of an op with arguments that fit, and the type of its result. `a` and `b` fill its scheme."""
    if each.name in ("gravitate", "manhattan", "position"):
        # Two patches of one grid are never far apart.
        return (f"{each.name}({{}}, shift({{}}, {{}}))", (PATCH, PATCH, PAIR)), signature.result
    types: tuple[Type, ...] = signature.params
    result: Type = signature.result
    scheme = scheme_of(each)
    if scheme:
        variables = {"a": a, "b": b, "c": INT, "d": b, "e": PAIR}
        types = tuple([_type(param, variables, is_set) for param in scheme.params])
        result = _type(scheme.result, variables, is_set)
    if each.reads_demonstrations:
        shown = each.params.index(DEMONSTRATIONS)
        types = (*types[:shown], PAIRS_OF_GRIDS, *types[shown + 1 :])
    return (f"({each.written})" if each.group == PYTHON else each.written, types), result


def _type(pattern: Pattern, variables: Mapping[str, Kind], is_set: bool) -> Type:
    """Return the type that a pattern of a scheme stands for."""
    match pattern:
        case Var(name):
            return variables[name]
        case Items(word, item):
            return Many(_type(item, variables, is_set), {"set": True, "tuple": False}.get(word, is_set))
        case Maps(params, result):
            return Fn(tuple([_type(param, variables, is_set) for param in params]), _type(result, variables, is_set))
    assert isinstance(pattern, Kind)
    return pattern


def to_value(kind: Kind, raw: Kind, is_set: bool) -> list[Way]:
    """Return ways to make data by a loop, a choice or a call of a function."""
    ways: list[Way] = [
        (CALLED, (Fn((raw,), kind), raw)),
        (CALLED, (Fn((raw,), kind), raw)),
        ("branch({}, {}, {})", (ANY, kind, kind)),
        ("first({})", (Many(kind, False),)),
        ("last({})", (Many(kind, True),)),
    ]
    if kind in (OBJECT, PAIR, INT, GRID):
        # Often no item passes a test, which is an error: most of the time the best one is taken.
        name = "argmin" if kind is PAIR else "argmax" if is_set or kind is OBJECT else "extract"
        ways.append((name + "({}, {})", (Many(kind, is_set), Fn((kind,), INT))))
    if kind is INT:
        ways.append(("valmax({}, {})", (Many(raw, is_set), Fn((raw,), INT))))
    if kind in (OBJECT, INDICES):
        ways += [("mapply({}, {})", (Fn((raw,), kind), Many(raw, True)))] * 2
        ways.append(("mfilter({}, {})", (Many(kind, True), Fn((kind,), BOOL))))
    return ways


def to_container(kind: Many, raw: Kind) -> list[Way]:
    """Return ways to make containers, of functions as well as of data."""
    item, is_set = kind.item, kind.is_set
    ways: list[Way] = [
        ("combine({}, {})", (kind, Many(item, not is_set))),
        ("branch({}, {}, {})", (BOOL, kind, kind)),
        ("apply({}, {})", (Fn((raw,), item), Many(raw, is_set))),
        ("rapply({}, {})", (Many(Fn((raw,), item), is_set), raw)),
        ("sfilter({}, {})", (kind, Fn((item,), BOOL))),
        ("merge({})", (Many(kind, is_set),)),
        ("identity({})", (kind,)),
    ]
    if is_set:
        return [*ways, ("initset({})", (item,)), ("initset({})", (item,)), ("insert({}, {})", (item, kind))]
    return [
        *ways,
        ("astuple({}, {})", (item, item)),
        ("({}, {})", (item, item)),
        ("repeat({}, 2)", (item,)),
        ("totuple({})", (Many(item, True),)),
        ("order({}, {})", (Many(item, True), Fn((item,), INT))),
        ("remove({}, {})", (item, kind)),
    ]


def to_join(param: Type, result: Type, a: Kind, b: Kind) -> list[Way]:
    """Return ways to make functions from functions."""
    kind, to_a, to_b = Fn((param,), result), Fn((param,), a), Fn((param,), b)
    ways: list[Way] = [
        ("compose({}, {})", (Fn((a,), result), to_a)),
        ("chain({}, {}, {})", (Fn((b,), result), Fn((a,), b), to_a)),
        ("fork({}, {}, {})", (Fn((a, b), result), to_a, to_b)),
        ("lbind({}, {})", (Fn((a, param), result), a)),
        ("rbind({}, {})", (Fn((param, a), result), a)),
    ]
    if result is BOOL:
        ways.append(("matcher({}, {})", (to_a, a)))
    # An object recoloured with objects, over and over, would grow without bound.
    if fits(result, param) and result in (INT, BOOL, PAIR, GRID):
        ways += [("power({}, " + count + ")", (kind,)) for count in COUNTS[:5]]
        ways += [("power({}, " + count + ")", (kind,)) for count in COUNTS[5:] if a is BOOL]
    return ways


def to_pick(kind: Fn, raw: Kind) -> list[Way]:
    """Return ways to choose one of several functions, or to make one by a call."""
    some, few = Many(kind, True), Many(kind, False)
    return [
        ("branch({}, {}, {})", (ANY, kind, kind)),
        ("branch({}, {}, {})", (BOOL, kind, kind)),
        ("first({})", (some,)),
        ("last({})", (few,)),
        ("identity({})", (kind,)),
        ("extract({}, {})" if raw is INT else "argmin({}, {})", (few, Fn((kind,), BOOL))),
        ("argmax({}, {})", (some, Fn((kind,), INT))),
        (CALLED, (Fn((raw,), kind), raw)),
        ("last(first(product({}, {})))", (some, few)),
        ("first(last(pair({}, {})))", (few, some)),
    ]


def to_use_a_function(given: Fn, result: Type, is_set: bool) -> list[Way]:
    """Return ways to make functions that call their argument, a function."""
    param = given.params[0] if len(given.params) == 1 else ANY
    results, many = Many(given.result, is_set), Many(param, is_set)
    return [
        ("compose({}, chain(first, rbind(rapply, {}), initset))", (Fn((given.result,), result), param)),
        ("compose({}, rbind(apply, {}))", (Fn((results,), result), many)),
        ("compose({}, rbind(mapply, {}))", (Fn((results,), result), many)),
        ("chain({}, lbind(argmax, {}), identity)", (Fn((param,), result), many)),
        ("chain({}, lbind(extract, {}), identity)", (Fn((param,), result), many)),
    ]


def to_make_functions(param: Type, made: Fn, a: Kind) -> list[Way]:
    """Return ways to make functions that return functions."""
    inner, result = made.params[0], made.result
    ways: list[Way] = [
        ("lbind(lbind, {})", (Fn((param, inner), result),)),
        ("lbind(rbind, {})", (Fn((inner, param), result),)),
        ("lbind(lbind(branch, T), {})", (made,)),
        ("compose(lbind(compose, {}), {})", (Fn((a,), result), Fn((param,), Fn((inner,), a)))),
        ("compose(rbind(compose, {}), {})", (Fn((inner,), a), Fn((param,), Fn((a,), result)))),
        ("fork(compose, {}, {})", (Fn((param,), Fn((a,), result)), Fn((param,), Fn((inner,), a)))),
    ]
    return [*ways, ("lbind(matcher, {})", (Fn((inner,), param),))] if result is BOOL else ways


def to_loop(param: Type, result: Type, raw: Kind) -> list[Way]:
    """Return ways to make functions that loop, also with a function that they make."""
    ways: list[Way] = []
    many = ITEMS.get(param) if isinstance(param, Kind) else param
    if isinstance(many, Many):
        item = many.item
        if isinstance(result, Many) and result.is_set == many.is_set:
            ways.append(("lbind(apply, {})", (Fn((item,), result.item),)))
        if fits(param, result):
            ways.append(("rbind(sfilter, {})", (Fn((item,), BOOL),)))
        if fits(item, result):
            ways.append(("rbind(argmin, {})", (Fn((item,), INT),)))
        if result is INT:
            ways.append(("rbind(valmax, {})", (Fn((item,), INT),)))
    if isinstance(result, Many):
        maker = Fn((param,), Fn((raw,), result.item))
        ways.append(("fork(apply, {}, {})", (maker, Fn((param,), Many(raw, result.is_set)))))
    if result in (INDICES, OBJECT):
        ways.append(("fork(mapply, {}, {})", (Fn((param,), Fn((raw,), result)), Fn((param,), Many(raw, True)))))
    return ways
