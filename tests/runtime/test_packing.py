"""Outcomes packed as records, without NumPy."""

from __future__ import annotations

import subprocess
import sys

from batt.runtime import Equality, Status
from batt.runtime.outcome import RECORD, Outcome
from batt.runtime.packing import pack
from batt.runtime.sample import Sample, Split
from batt.types import fingerprint

GRID = ((1, 2), (3, 4))


def sample_with(expected):
    return Sample("a", Split.TRAIN, 0, (), GRID, expected)


def test_a_value_is_compared_cell_by_cell():
    packed = pack(Outcome(Status.OK, value=GRID), sample_with(((1, 2), (3, 0))))
    assert RECORD.unpack(packed) == (Status.OK, 0, Equality.NO, fingerprint(GRID), 1, 2, 2)


def test_an_evaluation_without_a_value_misses_all_cells():
    packed = pack(Outcome(Status.OVER_BUDGET), sample_with(GRID))
    assert RECORD.unpack(packed) == (Status.OVER_BUDGET, 0, Equality.NO, 0, 4, 0, 0)


def test_without_an_expected_output_equality_is_unknown():
    assert RECORD.unpack(pack(Outcome(Status.OK, value=GRID), sample_with(None)))[2] == Equality.UNKNOWN


def test_a_worker_of_the_reference_tier_does_not_import_numpy():
    code = "import sys, batt.runtime.reference.worker; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
