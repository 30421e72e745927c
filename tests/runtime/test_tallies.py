"""Counters of native code: summed, and their clock's unit measured."""

from __future__ import annotations

from itertools import count

import pytest

from batt.runtime import tallies
from batt.runtime.tallies import TALLY_TYPE, Tallies, TickClock


def test_counters_are_summed_field_by_field():
    total, one, two = (Tallies.none(2, 3) for _ in range(3))
    one.by_op[1] = 1, 2, 3, 4
    two.by_op[1] = 10, 20, 30, 40
    two.by_word[2] = 4, 5, 6, 7
    total.add([one, two])
    assert total.by_op.tolist() == [(0, 0, 0, 0), (11, 22, 33, 44)]
    assert total.by_word.tolist() == [(0, 0, 0, 0), (0, 0, 0, 0), (4, 5, 6, 7)]


def test_a_counter_is_what_native_code_writes():
    assert (TALLY_TYPE.itemsize, TALLY_TYPE.names) == (32, ("calls", "steps", "ticks", "bytes"))


def test_a_tick_is_measured_against_a_known_clock(monkeypatch: pytest.MonkeyPatch):
    clock = count()
    monkeypatch.setattr(tallies.time, "perf_counter", lambda: next(clock) * 0.5)
    ticks = iter([1_000, 3_000])
    # Each reading takes two of the known clock and stands in their middle.
    assert TickClock(lambda: next(ticks)).tick_s() == pytest.approx(1.0 / 2_000)


def test_a_clock_that_stands_still_has_no_unit():
    assert TickClock(lambda: 0).tick_s() == 0.0
