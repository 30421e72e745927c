"""The 400 verifiers of re-arc, read by path from the installed package, on their own ARC-1 training tasks."""

from __future__ import annotations

import numpy as np

import batt
from rearc import verifiers

NOT_RIGHT_UNDER_THESE_RULES = {
    "verify_29ec7d0e",
    "verify_4290ef0e",
    "verify_53b68214",
    "verify_6cf79266",
    "verify_7e0986d6",
    "verify_a64e4611",
    "verify_a8d7556c",
    "verify_e5062a87",
}


def test_all_verifiers_parse():
    assert len(verifiers()) == 400


def test_392_verifiers_give_every_expected_output_and_the_other_eight_are_known():
    results = batt.evaluate(verifiers(), batt.load_tasks("arc1-training"), own=True, compiled=True)
    assert results.counts["ok"] == 1718
    right = (results.fits & results.correct).any(axis=1)
    wrong = {verifiers().names[position] for position in np.flatnonzero(~right)}
    assert wrong == NOT_RIGHT_UNDER_THESE_RULES
