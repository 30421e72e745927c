"""Values of hundreds of items, for which native code has ways of its own: it gives what the reference gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from batt.ir import Literal, Program, Slot, Step
from batt.ops import find_op
from batt.runtime import ERROR_KINDS, Limits, Status, evaluate_one
from batt.types import fingerprint
from handmade import sample
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


@pytest.mark.parametrize("name", LONG_GRIDS)
def test_objects_of_grids_with_a_side_beyond_keys(name: str) -> None:
    grid = LONG_GRIDS[name]
    check([("objects", (grid, *flags)) for flags in ((True, True, False), (False, False, True), (False, True, False))])
    check([(op, (grid,)) for op in ("partition", "fgpartition", "frontiers")])
