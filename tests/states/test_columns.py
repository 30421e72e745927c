"""Columns by op: the outcomes of single calls, values that stay native, and rows that native code defers."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

import batt
from batt.bytecode.abi import Ended
from batt.dsl import F, T, color, size
from batt.errors import UsageError
from batt.jobs import Failed
from batt.ops import EVERY_OP
from batt.runtime import Limits, outcome_of
from batt.states import OpenEngine, columns
from batt.states.native import PackedGrids
from batt.types import OrderedSet, fingerprint
from native_library import needs_library

pytestmark = needs_library

LIMITS = Limits(steps=2_000)
GRID = ((0, 1, 1), (2, 0, 2))
VALUES: list[Any] = [
    *(0, 1, 3, -2, None, (), (1, 2), (3, 0), GRID, ((1, 1), (1, 1)), size, color),
    *(OrderedSet([(0, 1), (1, 1)]), OrderedSet([(3, (0, 0)), (3, (0, 1))]), OrderedSet([OrderedSet([(1, (2, 2))])])),
]


@pytest.fixture(params=[1, 2])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenEngine]:
    monkeypatch.setattr(columns, "ROWS", 7)
    with batt.open_engine(engine="cpu", workers=request.param, limits=LIMITS) as opened:
        yield opened


def test_every_op_has_the_outcomes_of_single_calls(engine: OpenEngine):
    random = Random(3)
    for op in EVERY_OP.values():
        rows = [[random.choice(VALUES) for _ in range(op.arity)] for _ in range(15)]
        made = engine.columns(op, *map(list, zip(*rows, strict=True)))
        for place, row in enumerate(rows):
            wanted = outcome_of(lambda: op(*row), LIMITS)  # noqa: B023
            result = made.results[place]
            assert (result["status"], result["steps"]) == (wanted.status, wanted.steps), (op.name, row)
            if wanted.status == Ended.OK:
                assert result["hash"] == fingerprint(wanted.value)
                assert made.values[place] == wanted.value
            else:
                assert made.values[place] == Failed(wanted.error or wanted.status.word)


def test_a_column_is_an_argument_of_the_next(engine: OpenEngine):
    grids = [((n % 3, 1), (n % 5, n % 2)) for n in range(40)]
    objects = engine.columns("objects", grids, T, F, T)
    largest = engine.columns("argmax", objects, size)
    sizes = [[len(each) for each in EVERY_OP["objects"](grid, T, F, T)] for grid in grids]
    found = [0 if isinstance(each, Failed) else len(each) for each in largest.values]
    assert found == [max(each, default=0) for each in sizes]
    assert repr(objects) == "<OpColumn | 40 rows | 0 failed>"


def test_packed_grids_and_arrays_go_in_and_out(engine: OpenEngine):
    cells = np.arange(6, dtype=np.uint8)
    given = PackedGrids(cells, np.array([0, 2], np.uint64), np.array([[1, 2], [2, 2]], np.uint16))
    made = engine.columns("replace", given, np.array([1, 4]), 9)
    assert [made.grids[k].tolist() for k in range(2)] == [[[0, 9]], [[2, 3], [9, 5]]]
    assert made.values == [((0, 9),), ((2, 3), (9, 5))]


def test_wide_ints_and_failures_pass_through(engine: OpenEngine):
    made = engine.columns("multiply", [2, 2**62, ()], [3, 4, 1])
    assert made.values == [6, 2**64, Failed("IndexError")]
    again = engine.columns("increment", made)
    assert again.values == [7, 2**64 + 1, Failed("IndexError")]
    assert again.results["steps"].tolist()[2] == 0
    left = engine.columns("multiply", [2, 2**62], 4, defer=False)
    assert left.results["status"].tolist() == [Ended.OK, Ended.UNSUPPORTED]


@pytest.mark.parametrize(
    ("op", "arguments", "why"),
    [
        ("add", ([1], 2, 3), "takes 2 arguments"),
        ("add", ([1, 2], [1, 2, 3]), "different lengths: 2, 3"),
        ("add", ([2**70], 1), "an int of"),
    ],
)
def test_mistakes_in_arguments_are_told(engine: OpenEngine, op: str, arguments: tuple[Any, ...], why: str):
    with pytest.raises(UsageError, match=why):
        engine.columns(op, *arguments)


def test_the_reference_engine_has_no_columns():
    with batt.open_engine(engine="reference") as opened, pytest.raises(UsageError, match="need native code"):
        opened.columns("add", [1], 2)
