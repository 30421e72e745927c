"""Values of hundreds of items, for which native code has ways of its own: it gives what the reference gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from batt.bytecode.abi import Cause, Ended
from batt.dsl import chain, compose
from batt.front import Deck
from batt.ir import Literal, Program, Slot, Step
from batt.jobs import evaluate
from batt.ops import find_op
from batt.runtime import ERROR_KINDS, Limits, Status, evaluate_one
from batt.tasks import tasks_from_dict
from batt.types import OrderedSet, fingerprint
from handmade import sample, source
from native_library import needs_library
from native_values import Native

pytestmark = needs_library

LIMITS = Limits()
FLAGS = [(univalued, diagonal, without) for univalued in (0, 1) for diagonal in (0, 1) for without in (0, 1)]


def random_grid(height: int, width: int, values: list[Any], seed: int = 0, weights: Any = None) -> tuple[Any, ...]:
    """A grid of values that are chosen at random, some more often with `weights`."""
    random = np.random.default_rng([height, width, len(values), seed])
    chosen = random.choice(len(values), (height, width), p=weights)
    return tuple([tuple([values[at] for at in row]) for row in chosen.tolist()])


def check(calls: list[tuple[str, tuple[Any, ...]]]) -> None:
    """Hold status, kind of error, steps and value of calls against those of the reference engine."""
    programs = [
        Program(("I",), 1, (Step(Literal(find_op(name)), tuple([Literal(arg) for arg in args]), "x", 1),), Slot(1))
        for name, args in calls
    ]
    native = Native(programs)
    assert not native.encoded.refused
    for number, program in enumerate(programs):
        result, _ = native.run(number)
        if int(result["status"]) == Ended.UNSUPPORTED:  # left to the reference, as ints beyond 64 bits are
            assert int(result["cause"]) == Cause.WIDE_INT, calls[number][0]
            continue
        expected = evaluate_one(program, sample(), LIMITS)
        assert int(result["status"]) == expected.status, calls[number][0]
        assert int(result["steps"]) == expected.steps, calls[number][0]
        if expected.status == Status.RAISED:
            assert ERROR_KINDS[int(result["error"])] == expected.error
        else:
            assert int(result["hash"]) == fingerprint(expected.value), calls[number][0]


TEN = list(range(10))
GRIDS: dict[str, tuple[Any, ...]] = {
    # Sides beyond 63: short runs, long ones, and all but one cell of one colour.
    "dense": random_grid(70, 66, TEN),
    "two colours": random_grid(65, 70, [3, 7]),
    "mostly one colour": random_grid(80, 64, TEN, weights=[0.91, *[0.01] * 9]),
    "one colour": ((4,) * 70,) * 66,
    "stripes": tuple([tuple([(i + j // 40) % 3 for j in range(80)]) for i in range(64)]),
    "many colours": random_grid(64, 64, list(range(256))),
    "tall": random_grid(300, 3, TEN),
    "wide": random_grid(3, 300, TEN),
    "one column": random_grid(200, 1, [0, 5]),
    "one row": random_grid(1, 200, [0, 5]),
    # Two ways of ranking ints, both of 32 bits, and ints that are ranked one by one.
    "near ints": random_grid(66, 64, [300 + c for c in TEN]),
    "negative ints": random_grid(66, 64, [-300, -299, -47, 3]),
    "ints that spread": random_grid(66, 64, [-4_000, 0, 17, 4_000]),
    "ints up to the limits": random_grid(66, 64, [-(2**31), 2**31 - 1, 0]),
    "ints beyond 32 bits": random_grid(66, 64, [2**31, -(2**31) - 1, 0, 5]),
    "many ints": random_grid(30, 40, [7 * c - 2_000 for c in range(600)]),
    "ints and others": random_grid(40, 70, [0, 1, None, (1, 2), -(2**40)]),
    "small, of other values": random_grid(20, 20, [0, (), None, 10**12]),
    # No grids: the rows of these differ in length.
    "longer rows": (*random_grid(2, 90, TEN), (1,) * 95, *random_grid(64, 90, TEN)),
    "a shorter row": (*random_grid(70, 90, TEN), (1,) * 80),
    "a row that is no tuple": (*random_grid(70, 90, TEN), 5),
}
LONG_GRIDS: dict[str, tuple[Any, ...]] = {
    "rows beyond keys": random_grid(32_800, 2, [0, 0, 1, 2]),
    "columns beyond keys": random_grid(2, 32_800, [0, 0, 1, 2]),
    "wide ints": random_grid(32_800, 2, [300, 301, -2]),
    "mostly one value": random_grid(2, 65_600, [300, 2**40], weights=[0.97, 0.03]),
}


@pytest.mark.parametrize("name", GRIDS)
def test_objects_of_large_grids(name: str) -> None:
    ways = [(GRIDS[name], *[bool(flag) for flag in flags]) for flags in FLAGS]
    check(
        [
            *[("objects", way) for way in ways],
            *[(op, (GRIDS[name],)) for op in ("partition", "fgpartition", "frontiers")],
        ]
    )


def test_objects_of_any_colours_in_rows_of_every_width() -> None:
    # Rows of at most 63 cells are read as bits; those of 64 and more have runs that cross a word.
    widths = (1, 3, 62, 63, 64, 65, 130)
    grids = [
        random_grid(height, width, values, weights=[share, *[(1 - share) / (len(values) - 1)] * (len(values) - 1)])
        for width in widths
        for height, share in ((70, 0.1), (64, 0.5), (66, 0.97))
        for values in (TEN, [0, 255, 7], [300, -300, 2**20])
    ]
    flags = ((False, False, True), (False, True, True))
    check([("objects", (grid, *each)) for grid in grids for each in flags])


def test_rows_that_are_no_tuples_of_ints_are_not_ranked() -> None:
    near = random_grid(80, 3, [300 + c for c in TEN])
    rows = (OrderedSet([300, 301, 302]), (300, (1, 2), 301), ((300, 1), 2, 3), (300, None, 301), (300, 301), (1, 2, 3))
    grids = [(*near, row, *near[:3]) for row in rows]
    ops = ("partition", "fgpartition", "frontiers")
    check([*[("objects", (grid, *flags)) for grid in grids for flags in FLAGS],
           *[(op, (grid,)) for grid in grids for op in ops]])  # fmt: skip


@pytest.mark.parametrize("name", LONG_GRIDS)
def test_objects_of_grids_with_a_side_beyond_keys(name: str) -> None:
    grid = LONG_GRIDS[name]
    check([("objects", (grid, *flags)) for flags in ((True, True, False), (False, False, True), (False, True, False))])
    check([(op, (grid,)) for op in ("partition", "fgpartition", "frontiers")])


WIDE = 2**40
LISTS: dict[str, tuple[Any, ...]] = {
    "ints": tuple(range(-30, 40)),
    "wide ints": tuple([n * WIDE for n in range(-30, 40)]),
    "ints up to the limits": (*range(70), 2**60, -(2**60), 2**63 - 1, -(2**63)),
    "pairs of bytes": tuple([(n % 7, n % 5) for n in range(70)]),
    "pairs": tuple([(n % 7 - 3, -n) for n in range(70)]),
    "wide pairs": tuple([(n % 7 * WIDE, -n * WIDE) for n in range(70)]),
    "pairs of both kinds": tuple([(n % 3, n * WIDE if n % 2 else n) for n in range(70)]),
    "triples": tuple([(n % 3, WIDE - n % 20, n) for n in range(70)]),
    "rows and triples": tuple([(n % 3, n % 20, n * 9) for n in range(70)]),
    "alike": ((700,) * 8,) * 70,
    "pairs near the limits": tuple([(2**59 - n % 5, n - 2**59) for n in range(70)]),
    "a pair beyond the limits": (*[(WIDE, n) for n in range(70)], (2**63 - 1, 3)),
    "a late tuple of one": (*[(WIDE, n) for n in range(70)], (WIDE,)),
    "a late tuple with None": (*[(WIDE, n) for n in range(70)], (None, WIDE)),
    "a late int": (*[(WIDE, n) for n in range(70)], 5),
    "an early pair of pairs": (((1, 2), (3, 4)), *[(WIDE, n) for n in range(70)]),
    "tuples and sets": tuple([OrderedSet(range(n % 5)) if n % 2 else (WIDE,) * (n % 7) for n in range(70)]),
    "cells": tuple([(n % 3, (n, WIDE)) for n in range(70)]),
    "one": ((WIDE, 3),),
    "nothing": (),
}
BODIES = [
    *("increment", "decrement", "double", "halve", "invert", "crement", "sign", "size", "first", "positive", "flip"),
    *("identity", "initset", "totuple"),
]
LOOPS = {
    **dict.fromkeys(("argmax", "argmin", "valmax", "valmin", "sfilter", "extract"), ("container", "function")),
    **dict.fromkeys(("apply", "mapply"), ("function", "container")),
}


@pytest.mark.parametrize("name", LISTS)
def test_loops_over_tuples_and_sets_of_every_kind(name: str) -> None:
    functions = [*map(find_op, BODIES), compose(find_op("increment"), find_op("double"))]
    functions.append(chain(find_op("sign"), find_op("increment"), find_op("halve")))
    check(
        [
            (op, (function, container) if order[0] == "function" else (container, function))
            for op, order in LOOPS.items()
            for container in (LISTS[name], OrderedSet(LISTS[name]))
            for function in functions
        ]
    )


def shifted(container: tuple[Any, ...]) -> tuple[Any, ...]:
    """Half of the items, and as many others of the same kind."""
    return (*container[: len(container) // 2], *[(each, 1) for each in container[1::2]], *container[5:9])


@pytest.mark.parametrize("name", LISTS)
def test_sets_of_every_kind(name: str) -> None:
    some = OrderedSet(LISTS[name])
    others = [OrderedSet(shifted(LISTS[name])), OrderedSet([*some, *range(40)]), OrderedSet(LISTS["triples"])]
    pairs = [(op, pair) for op in ("intersection", "difference", "combine") for each in others
             for pair in ((some, each), (each, some))]  # fmt: skip
    check([*pairs, *[(op, (each,)) for op in ("maximum", "minimum") for each in (LISTS[name], *others, some)]])


SETS: dict[str, tuple[Any, ...]] = {
    "tuples that share seven items": tuple([(700,) * 7 + (n * WIDE,) for n in range(300)]),
    "tuples that share their ends": tuple([(n % 3, *(5,) * (n % 9), n) for n in range(300)]),
    "pairs of pairs": tuple([((n, n % 5), (n % 7, -n)) for n in range(300)]),
    "tuples of rows": tuple([((n % 5,) * 3, (n % 256, 1, 2)) for n in range(300)]),
    "tuples of both": tuple([((n, n % 5), n) if n % 2 else (n, (n, 3)) for n in range(300)]),
    "a tuple with None": (*[(WIDE, n) for n in range(300)], (WIDE, None)),
    "tuples of wide tuples": tuple([((WIDE, n), (n, WIDE)) for n in range(300)]),
    "empty tuples, too": ((), *[(n % 20, WIDE) for n in range(300)]),
    "objects": tuple([OrderedSet([(3, (n, j)) for j in range(4)]) for n in range(300)]),
    "unpacked objects": tuple([OrderedSet([(3, (n + 10**6, j)) for j in range(1 + n % 5)]) for n in range(300)]),
    "unpacked places": tuple([OrderedSet([(10**6, j) for j in range(n, n + 4)]) for n in range(300)]),
}


@pytest.mark.parametrize("name", SETS)
def test_sets_of_tuples_and_of_sets(name: str) -> None:
    items = SETS[name]
    half, other = OrderedSet(items[::2]), OrderedSet([*items[::3], *items[1:40:2]])
    pairs = [(op, pair) for op in ("intersection", "difference", "combine") for pair in ((half, other), (other, half))]
    check([*pairs, *[(op, (each,)) for op in ("maximum", "minimum") for each in (items, half, other)]])


PLACES: dict[str, tuple[Any, ...]] = {
    "near": tuple([(n % 40 + 300, n % 7) for n in range(500)]),
    "far apart": tuple([(n * 7_919 % 20_000, n * 104_729 % 20_000) for n in range(500)]),
    "negative": tuple([(-n, n % 3 - 1) for n in range(500)]),
    "with wide ones": tuple([(n, WIDE) if n == 300 else (n % 9, 400) for n in range(500)]),
    "with longer rows": tuple([(n, 300, n) if n % 50 == 0 else (n, 300) for n in range(500)]),
    "with an int": (*[(n, 300) for n in range(500)], 5),
}


@pytest.mark.parametrize("name", PLACES)
def test_tuples_of_places_as_grids_of_two_columns(name: str) -> None:
    places, patch = PLACES[name], OrderedSet([(0, 0), (3, 1), (9, 1)])
    cells = OrderedSet([(300, (n, 1)) for n in range(20)])
    calls = [(op, (places,)) for op in ("mostcolor", "leastcolor", "palette", "numcolors", "partition", "fgpartition")]
    check([*calls, ("underfill", (places, 3, patch)), ("cover", (places, patch)), ("underpaint", (places, cells))])


def test_places_drawn_on_tuples_of_places() -> None:
    packed = OrderedSet([(-1, 0), (0, 0), (3, 1), (9, 2), (9, -1), (70, 1), (10**4, 0)])
    far = OrderedSet([(5, 0), (6, 1), (10**6, 0), (-(10**6), 1), (7, 10**6)])
    patches = [packed, far, tuple(packed), tuple(far), OrderedSet(), (), ((0, 0), (1, 1)), 5,
               *[OrderedSet([(300, place) for place in each]) for each in (packed, far)]]  # fmt: skip
    canvases = [
        *PLACES.values(),
        ((300, 1),),
        ((0, 300), (1, 1)),
        ((300, 1), (2, 3)),
        tuple([(n, -n) for n in range(3)]),
    ]
    values = (3, 300, -5, 2**31, None, (1, 2))
    check([*[(op, (grid, value, patch)) for op in ("fill", "underfill") for grid in canvases for value in values
             for patch in patches],
           *[("cover", (grid, patch)) for grid in canvases for patch in patches]])  # fmt: skip


def test_the_center_of_mass_of_cells_that_share_places() -> None:
    random = np.random.default_rng(11)
    objects = []
    for count, reach, colours in (
        (300, 30_000, 10),
        (3_000, 30_000, 2),
        (3_000, 400, 10),
        (260, 10, 9),
        (255, 9_000, 9),
    ):
        drawn = random.integers(-reach, reach, (count, 2)).tolist()
        again = [drawn[at] for at in random.integers(0, count, count).tolist()]
        rows = [*drawn, *again, *again[: count // 2]]
        objects.append(OrderedSet([(int(random.integers(colours)), (i, j)) for i, j in rows]))
    objects.append(
        OrderedSet([(c, (-32_768 + n * 218, 32_767 - n * 217)) for n in range(300) for c in (-(2**31), 2**31 - 1)])
    )
    check([("centerofmass", (each,)) for each in objects])


@pytest.mark.parametrize(
    "function", ["apply(increment, x)", "apply(first, x)", "apply(initset, x)", "size(apply(identity, x))"]
)
@pytest.mark.parametrize("compiled", [False, True])
def test_loops_within_loops_over_containers_of_one_item(function: str, compiled: bool) -> None:
    tasks = tasks_from_dict({"one": {"train": [{"input": [[1]], "output": [[1]]}], "test": [{"input": [[1]]}]}})
    lines = (
        "a = ((3,), (4,), (5, 6), (-7,))",
        "b = apply(initset, interval(0, 50, 1))",
        "c = apply(initset, product(interval(0, 9, 1), interval(0, 9, 1)))",
        "d = apply(initset, ((1, (2, 3)), ((1, 2), 3), ((4,), 5)))",
    )
    name = function.replace("x", "v")
    decks = [
        f"def inner(v):\n    return {name}\n\n" + source("solve", *lines, *(f"x = {loop}" for loop in (text,)))
        for text in [
            *[f"apply(inner, {each})" for each in "abcd"],
            *[f"mapply(inner, {each})" for each in "bcd"],
            *[f"argmax({each}, inner)" for each in "abcd"],
        ]
    ]
    deck = Deck.from_sources(
        {f"solve_{at}": text.replace("def solve", f"def solve_{at}") for at, text in enumerate(decks)}
    )
    native, reference = [
        evaluate(deck, tasks, engine=engine, workers=1, compiled=compiled) for engine in ("cpu", "reference")
    ]
    assert native.fallbacks == {}
    assert native.records.tolist() == reference.records.tolist()
    assert native.steps == reference.steps
