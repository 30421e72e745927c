"""The time of a run by solver, as the run noted it, and by op, measured on some of its evaluations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from batt.errors import UsageError
from batt.jobs import Results
from batt.profile.figures import MACHINE, figures
from batt.profile.run import profile
from batt.runtime import Status
from batt.runtime.evaluations import Evaluations, Integers
from batt.store.costs import slowest_of

SHOWN = 20
SAMPLE = 4_000
"""The evaluations that are run again to measure ops."""


def slowest_solvers(results: Results, sessions: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the solvers that took the most time in the run."""
    names = results.deck.names
    return [
        {"solver": names[solver], "evaluations": count, "steps": steps, "time_s": time_ns / 1e9}
        for solver, count, steps, time_ns in slowest_of(sessions)[:SHOWN]
        if solver < len(names)
    ]


def slowest_ops(results: Results, seed: int = 0) -> Mapping[str, Any]:
    """Return the ops that take the most time on a random sample of the run's evaluations, on the cpu engine.

    Those that timed out are not among them. `note` says why there are none.
    """
    ran = np.flatnonzero((results.records["status"] == Status.OK) | (results.records["status"] == Status.RAISED))
    if not len(ran):
        return {"rows": [], "evaluations": 0, "note": "No evaluation is finished."}
    drawn = np.random.default_rng(seed).choice(ran, min(SAMPLE, len(ran)), replace=False)
    numbers = np.sort(drawn)
    solvers, _ = results.evaluations.pairs(numbers)
    used = np.unique(solvers)
    deck = results.deck.select([results.deck.names[solver] for solver in used.tolist()])
    try:
        told = figures(profile(deck, _drawn(results, numbers, used), limits=results.limits))
    except UsageError as error:
        return {"rows": [], "evaluations": 0, "note": str(error)}
    rows = [
        {"op": row.op, "calls": row.spent.calls, "time_s": row.spent.time_s, "share": row.spent.share}
        for row in told.by_op
        if row.family != MACHINE
    ]
    return {"rows": rows[:SHOWN], "evaluations": len(numbers), "note": ""}


def _drawn(results: Results, numbers: Integers, used: Integers) -> Evaluations:
    """Return the evaluations with these numbers on the solvers `used` alone, and on the samples that they need."""
    solvers, samples = results.evaluations.pairs(numbers)
    needed = np.unique(samples)
    made = [results.evaluations.samples[position] for position in needed.tolist()]
    return Evaluations(made, len(used), np.searchsorted(used, solvers), np.searchsorted(needed, samples))
