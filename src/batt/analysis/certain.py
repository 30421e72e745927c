"""What is certain of values: their coarse shapes, the shapes that ops certainly give, and those they certainly refuse.

A shape is a set of letters, as a bit mask: all that the value can be. What an op's declaration says it `gives` and
`refuses` follows from its reference body and is tested against it; what is not certain whatever else is given is left
out. Knows no graph.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, reduce
from itertools import product
from operator import and_, or_
from typing import Any, NamedTuple

from batt.ops import EVERY_OP, Op
from batt.ops.schemes import Two, schemes
from batt.types import Function

MAX_KEPT = 10_000
"""How many results are kept: most calls of a deck have the shapes of others."""

LETTERS = "inepgtzsf"
"""int, None, empty tuple, pair of ints, tuple of tuples that all have items, other tuple, empty set, other set, fn."""


def shape(letters: str) -> int:
    """The mask of these letters."""
    return sum([1 << LETTERS.index(letter) for letter in letters])


def shape_of(value: Any) -> int:
    """The shape of a value, one bit."""
    if isinstance(value, int):
        return INT
    if isinstance(value, tuple):
        if len(value) == 2 and isinstance(value[0], int) and isinstance(value[1], int):
            return PAIR
        rows = all(isinstance(item, tuple) and item for item in value)
        return shape("g" if rows else "t") if value else EMPTY
    if isinstance(value, frozenset):
        return shape("s" if value else "z")
    return shape("f" if isinstance(value, Function) else "n")


INT, NONE, EMPTY, PAIR, GRID = shape("i"), shape("n"), shape("e"), shape("p"), shape("g")
TUPLES, SETS, FUNCTION, ANY = shape("epgt"), shape("zs"), shape("f"), shape(LETTERS)
_FILLED_TUPLES = shape("pgt")


class Rule(NamedTuple):
    """A call whose arguments all have these shapes raises; the argument at `position` is to blame."""

    position: int
    shapes: tuple[int, ...]


def _rules(op: Op) -> tuple[Rule, ...]:
    """Read what an op refuses: `grid: inp; factor: nepgtzs if grid=g`."""
    found = []
    for each in op.known.refuses.split("; ") if op.known.refuses else ():
        params, _, text = each.partition(": ")
        letters, _, conditions = text.partition(" if ")
        for param in params.split():
            given = dict([condition.split("=") for condition in conditions.split()], **{param: letters})
            shapes = tuple([shape(given.get(name, LETTERS)) for name in op.params])
            found.append(Rule(op.params.index(param), shapes))
    return tuple(found)


RULES: Mapping[str, tuple[Rule, ...]] = {op.name: _rules(op) for op in EVERY_OP.values() if op.known.refuses}


def refused(op: Op, args: Sequence[int]) -> int | None:
    """The position of the argument for which a call certainly raises, None where it may succeed."""
    if not all(args):
        # An argument that is never made: the call is never reached.
        return None
    for rule in RULES.get(op.name, ()):
        if not any(arg & ~allowed for arg, allowed in zip(args, rule.shapes, strict=True)):
            return rule.position
    return None


class Given(NamedTuple):
    """What arguments of these letters, one at each position, certainly give."""

    letters: tuple[int, ...]
    shapes: int


def _given(op: Op) -> tuple[tuple[int, ...], tuple[Given, ...]]:
    """Read what an op gives: the positions of the arguments that decide, and what each choice of letters gives."""
    name, colon, text = op.known.gives.rpartition(": ")
    steps = [step.split(">") for step in text.split()]
    count = max([when.count("+") + 1 for when, _ in steps])
    positions = (op.params.index(name),) if colon else tuple(range(count))
    whens = [[_mask(group) for group in when.split("+")] for when, _ in steps]
    found = []
    for letters in product([1 << at for at in range(len(LETTERS))], repeat=len(positions)):
        # The first step that speaks of these letters counts; where none does, the call raises.
        fitting = [at for at, when in enumerate(whens) if all(map(and_, letters, when))]
        found += [Given(letters, _mask(steps[at][1])) for at in fitting[:1]]
    return positions, tuple(found)


def _mask(letters: str) -> int:
    return ANY if letters == "*" else shape(letters)


@lru_cache(MAX_KEPT)
def _looked_up(name: str, deciding: tuple[int, ...]) -> int:
    """What an op gives for the shapes of the arguments that decide."""
    return reduce(or_, [step.shapes for step in GIVEN[name][1] if all(map(and_, deciding, step.letters))], 0)


GIVEN = {op.name: _given(op) for op in EVERY_OP.values() if op.known.gives}


def made(op: Op, args: Sequence[int]) -> int:
    """All that a call that succeeds can give."""
    if op.name in GIVEN:
        return _looked_up(op.name, tuple([args[at] for at in GIVEN[op.name][0]]))
    for scheme in schemes(op.known.types):
        if scheme.chosen_from:
            return reduce(or_, [args[at] for at in scheme.chosen_from])
        if isinstance(scheme.result, Two) and scheme.params == (scheme.result.a, scheme.result.b):
            return tuple_shape(args)
    return ANY


def tuple_shape(items: Sequence[int]) -> int:
    """The shape of a tuple display of items of these shapes."""
    if not items:
        return EMPTY
    found = 0 if all(each == INT for each in items) and len(items) == 2 else shape("t")
    if len(items) == 2 and items[0] & items[1] & INT:
        found |= PAIR
    if all(each & _FILLED_TUPLES for each in items):
        found = GRID if all(each & ~_FILLED_TUPLES == 0 for each in items) else found | GRID
    return found
