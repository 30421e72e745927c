"""Engines: run programs on samples, to outcomes.

Names are imported on first use, so that the worker processes start fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from batt.importing import on_first_use

if TYPE_CHECKING:
    from batt.bytecode.abi import Equality
    from batt.runtime.options import Options, check_workers, usable_cores
    from batt.runtime.outcome import ERROR_KINDS, Limits, Outcome, Status
    from batt.runtime.reference.evaluation import evaluate_one, outcome_of
    from batt.runtime.reference.process import trace
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

_HOMES = {
    "ERROR_KINDS": "batt.runtime.outcome",
    "Equality": "batt.bytecode.abi",
    "Limits": "batt.runtime.outcome",
    "Options": "batt.runtime.options",
    "Outcome": "batt.runtime.outcome",
    "Sample": "batt.runtime.sample",
    "Split": "batt.runtime.sample",
    "Status": "batt.runtime.outcome",
    "check_workers": "batt.runtime.options",
    "evaluate_one": "batt.runtime.reference.evaluation",
    "outcome_of": "batt.runtime.reference.evaluation",
    "trace": "batt.runtime.reference.process",
    "usable_cores": "batt.runtime.options",
}

__getattr__ = on_first_use(__name__, _HOMES)
