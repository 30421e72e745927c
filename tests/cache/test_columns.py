"""Columns read back as they were written, and keep what an older one has."""

from __future__ import annotations

import numpy as np
import pytest

from batt.bytecode.wire import HELPER, OP
from batt.cache.columns import KeptColumn, KnownRow, is_kept
from batt.runtime import Status
from batt.runtime.blocks import Damaged
from batt.runtime.records import RECORD_TYPE


def column(places: list[int], wires: list[bytes] | None = None, status: Status = Status.OK) -> KeptColumn:
    records = np.zeros(len(places), RECORD_TYPE)
    records["status"], records["hash"] = status, places
    return KeptColumn(np.array(places), records, np.array(places) * 10, wires)


def test_a_column_reads_back_as_it_was():
    before = column([1, 2, 7], [b"a", b"", b"bc"])
    after = before.packed().unpacked(8)
    assert after.places.tolist() == [1, 2, 7]
    assert (after.records == before.records).all()
    assert (after.steps.tolist(), after.wires) == ([10, 20, 70], [b"a", b"", b"bc"])
    assert column([1], [b""]).packed().outputs is None
    for size in (7, 1):
        with pytest.raises(Damaged):
            before.packed().unpacked(size)
    with pytest.raises(Damaged):
        column([1], status=Status.TIMED_OUT).packed().unpacked(8)


def test_a_newer_column_has_what_only_the_older_one_had():
    joined = column([1, 5], [b"x", b"y"]).with_older(column([0, 5, 9]))
    assert joined.places.tolist() == [0, 1, 5, 9]
    assert joined.steps.tolist() == [0, 10, 50, 90]
    assert joined.wires == [b"", b"x", b"y", b""]
    assert column([1]).with_older(column([2], [b"z"])).wires == [b"", b"z"]
    assert column([1]).with_older(column([2])).wires is None


def test_a_row_knows_an_outcome_with_a_value_only_with_its_output_if_outputs_are_kept():
    for outputs, known in ((False, [True, True, False]), (True, [True, False, False])):
        row = KnownRow(3, outputs)
        row.put(np.array([0, 1, -1]), column([4, 5, 6], [b"a", b"", b"c"]))
        assert row.is_known.tolist() == known
        assert row.at(np.array([0])).steps.tolist() == [40]
    row = KnownRow(1, True)
    row.put(np.array([0]), column([4], None, Status.RAISED))
    assert row.is_known.all()


def test_outcomes_of_guards_and_numbers_of_functions_are_not_kept():
    records = np.zeros(5, RECORD_TYPE)
    records["status"][:2] = Status.TIMED_OUT, Status.OVER_BUDGET
    wires = [b"", b"", bytes([HELPER, 0, 0, 0, 0]), bytes([OP, 0, 0, 0, 0]), b"a"]
    assert is_kept(records, wires, [HELPER]).tolist() == [False, True, False, True, True]
    assert is_kept(records, wires, [HELPER, OP]).tolist() == [False, True, False, False, True]
    assert is_kept(records, None, [HELPER]).tolist() == [False, True, True, True, True]
