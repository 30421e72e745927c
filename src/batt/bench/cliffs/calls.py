"""The calls that are measured: each primitive, loops with each kind of body, and function values.

`I` stands for the value that is measured, `S` for a second one like it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from batt.ops import OPS, Op
from batt.types import Kind

LARGE = frozenset(
    {
        *(Kind.GRID, Kind.OBJECT, Kind.OBJECTS, Kind.INDICES, Kind.PATCH, Kind.PIECE, Kind.ELEMENT),
        *(Kind.TUPLE, Kind.SET, Kind.CONTAINER),
    }
)
SMALL: Mapping[Kind, str] = {
    Kind.ANY: "3", Kind.INT: "3", Kind.BOOL: "True", Kind.PAIR: "(1, 1)", Kind.NUM: "3", Kind.CELL: "(3, (1, 1))",
    Kind.FN: "identity",
}  # fmt: skip
"""The other arguments."""

SPECIAL: Mapping[str, tuple[str, ...]] = {
    "canvas": ("canvas(3, shape(I))",),
    "repeat": ("repeat(3, size(I))", "repeat(I, 2)"),
    "interval": ("interval(0, size(I), 1)",),
    "connect": ("connect((0, 0), (0, width(I)))", "connect((0, 0), (height(I), 0))"),
    "shoot": ("shoot((0, 0), (1, 1))",),
    "contained": ("contained(-7, I)", "contained(first(I), I)"),
    "insert": ("insert(3, I)", "insert((-7, -7), I)"),
    "remove": ("remove(first(I), I)", "remove(-7, I)"),
    "other": ("other(I, first(I))",),
    "crop": ("crop(I, (1, 1), decrement(shape(I)))",),
    "index": ("index(I, (1, 1))",),
    "objects": (
        "objects(I, True, False, True)", "objects(I, True, True, False)", "objects(I, False, True, True)",
        "objects(I, False, False, False)",
    ),
    "hsplit": ("hsplit(I, 2)",),
    "vsplit": ("vsplit(I, 2)",),
    "shift": ("shift(I, (2, -3))",),
    "occurrences": ("occurrences(I, initset((3, (0, 0))))", "occurrences(I, S)"),
    "move": ("move(I, S, (1, 1))", "move(I, initset((3, (0, 0))), (1, 1))"),
    "toobject": ("toobject(I, canvas(3, (1000, 1000)))", "toobject(S, I)"),
    "subgrid": ("subgrid(I, canvas(3, (1000, 1000)))", "subgrid(initset((0, 0)), I)"),
    "bordering": ("bordering(I, canvas(3, (1000, 1000)))", "bordering(initset((0, 0)), I)"),
    "fill": ("fill(I, 3, S)", "fill(I, 3, initset((0, 0)))"),
    "underfill": ("underfill(I, 3, S)", "underfill(I, 3, initset((0, 0)))"),
    "paint": ("paint(I, S)", "paint(I, initset((3, (0, 0))))"),
    "underpaint": ("underpaint(I, S)", "underpaint(I, initset((3, (0, 0))))"),
    "cover": ("cover(I, S)", "cover(I, initset((0, 0)))"),
    "replace": ("replace(I, 3, 4)", "replace(I, 303, 4)"),
    "equality": ("equality(I, S)", "equality(I, I)"),
    "greater": ("greater(size(I), 3)",),
    "branch": ("branch(True, I, S)",),
    "combine": ("combine(I, S)", "combine(I, initset((-7, -7)))", "combine(I, ((-7, -7),))"),
    "difference": ("difference(I, S)", "difference(I, initset((-7, -7)))", "difference(initset((-7, -7)), I)"),
    "intersection": ("intersection(I, S)", "intersection(I, initset((-7, -7)))", "intersection(initset((1, 1)), I)"),
    "product": ("product(I, (1, 2))", "product(I, initset((1, 1)))"),
    "sizefilter": ("sizefilter(I, 4)",),
    "colorfilter": ("colorfilter(I, 3)",),
    "astuple": ("astuple(I, S)",),
    "vconcat": ("vconcat(I, S)",),
    "hconcat": ("hconcat(I, S)",),
    "gravitate": ("gravitate(I, shift(I, (width(I), 0)))",),
}  # fmt: skip
"""The calls of ops that need more than a small value beside a large one."""

SORTING = frozenset({"order", "prapply", "dedupe", "mostcommon", "leastcommon"})
"""Ops that sort values: their time may grow by the logarithm of the items."""
SORTING_SETS = frozenset(
    {
        *("apply", "mapply", "mfilter", "rapply", "merge"),
        *("compose", "chain", "fork", "lbind", "rbind", "matcher", "power"),
    }
)
"""Ops that sort what they make if they get a set; the functions are called by `apply`."""
SORTING_TUPLES = frozenset({"combine", "difference", "product"})
"""Ops that sort a tuple among their arguments, as a set."""


def is_sorting(name: str, form: str, second: str) -> bool:
    """Tell whether a call of an op or loop must sort, by the forms of its arguments."""
    op = re.split("[, ]", name)[0]
    tuples = [each for each in (form, second) if "tuple" in each or "grid" in each]
    return op in SORTING or (op in SORTING_SETS and not tuples) or (op in SORTING_TUPLES and bool(tuples))


LOOP_BODIES: Mapping[str, str] = {
    "leaf op": "size",
    "op of ints": "increment",
    "composed": "compose(increment, size)",
    "helper": "twice_size",
    "nested loop": "nested",
}
HELPERS = """
def twice_size(x):
    n = size(x)
    return add(n, n)


def nested(x):
    y = apply(identity, x)
    return size(y)


def with_last(x):
    y = last(x)
    return combine(x, initset(y))


def copied(x):
    return apply(identity, x)


def is_large(x):
    n = size(x)
    return greater(n, 0)


def is_large_nested(x):
    y = apply(identity, x)
    n = size(y)
    return greater(n, 0)
"""
"""Functions of the loops' bodies."""
TESTS: Mapping[str, str] = {
    "leaf op": "size",
    "op of ints": "positive",
    "composed": "compose(positive, size)",
    "helper": "is_large",
    "nested loop": "is_large_nested",
}
KEYED = ("argmax", "argmin", "valmax", "valmin", "order")
TESTING = ("sfilter", "mfilter", "extract")


@dataclass(frozen=True, slots=True)
class Call:
    """A call as source text, the op or the body that it is measured for, and the kinds of `I`.

    With `own` its kernel alone is measured, else the whole program, less what comes before.
    """

    name: str
    text: str
    kinds: frozenset[Kind]
    own: bool = True

    @property
    def op(self) -> str:
        """The op that is measured, or the loop or maker of functions."""
        return self.name.partition(",")[0]

    @property
    def has_second(self) -> bool:
        """Tell whether the call has a second large value."""
        return "S" in self.text.replace("SET", "")


def op_calls() -> Iterator[Call]:
    """Return the calls of the ops that call no function."""
    for op in OPS.values():
        if not any(Kind.FN in each.params for each in op.signatures) and op.name != "rapply":
            yield from _calls_of(op)


def _calls_of(op: Op) -> Iterator[Call]:
    kinds = frozenset([kind for each in op.signatures for kind in each.params if kind in LARGE])
    if op.name in SPECIAL:
        yield from [Call(op.name, text, kinds or frozenset({Kind.ANY, Kind.PATCH})) for text in SPECIAL[op.name]]
        return
    if not kinds:
        args = ["I" if op.signatures[0].params[0] is Kind.ANY and not at else _scalar(kind)
                for at, kind in enumerate(op.signatures[0].params)]  # fmt: skip
        yield Call(op.name, f"{op.name}({', '.join(args)})", frozenset({Kind.ANY}))
        return
    params = next(each.params for each in op.signatures if any(kind in LARGE for kind in each.params))
    names = iter("IS")
    args = [next(names) if kind in LARGE else SMALL[kind] for kind in params]
    yield Call(op.name, f"{op.name}({', '.join(args)})", kinds)


def _scalar(kind: Kind) -> str:
    # An int that the compiler does not know: the ops of ints cost the same whatever `I` is.
    return "size(I)" if kind is Kind.INT else "astuple(size(I), 3)" if kind is Kind.PAIR else SMALL[kind]


def loop_calls() -> Iterator[Call]:
    """Return loops with each kind of body."""
    containers = frozenset({Kind.TUPLE, Kind.SET, Kind.OBJECTS, Kind.PATCH})
    for kind, body in LOOP_BODIES.items():
        yield Call(f"apply, {kind}", f"apply({body}, I)", containers, own=False)
        for op in KEYED:
            yield Call(f"{op}, {kind}", f"{op}(I, {body})", containers, own=False)
    for kind, body in {**LOOP_BODIES, "leaf op": "totuple", "composed": "compose(totuple, identity)",
                       "helper": "with_last", "nested loop": "copied"}.items():  # fmt: skip
        yield Call(f"mapply, {kind}", f"mapply({body}, I)", containers, own=False)
    for op in TESTING:
        for kind, body in TESTS.items():
            if op == "mfilter" and body == "positive":
                continue  # ints cannot be merged
            yield Call(f"{op}, {kind}", f"{op}(I, {body})", containers, own=False)
    yield Call("rapply", "rapply((size, first, last, identity), I)", containers, own=False)
    yield Call("papply", "papply(astuple, I, I)", containers, own=False)
    yield Call("mpapply", "mpapply(astuple, I, I)", containers, own=False)
    yield Call("prapply", "prapply(astuple, I, initset((1, 1)))", containers, own=False)


MADE: Mapping[str, str] = {
    "compose": "compose(size, identity)",
    "chain": "chain(increment, size, identity)",
    "fork": "fork(astuple, size, first)",
    "lbind": "lbind(astuple, 3)",
    "rbind": "rbind(astuple, 3)",
    "matcher": "matcher(size, 4)",
    "power": "power(identity, 5)",
}


def function_calls() -> Iterator[Call]:
    """Return loops that call each kind of function value; the program gets them as values."""
    containers = frozenset({Kind.TUPLE, Kind.SET, Kind.OBJECTS, Kind.PATCH})
    for name, text in MADE.items():
        yield Call(f"{name}, called", f"apply({text}, I)", containers, own=False)
