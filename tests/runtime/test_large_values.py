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


def test_objects_of_dense_rows_are_written_row_by_row() -> None:
    # Rows that belong to one object are counted and written as a whole; rows of two objects run by run.
    apart = ((0, 0, 0),)
    halves = tuple([(*row[:30], 0, *row[31:]) for row in random_grid(90, 61, [1, 2, 3, 0])])
    grids = [
        (*random_grid(80, 3, TEN, 1), *apart, *random_grid(60, 3, TEN, 2), *apart * 2, *random_grid(25, 3, [1, 2])),
        (*apart, *random_grid(40, 3, [5, 6, 0]), *apart, (1, 0, 2), (0, 3, 0), (4, 0, 5), *apart),
        (*random_grid(70, 3, list(range(256)), 3), *apart, *random_grid(70, 3, list(range(256)), 4), *apart * 200),
        (*halves, (0,) * 61, *random_grid(30, 61, TEN)),
        tuple([(0, *row) for row in random_grid(70, 70, TEN, weights=[0.1, *[0.1] * 9])]),
        tuple([(1,) * 70 if i % 7 else (0,) * 70 for i in range(70)]),
        *[random_grid(120, width, [0, 1, 2], weights=[share, *[(1 - share) / 2] * 2])
          for width in (1, 2, 3, 5, 63) for share in (0.2, 0.34, 0.6)],
    ]  # fmt: skip
    wide = [tuple([tuple([c + 300 for c in row]) for row in grid]) for grid in grids]
    values = [tuple([tuple([c * 2**33 if c else None for c in row]) for row in grid]) for grid in grids[:2]]
    flags = ((False, False, True), (False, True, True), (True, True, True), (True, False, False))
    check([("objects", (grid, *each)) for grid in (*grids, *wide, *values) for each in flags])


def test_objects_of_more_cells_than_a_packed_row_has() -> None:
    large = random_grid(240, 280, [1, 2, 30], 5)
    check([("objects", ((*large, (0,) * 280, *large[::-1], (0,) * 280, *large[:30]), False, True, True))])


@pytest.mark.parametrize("least", [-300, -128, 250, 2**31 - 10, -(2**31), 2**31 - 9, -(2**40)])
@pytest.mark.parametrize("width", [3, 70])
def test_ints_near_each_other_are_ranked_wherever_they_lie(least: int, width: int) -> None:
    grids = [random_grid(80, width, [least + c for c in values], len(values)) for values in (TEN, [0, 0, 0, 255, 9])]
    grids.append(random_grid(70, width, [least, least, least + 256]))
    rows = random_grid(3, width, TEN)
    grids.append((*grids[0][:40], *rows, *grids[0][40:]))  # rows of bytes among others
    check([*[("objects", (grid, *flags)) for grid in grids for flags in FLAGS],
           *[(op, (grid,)) for grid in grids for op in ("partition", "fgpartition")]])  # fmt: skip


BYTE_PAIRS = tuple([(n * 37 % 40, n * 11 % 7) for n in range(300)])
PAIR_LISTS: dict[str, tuple[Any, ...]] = {
    "bytes": BYTE_PAIRS,
    "up to 255": tuple([(n % 256, 255 - n % 256) for n in range(300)]),
    "a last pair that is no pair of bytes": (*BYTE_PAIRS, (256, 1)),
    "a last pair with a negative int": (*BYTE_PAIRS, (3, -1)),
    "a last pair with None": (*BYTE_PAIRS, (3, None)),
    "a last triple": (*BYTE_PAIRS, (3, 1, 2)),
    "a last int": (*BYTE_PAIRS, 3),
    "a last set": (*BYTE_PAIRS, OrderedSet([1, 2])),
    "more than a packed grid has rows": BYTE_PAIRS * 220,
    "one": ((3, 1),),
}


@pytest.mark.parametrize("name", PAIR_LISTS)
def test_tuples_of_pairs_of_bytes_as_grids_and_as_patches(name: str) -> None:
    pairs = PAIR_LISTS[name]
    places = OrderedSet([(-1, 0), (0, 0), (3, 1), (9, 2), (299, 1)])
    patches = [
        places,
        ((0, 0), (1, 1), (0, 0)),
        ((5, 1),),
        ((0, 300), (2, 1)),
        (),
        tuple([(3, each) for each in places]),
    ]
    calls: list[tuple[str, tuple[Any, ...]]] = [
        *[(op, (pairs,)) for op in ("mostcolor", "palette", "height", "dmirror", "vmirror", "asobject", "ulcorner")],
        *[(op, (pairs, value, patch)) for op in ("fill", "underfill") for value in (3, 300) for patch in patches],
        *[("cover", (pairs, patch)) for patch in patches],
        ("paint", (pairs, OrderedSet([(5, place) for place in places]))),
        ("underpaint", (pairs, OrderedSet([(300, place) for place in places]))),
    ]
    canvases = [
        random_grid(45, 9, TEN),
        random_grid(20, 20, [300, 301]),
        random_grid(9, 3, [0, None, (1, 2)]),
        (*random_grid(20, 9, TEN), (1, 2), *random_grid(20, 9, TEN)),
        ((1, 2, 3), (4,)),
        (),
        5,
    ]
    calls += [(op, (grid, 3, pairs)) for op in ("fill", "underfill") for grid in canvases]
    calls += [("cover", (grid, pairs)) for grid in canvases]
    check(calls)


def test_cells_drawn_on_grids_of_values() -> None:
    rows = random_grid(60, 3, [300, 301, -5])
    canvases = [rows, (*rows, (300, 301)), (*rows[:9], (300, 301, 302, 303), *rows), (*rows, (1, 2, 3)), (*rows, ()),
                (*rows, OrderedSet([300])), (*rows, 5), ((300, 1), (2, 300)) * 40, ((300,),) * 50]  # fmt: skip
    near = OrderedSet([(7 + n % 3, (n, n % 4)) for n in range(-2, 70)])
    far = OrderedSet([(900, (n, 10**6 * (n % 2))) for n in range(40)])
    check([*[(op, (grid, each)) for op in ("paint", "underpaint") for grid in canvases for each in (near, far)],
           *[(op, (grid, value, places)) for op in ("fill", "underfill") for grid in canvases for value in (3, None)
             for places in (OrderedSet([(n, n % 3) for n in range(64)]), far)]])  # fmt: skip


def test_the_values_of_a_grid_at_places() -> None:
    places = [
        OrderedSet([(i, j) for i in range(-3, 30) for j in range(-2, 25)]),
        OrderedSet([(c, (i, i % 30)) for i in range(-9, 40) for c in (1, 7)]),
        OrderedSet([(10**6 * (i % 2), i) for i in range(30)]),
    ]
    grids = [
        random_grid(22, 22, [300, 301, 5]),
        random_grid(22, 22, [300, None, (1, 2), 2**31, -(2**31), (1, (2, 3))]),
        (*random_grid(20, 22, [300, 5]), (1, 2, 300)),
        (*random_grid(20, 22, [300, 5]), (300,) * 30),
        (*random_grid(20, 22, [300, 5]), (9,) * 22, OrderedSet(range(300, 322))),
        (*random_grid(20, 22, [300, 5]), 7),
        tuple([(n, 300) for n in range(30)]),
    ]
    check([("toobject", (each, grid)) for each in places for grid in grids])


HEADS: dict[str, tuple[Any, ...]] = {
    "pairs of pairs": tuple([((n * 7 % 300 - 5, n % 5), (n % 7, -n)) for n in range(300)]),
    "pairs of pairs of bytes among others": tuple([((n * 7 % 300, n % 5), (n % 7, n)) for n in range(300)]),
    "pairs of pairs of bytes": tuple([((n * 7 % 90, n % 5), (n % 7, n % 4)) for n in range(300)]),
    "grids of other shapes": tuple([((n * 7 % 90,) * (1 + n % 3), (n % 7,) * (1 + n % 3)) for n in range(300)]),
    "triples": tuple([(n * 7 % 11, WIDE - n % 20, n) for n in range(300)]),
    "triples and pairs": tuple([(n * 7 % 11, WIDE - n % 20, n)[: 2 + n % 2] for n in range(300)]),
    "ints up to the limits": tuple([((2**63 - 1, -(2**63), 0, -1)[n % 4], WIDE + n % 9, 3) for n in range(300)]),
    "heads of other kinds": (*[((n, 3), WIDE) for n in range(200)], (5, WIDE), ((5, 6), 3)),
    "equal heads that cannot be compared": (*[((n, 3), WIDE) for n in range(200)], ((0, 3), None), ((199, 3), None)),
    "heads that are sets": tuple([(OrderedSet([n, 3]), n) for n in range(200)]),
    "heads of None": (*[((n, 3), WIDE) for n in range(200)], (None, 3)),
    "objects as tuples": tuple([((n % 9, (n, 3)), (n % 5, (3, n))) for n in range(200)]),
}


@pytest.mark.parametrize("name", HEADS)
def test_tuples_that_their_first_items_put_in_order(name: str) -> None:
    items = HEADS[name]
    wanted = (items[0], items[-1], items[150], ((5, 0), (0, 0)), 3, None, (300, (1, 2)))
    check(
        [
            *[(op, (each,)) for op in ("maximum", "minimum") for each in (items, items[::-1], OrderedSet(items))],
            *[("remove", (value, items)) for value in wanted],
            *[
                ("colorfilter", (each, value))
                for each in (items, OrderedSet(items))
                for value in (3, (5, 6), (0, 3), 0)
            ],
        ]
    )


def test_patches_that_share_lines_with_few_others() -> None:
    random = np.random.default_rng(3)
    patches: list[Any] = []
    for count, low, high in ((400, 0, 20_000), (7, 0, 20_000), (3, 64, 128), (300, 0, 64), (64, 0, 63), (2, 0, 127)):
        drawn = [(int(i), int(j)) for i, j in random.integers(low, high + 1, (count, 2))]
        patches += [OrderedSet(drawn), OrderedSet([(n % 9, place) for n, place in enumerate(drawn)])]
        patches.append(tuple(drawn))
        patches.append(OrderedSet([(i + 100_000, j - 30) for i, j in drawn]))
    patches += [OrderedSet([(0, 0), (63, 63)]), OrderedSet([(1, 1), (62, 62)]), OrderedSet([(0, 0), (64, 64)])]
    check([(op, (a, b)) for op in ("hmatching", "vmatching") for a in patches for b in patches])


def test_tuples_of_two_rows() -> None:
    pairing = find_op("astuple")
    grids = [random_grid(300, width, TEN) for width in (1, 2, 3, 30)]
    grids += [random_grid(30, 3, [300, 5]), tuple([(1,) * (1 + n % 3) for n in range(30)]), ((1, 2), (), (3, 4))]
    check([(op, (pairing, a, b)) for op in ("papply", "mpapply") for a in grids for b in grids])


def test_rows_and_columns_of_one_value_in_grids_beyond_packed_sides() -> None:
    wide = random_grid(3, 65_600, [0, 1], weights=[0.97, 0.03])
    tall = (*random_grid(65_600, 3, [0, 1], weights=[0.9, 0.1]), (0, 0, 0))
    grids = [
        wide,
        ((7,) * 65_600, *wide),
        ((7,) * 65_600, (7,) * 65_600),
        ((7,) * 65_600,),
        (*wide, (5,) * 65_599),
        (*wide, (5,) * 65_601),
        tall,
        tuple([(*row, 4) for row in tall]),
        (*tall, (0, 0)),
        tuple([(0, 3)] * 65_600),
        tuple([(n % 2, 3) for n in range(65_600)]),
    ]
    check([*[("compress", (grid,)) for grid in grids], *[("frontiers", (grid,)) for grid in grids[2:]]])


def test_loops_of_two_containers_of_pairs_of_bytes() -> None:
    pairs, others = random_grid(70, 2, TEN), random_grid(80, 2, [0, 255, 300])
    tops = [find_op(name) for name in ("astuple", "combine", "equality", "add", "hconcat", "vconcat", "manhattan")]
    containers = (pairs, others, OrderedSet(pairs), tuple(range(70)), random_grid(60, 3, TEN))
    check([(op, (function, a, b)) for op in ("papply", "mpapply", "prapply") for function in tops
           for a in containers for b in containers if op != "prapply" or len(b) < 70])  # fmt: skip
