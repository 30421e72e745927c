"""What random programs are made of: types, what fits where, and the ways in which an expression can be written.

Owns the types that a generator thinks in; knows nothing of texts and seeds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Union

from batt.ops import LANGUAGE, OPS, Op, Signature
from batt.types import Kind

ANY, BOOL, INT, PAIR, GRID, CELL = Kind.ANY, Kind.BOOL, Kind.INT, Kind.PAIR, Kind.GRID, Kind.CELL
OBJECT, OBJECTS, INDICES, PATCH = Kind.OBJECT, Kind.OBJECTS, Kind.INDICES, Kind.PATCH
TUPLE, SET, CONTAINER = Kind.TUPLE, Kind.SET, Kind.CONTAINER


@dataclass(frozen=True)
class Fn:
    """A function of these parameters."""

    params: tuple[Type, ...]
    result: Type


@dataclass(frozen=True)
class Many:
    """A tuple or a set of such items, functions among them."""

    item: Type
    is_set: bool


Type = Union[Kind, Fn, Many]
Way = tuple[str, tuple[Type, ...]]
"""How to write an expression: a text with gaps, and the types of what goes into them."""

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
"""Literals that are rarer, and seldom do any good."""
COUNTS = ("ONE", "TWO", "THREE", "T", "numcolors({grid})", "0", "901", "ORIGIN")
ITEMS: dict[Kind, Many] = {
    OBJECTS: Many(OBJECT, True),
    INDICES: Many(PAIR, True),
    OBJECT: Many(CELL, True),
    GRID: Many(Many(INT, False), False),
    PAIR: Many(INT, False),
}
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
    """Whether a value of one type will do where another is wanted."""
    if given == wanted or wanted is ANY:
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
        case Kind(), Kind():
            return given in FITS.get(wanted, ())
    return False


def signatures(each: Op) -> Sequence[Signature]:
    """The ways to call an op that mostly succeed: not every two values have an order, not every item a colour."""
    if each.name in ("greater", "py_le"):
        return [Signature((kind, kind), BOOL) for kind in (INT, PAIR)]
    if each.name in ("colorfilter", "sizefilter"):
        return [Signature((OBJECTS, INT), OBJECTS)]
    return each.signatures


@cache
def primitives(params: tuple[Type, ...], result: Type) -> list[str]:
    """The primitives that take such arguments and give such a result."""
    fitting = [(each.name, sig) for each in PLAIN if each.arity == len(params) for sig in signatures(each)]
    return [name for name, sig in fitting if all(map(fits, params, sig.params)) and fits(sig.result, result)]


@cache
def calls(result: Kind) -> list[Way]:
    """Calls of primitives that give such a result."""
    return [
        (f"{each.name}({', '.join(['{}'] * each.arity)})", sig.params)
        for each in PLAIN
        for sig in signatures(each)
        if fits(sig.result, result)
    ]


@cache
def uses_functions(each: Op) -> bool:
    """Whether an op takes a function, or containers of them."""
    return Kind.FN in each.signatures[0].params or each.name == "rapply"


def call_of(each: Op, a: Kind, b: Kind, is_set: bool, signature: Signature) -> tuple[Way, Type]:
    """A call of an op with arguments that fit, and the type of its result, around two kinds."""
    types, result = (
        _with_functions(each.name, a, b, is_set) if uses_functions(each) else (signature.params, signature.result)
    )
    match each.name:
        case "merge":
            types, result = (Many(Many(a, is_set), is_set),), Many(a, is_set)
        case "first" | "last" | "maximum" | "minimum":
            types, result = (Many(a, is_set),), a
        case "mostcommon" | "leastcommon":
            types, result = (Many(a, False),), a
        case "gravitate" | "manhattan" | "position":
            # Two patches of one grid are never far apart.
            return (f"{each.name}({{}}, shift({{}}, {{}}))", (PATCH, PATCH, PAIR)), result
    return (each.written if each.group == LANGUAGE else f"({each.written})", types), result


def _with_functions(name: str, a: Kind, b: Kind, is_set: bool) -> tuple[tuple[Type, ...], Type]:
    """What an op of functions takes, and what it gives."""
    many, a_to_b, a_to_int = Many(a, is_set), Fn((a,), b), Fn((a,), INT)
    joined = Fn((a, b), INT)
    rows = (Many(a, False), Many(b, False))
    table: dict[str, tuple[tuple[Type, ...], Type]] = {
        "apply": ((a_to_b, many), Many(b, is_set)),
        "rapply": ((Many(a_to_b, is_set), a), Many(b, is_set)),
        "mapply": ((Fn((a,), Many(b, is_set)), many), Many(b, is_set)),
        "papply": ((joined, *rows), Many(INT, False)),
        "mpapply": ((Fn((a, b), Many(INT, False)), *rows), Many(INT, False)),
        "prapply": ((joined, Many(a, is_set), Many(b, True)), Many(INT, True)),
        "order": ((many, a_to_int), Many(a, False)),
        "argmax": ((many, a_to_int), a),
        "argmin": ((many, a_to_int), a),
        "valmax": ((many, a_to_int), INT),
        "valmin": ((many, a_to_int), INT),
        "sfilter": ((many, Fn((a,), BOOL)), many),
        "mfilter": ((Many(many, is_set), Fn((many,), BOOL)), many),
        "extract": ((many, Fn((a,), BOOL)), a),
        "compose": ((Fn((b,), INT), a_to_b), a_to_int),
        "chain": ((Fn((b,), INT), a_to_b, Fn((b,), a)), Fn((b,), INT)),
        "matcher": ((a_to_b, b), Fn((a,), BOOL)),
        "fork": ((joined, Fn((PAIR,), a), Fn((PAIR,), b)), Fn((PAIR,), INT)),
        "lbind": ((joined, a), Fn((b,), INT)),
        "rbind": ((joined, b), Fn((a,), INT)),
        "power": ((Fn((PAIR,), PAIR), INT), Fn((PAIR,), PAIR)),
    }
    return table[name]


def to_value(kind: Kind, raw: Kind, is_set: bool) -> list[Way]:
    """Data by a loop, a choice or a call of a function."""
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
    """Containers, of functions as well as of data."""
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
    """Functions made of functions."""
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
    """Functions chosen among several, or made by a call."""
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
    """Functions that call the function that they are given."""
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
    """Functions that make functions."""
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
    """Functions that loop, also with a function that they make themselves."""
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
