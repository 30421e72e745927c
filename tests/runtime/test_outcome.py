"""Statuses, error kinds, budgets, and the packed record."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batt.bytecode.abi import Ended
from batt.errors import UsageError
from batt.runtime import ERROR_KINDS, Equality, Limits, Outcome, Status
from batt.runtime.outcome import MAX_DIFFERING, MAX_SIDE, RAISABLE, RECORD, differing_cells, shape_of
from batt.types import OrderedSet
from strategies import small_grids


def str_of_some(value: object) -> str:
    return repr(value)[:40]


def test_error_kinds_are_the_raisable_errors_after_none():
    assert ERROR_KINDS[0] == ""
    assert list(ERROR_KINDS[1:]) == [kind.__name__ for kind in RAISABLE]
    assert len(set(ERROR_KINDS)) == len(ERROR_KINDS) <= 256


@pytest.mark.parametrize("kind", ERROR_KINDS)
def test_an_error_kind_has_its_position_as_number(kind: str):
    assert ERROR_KINDS[Outcome(Status.RAISED, kind).error_number] == kind


def test_an_unknown_error_kind_has_no_number():
    with pytest.raises(KeyError):
        _ = Outcome(Status.RAISED, "OverflowError").error_number


def test_statuses_are_written_in_lower_case():
    assert [status.word for status in Status] == ["ok", "raised", "over_budget", "timed_out", "skipped", "not_run"]


@given(
    st.tuples(
        *(st.sampled_from(Status), st.integers(0, len(ERROR_KINDS) - 1), st.sampled_from(Equality)),
        *(st.integers(0, most) for most in (2**64 - 1, MAX_DIFFERING, MAX_SIDE, MAX_SIDE)),
    )
)
def test_a_record_holds_every_outcome_and_score(fields: tuple[int, ...]):
    assert RECORD.unpack(RECORD.pack(*fields)) == fields


def test_a_record_is_packed_without_gaps():
    assert RECORD.size == 19


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        (((1, 2), (3, 4), (5, 6)), (3, 2)),
        (((True, -(2**70)),), (1, 2)),
        (((1,),) * 65535, (65535, 1)),
        (((1,),) * 65536, (0, 0)),
        (((1,) * 65535,), (1, 65535)),
        (((1,) * 65536,), (0, 0)),
        *[(odd, (0, 0)) for odd in ((), ((),), (1, 2), ((1, 2), (3,)), ((1, None),), None, 7, ((1, 2), 3), (((1,),),))],
        (OrderedSet([(1, 2)]), (0, 0)),
        ((OrderedSet([1, 2]),), (0, 0)),
    ],
    ids=str_of_some,
)
def test_only_a_rectangle_of_ints_has_a_shape(value: Any, shape: tuple[int, int]):
    assert shape_of(value) == shape


@pytest.mark.parametrize(
    ("value", "expected", "differing"),
    [
        (((1, 2), (3, 4)), ((1, 2), (3, 4)), 0),
        (((1, 2), (3, 4)), ((1, 2), (3, 5)), 1),
        (((True, 2),), ((1, 2),), 0),
        # Two of four places lie outside the other.
        (((1, 2), (3, 4)), ((1, 2),), 2),
        (((1,),), ((1, 2), (3, 4)), 3),
        # One place in common, which is alike, and one more on either side.
        (((1, 2),), ((1,), (2,)), 2),
        ((), ((1, 2),), 2),
        (7, ((1, 2),), 2),
        (((1, 2),), (), 2),
        (((1,),), ((1, 2), 3), 1),
    ],
)
def test_differing_cells_are_the_places_that_do_not_show_the_same_in_both(value: Any, expected: Any, differing: int):
    assert differing_cells(value, shape_of(value), expected) == differing


@given(small_grids, small_grids)
def test_differing_cells_are_those_of_a_plain_count(value: Any, expected: Any):
    shown, wanted = (
        {(i, j): cell for i, row in enumerate(each) for j, cell in enumerate(row)} for each in (value, expected)
    )
    plain = sum(shown.get(place) != wanted.get(place) for place in shown.keys() | wanted.keys())
    assert differing_cells(value, shape_of(value), expected) == plain


@pytest.mark.parametrize("limits", [{"steps": 0}, {"steps": -1}, {"max_items": 0}, {"wall_s": 0}, {"wall_s": math.nan}])
def test_a_limit_is_greater_than_zero(limits: dict[str, float]):
    with pytest.raises(UsageError, match=r"^the limit of \w+ must be greater than zero, got \S+$"):
        Limits(**limits)  # type: ignore[arg-type]


def test_a_guard_may_be_endless():
    assert Limits(wall_s=math.inf).wall_s == math.inf


@pytest.mark.parametrize("value", [Limits(), Outcome(Status.OK)])
def test_limits_and_outcomes_do_not_change(value: Limits | Outcome):
    with pytest.raises(dataclasses.FrozenInstanceError):
        value.steps = 1  # type: ignore[misc]


def test_every_number_of_the_status_byte_has_one_meaning():
    numbers = [each.value for each in Ended.__members__.values()]
    assert len(set(numbers)) == len(numbers)
    assert max(numbers) <= 255
