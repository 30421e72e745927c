"""Engines: programs on samples, to outcomes."""

from batt.bytecode.abi import Equality
from batt.runtime.options import Options, check_workers, usable_cores
from batt.runtime.outcome import ERROR_KINDS, Limits, Outcome, Status
from batt.runtime.pool import Finished, Pool, trace
from batt.runtime.reference import evaluate_one, outcome_of
from batt.runtime.sample import Part, Sample

__all__ = [
    "ERROR_KINDS",
    "Equality",
    "Finished",
    "Limits",
    "Options",
    "Outcome",
    "Part",
    "Pool",
    "Sample",
    "Status",
    "check_workers",
    "evaluate_one",
    "outcome_of",
    "trace",
    "usable_cores",
]
