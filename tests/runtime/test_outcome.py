"""Statuses, error kinds, budgets, and the packed record."""

from __future__ import annotations

import dataclasses
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batt.errors import UsageError
from batt.runtime import ERROR_KINDS, Equality, Limits, Outcome, Status
from batt.runtime.outcome import RAISABLE, RECORD


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
    assert [status.word for status in Status] == ["ok", "raised", "over_budget", "timed_out"]


@given(
    st.sampled_from(Status), st.integers(0, len(ERROR_KINDS) - 1), st.sampled_from(Equality), st.integers(0, 2**64 - 1)
)
def test_a_record_holds_every_status_error_equality_and_hash(status: Status, error: int, equal: Equality, digest: int):
    assert RECORD.unpack(RECORD.pack(status, error, equal, digest)) == (status, error, equal, digest)


def test_a_record_is_packed_without_gaps():
    assert RECORD.size == 11


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
