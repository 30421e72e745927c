"""The tables of certain shapes, held against the reference body of every op."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest

from batt.analysis.certain import ANY, LETTERS, RULES, made, refused, shape, shape_of, tuple_shape
from batt.ops import EVERY_OP, METER, OPS, RAISABLE, Op, OverBudget
from batt.types import Kind, OrderedSet

CALLED = [name for name in sorted(EVERY_OP) if EVERY_OP[name].family != "functions"]
FUNCTIONS = [OPS[name] for name in ("identity", "size", "first", "toivec", "flip", "astuple", "combine", "add")]


def some(rng: random.Random, make: Any, least: int = 1, most: int = 4) -> list[Any]:
    return [make(rng) for _ in range(rng.randint(least, most))]


def pair(rng: random.Random) -> Any:
    return rng.randint(-2, 5), rng.randint(-2, 5)


def cell(rng: random.Random) -> Any:
    return rng.randint(0, 9), pair(rng)


def grid(rng: random.Random) -> Any:
    width = rng.randint(1, 4)
    return tuple([tuple(rng.choices((0, 1, 2, None), (4, 3, 2, 1), k=width)) for _ in range(rng.randint(1, 4))])


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


@cache
def values_of(allowed: int, kind: Kind | None) -> list[Any]:
    """The values that have one of these shapes and, where there are any, look like the kind."""
    looks = {Kind.INT: "i", Kind.PAIR: "p", Kind.GRID: "g", Kind.PATCH: "sz", Kind.OBJECT: "s", Kind.FN: "f"}
    likely = allowed & shape(looks.get(kind, LETTERS)) if kind else 0
    return [value for value in meant() if shape_of(value) & likely] or [
        value for value in values() if shape_of(value) & allowed
    ]


def arguments(rng: random.Random, op: Op, shapes: Sequence[int]) -> list[Any]:
    """Arguments of these shapes, most of them of a kind that the op expects."""
    params: Sequence[Any] = rng.choice(op.signatures).params
    kinds = [kind if rng.random() < 0.75 else None for kind in params]
    return [rng.choice(values_of(*each)) for each in zip(shapes, kinds, strict=True)]


def outcome(op: Op, args: Sequence[Any]) -> tuple[bool, Any]:
    METER.reset(100_000, 100_000)
    try:
        return True, op(*args)
    except (*RAISABLE, OverBudget):
        return False, None
    finally:
        METER.reset()


@pytest.mark.parametrize("name", sorted(set(RULES) & set(CALLED)))
def test_what_an_op_refuses_raises_whatever_else_it_is_given(name: str):
    rng = random.Random(name)
    for rule in RULES[name]:
        for letter in LETTERS:
            if shape(letter) & rule.shapes[rule.position]:
                shapes = [shape(letter) if at == rule.position else each for at, each in enumerate(rule.shapes)]
                for _ in range(30):
                    args = arguments(rng, EVERY_OP[name], shapes)
                    assert outcome(EVERY_OP[name], args) == (False, None), args


@pytest.mark.parametrize("name", CALLED)
def test_what_an_op_gives_has_the_shape_that_is_certain(name: str):
    rng = random.Random(name)
    succeeded = 0
    for _ in range(300):
        args = arguments(rng, EVERY_OP[name], [ANY] * EVERY_OP[name].arity)
        ok, value = outcome(EVERY_OP[name], args)
        if ok:
            shapes = [shape_of(arg) for arg in args]
            assert refused(EVERY_OP[name], shapes) is None, args
            assert made(EVERY_OP[name], shapes) & shape_of(value), (args, value)
        succeeded += ok
    assert succeeded > 5


@pytest.mark.parametrize("name", CALLED)
def test_knowing_less_refuses_less_and_allows_more(name: str):
    rng, op = random.Random(name), EVERY_OP[name]
    for _ in range(60):
        exact = [1 << rng.randrange(len(LETTERS)) for _ in op.params]
        vague = [each | rng.choice((0, 1 << rng.randrange(len(LETTERS)), rng.randint(0, ANY))) for each in exact]
        assert made(op, exact) & ~made(op, vague) == 0
        assert refused(op, vague) is None or refused(op, exact) is not None


def test_no_call_is_refused_for_a_function():
    assert not any(rule.shapes[rule.position] & shape("f") for rules in RULES.values() for rule in rules)


def test_a_call_that_is_never_reached_is_not_refused():
    assert refused(OPS["size"], [shape("i")]) == 0
    assert refused(OPS["combine"], [shape("i"), 0]) is None


def test_letters_part_the_values():
    found = {LETTERS[shape_of(value).bit_length() - 1] for value in values()}
    assert found == set(LETTERS)
    assert all(shape_of(value).bit_count() == 1 for value in values())


@pytest.mark.parametrize(("a", "b", "gives"), [("i", "i", "p"), ("g", "p", "g"), ("i", "g", "t"), ("ip", "ip", "pgt")])
def test_tuple_displays(a: str, b: str, gives: str):
    assert tuple_shape([shape(a), shape(b)]) == shape(gives)
