"""Columns of a batch computed op by op: the values of programs, or nothing where only programs are exact."""

from __future__ import annotations

from typing import Any

import pytest

from batt.dsl import F, T, size
from batt.jobs import Failed
from batt.lazy import Batch, Column, batch_after, batch_argmax, batch_call, batch_first, batch_multiply, batch_objects
from batt.lazy.by_op import values_by_op
from batt.runtime import Limits
from batt.runtime.options import Options
from native_library import needs_library

pytestmark = needs_library

GRIDS = [((0, 1), (1, 1)), ((2, 0), (0, 2)), ((0, 0), (0, 0))]


def nodes(*columns: Column) -> list[Any]:
    return [each.node for each in columns]


def test_values_and_first_errors_are_those_of_programs(monkeypatch: pytest.MonkeyPatch):
    def recorded() -> list[Any]:
        objects = batch_objects(GRIDS, T, F, T)
        largest = batch_argmax(objects, size)
        return [largest.values, batch_first(largest).values, batch_after(objects, batch_first(largest)).values]

    by_op = recorded()
    monkeypatch.setattr(Batch, "_by_op", lambda *given: None)
    assert by_op == recorded()
    assert by_op[0][2] == Failed("ValueError")


@pytest.mark.parametrize(
    ("column", "limits"),
    [
        (lambda: batch_first(GRIDS), Limits(steps=1_000)),
        (lambda: batch_multiply([2**62, 1], 8), Limits()),
        (lambda: batch_call(size, GRIDS, GRIDS), Limits()),
        (lambda: batch_call([size, size, size], GRIDS), Limits()),
        (lambda: batch_multiply([2**70], 8), Limits()),
    ],
)
def test_what_only_programs_do_exactly_is_left_to_them(column: Any, limits: Limits):
    assert values_by_op(nodes(column()), Options(engine="cpu", limits=limits)) is None
