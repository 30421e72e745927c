"""Pack the outcome of an evaluation as a record. Must not import NumPy: workers of the reference start without it."""

from __future__ import annotations

from batt.bytecode.abi import Equality
from batt.runtime.outcome import RECORD, Outcome, Status, area, differing_cells, shape_of
from batt.runtime.sample import Sample
from batt.types import fingerprint


def pack(outcome: Outcome, sample: Sample) -> bytes:
    """Pack one outcome as a record, scored against the expected output, cell by cell."""
    expected, value = sample.expected, outcome.value
    if outcome.status is not Status.OK:
        missed = area(shape_of(expected))
        return RECORD.pack(outcome.status, outcome.error_number, _equality(False, sample), 0, missed, 0, 0)
    equal = expected is not None and bool(value == expected)
    shape = shape_of(value)
    differing = 0 if expected is None or equal else differing_cells(value, shape, expected)
    return RECORD.pack(outcome.status, 0, _equality(equal, sample), fingerprint(value), differing, *shape)


def _equality(equal: bool, sample: Sample) -> Equality:
    return Equality.UNKNOWN if sample.expected is None else Equality(equal)
