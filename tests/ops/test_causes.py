"""Every error of a primitive has a cause in plain words that names the primitive."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from batt.dsl import (
    add,
    apply,
    argmax,
    astuple,
    cellwise,
    center,
    chain,
    color,
    colorfilter,
    compose,
    divide,
    downscale,
    extract,
    fill,
    first,
    fork,
    gravitate,
    greater,
    hsplit,
    identity,
    index,
    interval,
    last,
    lbind,
    mapply,
    maximum,
    mostcolor,
    other,
    papply,
    power,
    rapply,
    size,
    sizefilter,
    square,
    ulcorner,
    uppermost,
    upscale,
)
from batt.ir import Helper
from batt.ops import OPS, RAISABLE
from batt.ops.causes import explain_error
from batt.own import load_ops
from batt.own.inputs import random_value
from batt.runtime import Limits, outcome_of
from batt.types import Kind, OrderedSet
from handmade import program

GRID = ((1, 2, 3), (4, 5, 6), (7, 8, 9))
NOTHING: OrderedSet[Any] = OrderedSet()
BAD: tuple[Any, ...] = (
    *(None, 5, -1, 0, (), NOTHING, ((),), ((1, 2), (3,)), (1, 2, 3), (None, 1), (1, 2), identity, GRID),
    *(OrderedSet([NOTHING]), OrderedSet([1, 2]), OrderedSet([(0, 0)]), OrderedSet([OrderedSet([(1, (0, 0))])])),
)
OF_TWO = ("papply", "mpapply", "prapply")
"""Ops that call their function with two arguments."""


def cause(function: Callable[..., Any], *args: Any) -> str:
    """Why a call raises; empty where it does not."""
    try:
        function(*args)
    except RAISABLE as error:
        return explain_error(error)
    return ""


@pytest.mark.parametrize("name", OPS)
def test_every_op_that_fails_is_named_in_the_cause(name: str):
    op, rng = OPS[name], Random(name)
    assert cause(op, *[1] * (op.arity + 1)).startswith(f"{name} takes {op.arity} argument")
    for signature in op.signatures:
        for position in range(op.arity):
            for bad in BAD:
                kinds = [random_value(kind, rng) if kind is not Kind.FN else None for kind in signature.params]
                args = [(astuple if name in OF_TWO else identity) if arg is None else arg for arg in kinds]
                args[position] = bad
                told = cause(op, *args)
                assert not told or name in told or "identity takes 1 argument" in told, (told, args)


@pytest.mark.parametrize(
    ("op", "args", "told"),
    [
        (argmax, (NOTHING, size), "argmax of an empty set"),
        (first, ((),), "first of an empty tuple"),
        (last, (NOTHING,), "last of an empty set"),
        (color, (NOTHING,), "color of an empty set"),
        (uppermost, (NOTHING,), "uppermost of an empty set"),
        (mostcolor, ((),), "mostcolor of an empty grid"),
        (fill, ((), 2, NOTHING), "fill of an empty grid"),
        (gravitate, (OrderedSet([(0, 0)]), NOTHING), "gravitate of an empty set as destination"),
        (mostcolor, (((), ()),), "mostcolor: element holds an empty tuple"),
        (colorfilter, (OrderedSet([NOTHING]), 5), "colorfilter: objs holds an empty set"),
        (upscale, (GRID, GRID), "upscale expects an int as factor, got a grid"),
        (upscale, (3, 2), "upscale expects a grid or an object as element, got an int"),
        (ulcorner, (5,), "ulcorner expects a patch, got an int"),
        (center, (((1, 2), (3,)),), "center expects a patch, got a tuple of rows of different lengths"),
        (index, (GRID, GRID), "index expects a pair as loc, got a grid"),
        (lbind, (5, 1), "lbind expects a function, got an int"),
        (add, (1, None), "add expects an int or a pair as b, got None"),
        (sizefilter, ((1, 2, 3), 1), "sizefilter fails on a tuple of 3 ints and an int"),
        (divide, (1, 0), "divide by zero"),
        (divide, ((1, 2), (1, 0)), "divide by zero"),
        (downscale, (GRID, 0), "downscale by zero"),
        (hsplit, (GRID, 0), "hsplit by zero"),
        (interval, (1, 5, 0), "interval by zero"),
        (greater, (GRID, 5), "greater cannot compare a tuple with an int"),
        (maximum, ((1, (1, 2)),), "maximum cannot compare a tuple with an int"),
        (cellwise, (GRID, ((1, 2),), 0), "cellwise: a is 3 × 3, b is 1 × 2"),
        (extract, ((1, 2, 3), is_below_zero := lbind(greater, 0)), "extract: none of 3 items satisfies the condition"),
        (extract, ((1,), is_below_zero), "extract: the only item does not satisfy the condition"),
        (other, ((1, 1), 1), "other: all 2 items equal the value"),
        (power, (identity, 1000), "power applies a function 1 to 900 times, not 1000"),
        (apply, (5, (1, 2)), "apply calls an int, which is not a function"),
        (rapply, ((None,), 1), "rapply calls None, which is not a function"),
        (papply, (identity, (1,), (2,)), "identity takes 1 argument, got 2"),
        (papply, (compose(first, first), (1,), (2,)), "papply: compose takes 1 argument, got 2"),
        (papply, (lbind(add, 1), (1,), (2,)), "lbind(add, 1) takes 1 argument, got 2"),
    ],
    ids=lambda part: None if isinstance(part, tuple) else str(part)[:40],
)
def test_causes(op: Callable[..., Any], args: tuple[Any, ...], told: str):
    assert cause(op, *args) == told


@pytest.mark.parametrize(
    ("function", "arg", "told"),
    [
        (compose(size, first), (), "first of an empty tuple"),
        (chain(size, first, first), ((),), "first of an empty tuple"),
        (lbind(apply, first), ((1, 2), ()), "first of an empty tuple"),
        (lbind(mapply, compose(square, first)), ((), 1), "first of an empty tuple"),
        (fork(divide, identity, size), 5, "size expects a tuple or a set as container, got an int"),
        (compose(5, identity), 1, "compose calls an int, which is not a function"),
    ],
    ids=str,
)
def test_the_cause_is_that_of_the_innermost_call(function: Callable[..., Any], arg: Any, told: str):
    assert cause(function, arg) == told


def test_functions_that_call_one_another_too_deeply():
    function = identity
    for _ in range(1000):
        function = compose(function, identity)
    outcome = outcome_of(lambda: function(1), Limits(), explain=True)
    assert outcome.cause == "compose: functions call one another more than 900 deep"


def test_a_helper_names_itself_or_the_op_that_fails_in_it():
    helper = Helper("twice", program("x = first(I)"))
    assert cause(helper, ()) == "first of an empty tuple"
    assert cause(helper, 1, 2) == "twice takes 1 argument, got 2"
    assert cause(Helper("odd", program("n = size(I)", "x = n(I)")), ()) == "odd calls an int, which is not a function"


def test_a_value_that_repeats_its_parts_is_told_at_once():
    rows = ((0,) * 1000,) * 100_000
    assert cause(ulcorner, (rows, OrderedSet([rows]))) == "ulcorner expects a patch, got a tuple of 2 items"
    value: Any = (0, 1)
    for _ in range(60):
        value = (value, value)
    assert cause(add, value, 1) == "add expects an int or a pair as a, got a tuple of 2 tuples"


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("raise ValueError('no\\x1b[31m luck\\nat all')", "f: no�[31m luck"),
        ("raise ValueError", "f gives no reason"),
        ("return first(x)", "first expects a tuple or a set as container, got an int"),
    ],
)
def test_an_own_op_gives_its_own_reason(tmp_path: Path, body: str, told: str):
    file = tmp_path / "ops.py"
    file.write_text(
        f"from batt.dsl import *\nfrom batt.own import INT, op\n\n\n@op(INT, result=INT)\ndef f(x):\n    {body}\n"
    )
    assert cause(load_ops(file)["f"], 5) == told
    assert cause(load_ops(file)["f"], 5, 6) == "f takes 1 argument, got 2"
