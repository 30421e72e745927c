"""What declarations say of ops, for certain and as is likely, held against the reference body of every op."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest

from batt.analysis.domain import ALWAYS, CERTAIN, LIKELY, given, refusals, refused
from batt.analysis.values import (
    FUNCTION,
    GRID,
    INT,
    LETTERS,
    NEVER,
    SET,
    UNKNOWN,
    AbstractValue,
    certain_constant,
    lettered,
)
from batt.ops import EVERY_OP, METER, OPS, RAISABLE, WORDS, Op, OverBudget
from batt.types import Kind, OrderedSet
from word_vectors import random_arguments

CALLED = [name for name in sorted(EVERY_OP) if EVERY_OP[name].family != "functions"]
FUNCTIONS = [OPS[name] for name in ("identity", "size", "first", "toivec", "flip", "astuple", "combine", "add")]


def some(rng: random.Random, make: Any, least: int = 1, most: int = 4) -> list[Any]:
    return [make(rng) for _ in range(rng.randint(least, most))]


def pair(rng: random.Random) -> Any:
    return rng.randint(-2, 5), rng.randint(-2, 5)


def cell(rng: random.Random) -> Any:
    return rng.randint(0, 9), pair(rng)


def grid(rng: random.Random) -> Any:
    width, odd = rng.randint(1, 4), rng.choice((0, 1))
    return tuple([tuple(rng.choices((0, 1, 2, None), (4, 3, 2, odd), k=width)) for _ in range(rng.randint(1, 4))])


def patch(rng: random.Random) -> Any:
    return OrderedSet(some(rng, rng.choice([pair, cell]), most=5))


@cache
def meant() -> list[Any]:
    """Values that ops are meant for."""
    rng = random.Random(0)
    found: list[Any] = [0, 1, 2, -1, 3, 10, True, False, None, (), OrderedSet(), *FUNCTIONS]
    found += [tuple(FUNCTIONS[:2]), OrderedSet(FUNCTIONS[:2])] * 20
    for _ in range(50):
        found += [pair(rng), cell(rng), grid(rng), patch(rng), patch(rng), tuple(patch(rng)), tuple(some(rng, grid))]
        found += [OrderedSet(some(rng, patch)), tuple(some(rng, pair)), ((grid(rng), grid(rng)),) * rng.randint(1, 2)]
    return found


@cache
def values() -> list[Any]:
    """Those, and tuples and sets of values picked blindly."""
    rng = random.Random(0)
    found = list(meant())
    for _ in range(500):
        found.append(rng.choice([tuple, OrderedSet, frozenset])(rng.sample(found, rng.randint(1, 3))))
    return found


def shape_of(value: Any) -> int:
    return certain_constant(value).shapes


@cache
def values_of(allowed: int, kind: Kind | None) -> list[Any]:
    """The values that have one of these shapes and, where there are any, look like the kind."""
    looks = {Kind.INT: "i", Kind.PAIR: "p", Kind.GRID: "g", Kind.PATCH: "sz", Kind.OBJECT: "s", Kind.FN: "f"}
    likely = allowed & lettered(looks.get(kind, "*")) if kind else 0
    return [value for value in meant() if shape_of(value) & likely] or [
        value for value in values() if shape_of(value) & allowed
    ]


def arguments(rng: random.Random, op: Op, shapes: Sequence[int]) -> list[Any]:
    """Arguments of these shapes, most of them of a kind that the op expects; many an int counts items beside it."""
    params: Sequence[Any] = rng.choice(op.signatures).params
    kinds = [kind if rng.random() < 0.75 else None for kind in params]
    args = [rng.choice(values_of(*each)) for each in zip(shapes, kinds, strict=True)]
    sizes = [len(arg) for arg in args if isinstance(arg, tuple | frozenset)]
    return [rng.choice(sizes) if sizes and isinstance(arg, int) and rng.random() < 0.5 else arg for arg in args]


def outcome(op: Op, args: Sequence[Any]) -> tuple[bool, Any]:
    METER.reset(100_000, 100_000)
    try:
        return True, op(*args)
    except (*RAISABLE, OverBudget):
        return False, None
    finally:
        METER.reset()


@pytest.mark.parametrize("name", [name for name in CALLED if refusals(EVERY_OP[name])])
def test_what_an_op_refuses_raises_whatever_else_it_is_given(name: str):
    rng = random.Random(name)
    for refusal in refusals(EVERY_OP[name]):
        for letter in LETTERS.values():
            if letter & refusal.shapes[refusal.position]:
                shapes = [letter if at == refusal.position else each for at, each in enumerate(refusal.shapes)]
                for _ in range(30):
                    args = arguments(rng, EVERY_OP[name], shapes)
                    assert outcome(EVERY_OP[name], args) == (False, None), args


@pytest.mark.parametrize("name", CALLED)
def test_what_an_op_gives_has_the_shape_that_is_certain(name: str):
    rng, op = random.Random(name), EVERY_OP[name]
    succeeded = 0
    for _ in range(300):
        # New words take only plain values, which are rare among others.
        is_plain = op.group == WORDS and rng.random() < 0.2
        args = random_arguments(op, rng) if is_plain else arguments(rng, op, [UNKNOWN.shapes] * op.arity)
        ok, value = outcome(op, args)
        if ok:
            known = [certain_constant(arg) for arg in args]
            assert refused(op, known) is None, args
            assert given(op, known).shapes & shape_of(value), (args, value)
            assert ALWAYS[name].shapes & shape_of(value), (args, value)
        succeeded += ok
    assert succeeded > 10


@pytest.mark.parametrize("name", CALLED)
def test_knowing_less_refuses_less_and_allows_more(name: str):
    rng, op = random.Random(name), EVERY_OP[name]
    letters = list(LETTERS.values())
    for _ in range(60):
        exact = [rng.choice(letters) for _ in op.params]
        vague = [each | rng.choice((0, rng.choice(letters), rng.randint(0, UNKNOWN.shapes))) for each in exact]
        less, more = [AbstractValue(each) for each in vague], [AbstractValue(each) for each in exact]
        assert given(op, more).shapes & ~given(op, less).shapes == 0
        assert refused(op, less) is None or refused(op, more) is not None


def test_no_call_is_refused_for_a_function():
    found = [each for op in EVERY_OP.values() for each in refusals(op)]
    assert found
    assert not any(each.shapes[each.position] & FUNCTION.shapes for each in found)


def test_a_call_that_is_never_reached_is_not_refused():
    assert refused(OPS["size"], [INT]) == 0
    assert refused(OPS["combine"], [INT, NEVER]) is None


def test_what_certainly_raises_is_never_made():
    assert CERTAIN.call(OPS["first"], [INT]) == NEVER
    assert LIKELY.call(OPS["first"], [INT]) != NEVER


def test_the_greatest_key_is_what_the_function_gives():
    assert CERTAIN.call(OPS["valmax"], [SET, FUNCTION], INT) == INT
    assert CERTAIN.call(OPS["valmax"], [INT, FUNCTION], INT) == NEVER
    assert CERTAIN.call(OPS["apply"], [FUNCTION, INT], INT) == NEVER


def test_one_or_the_other_is_certainly_one_of_both_and_likely_of_a_kind_that_covers_both():
    assert CERTAIN.join(INT, GRID).shapes == INT.shapes | GRID.shapes
    assert LIKELY.join(INT, GRID) == UNKNOWN


def test_of_items_nothing_is_certain():
    assert CERTAIN.item(GRID) == UNKNOWN
    assert str(LIKELY.item(GRID).kind) == "tuple"
