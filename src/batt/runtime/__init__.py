"""Engines: run programs on samples, to outcomes."""

from batt.bytecode.abi import Equality
from batt.runtime.options import Options, check_workers, usable_cores
from batt.runtime.outcome import ERROR_KINDS, Limits, Outcome, Status
from batt.runtime.reference import evaluate_one, outcome_of, trace
from batt.runtime.sample import Sample, Split

__all__ = [
    "ERROR_KINDS",
    "Equality",
    "Limits",
    "Options",
    "Outcome",
    "Sample",
    "Split",
    "Status",
    "check_workers",
    "evaluate_one",
    "outcome_of",
    "trace",
    "usable_cores",
]
