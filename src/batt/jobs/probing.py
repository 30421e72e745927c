"""Estimate how many steps a run takes, by running a few of its evaluations: `auto` chooses the engine by that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from batt.bytecode.table import STANDARD
from batt.ir import Program
from batt.jobs.choice import PROBED_FROM
from batt.jobs.prepare import prepare
from batt.own.loading import own_ops
from batt.runtime import cuda
from batt.runtime.collected import Collected
from batt.runtime.evaluations import Evaluations, Integers
from batt.runtime.ladder import Ladder
from batt.runtime.native import missing
from batt.runtime.options import Options
from batt.runtime.tier import CPU

PLACES, EACH = 96, 4
"""Places in the order of all evaluations, and the evaluations that are run from each place on."""
MOST_STEPS = 300_000
"""Steps of an evaluation that is run. One that takes more counts as many, or it would take long itself."""


def work_of(programs: Mapping[str, Program], evaluations: Evaluations, options: Options) -> int:
    """Return about how many steps a run takes if `auto` needs to know, else 0.

    It need not where no GPU is in sight, where options name the engine or the GPUs, and where evaluations are few.
    """
    is_open = options.engine == "auto" and options.devices is None and options.cluster is None
    if not is_open or evaluations.total < PROBED_FROM or missing() or not cuda.in_sight():
        return 0
    return estimated_steps(programs, evaluations, options)


def estimated_steps(programs: Mapping[str, Program], evaluations: Evaluations, options: Options) -> int:
    """Estimate the steps of all evaluations. The same run has the same estimate on every machine.

    Programs that call a user's own ops count as the others do; without others, the estimate is 0.
    """
    numbers = _spread(evaluations)
    solver_of, sample_of = evaluations.pairs(numbers)
    names = list(programs)
    solvers = [each for each in np.unique(solver_of).tolist() if not own_ops([programs[names[each]]])]
    is_chosen = np.isin(solver_of, solvers)
    samples, at = np.unique(sample_of[is_chosen], return_inverse=True)
    if not len(samples):
        return 0
    limits = replace(options.limits, steps=min(options.limits.steps, MOST_STEPS))
    own = Options(engine="cpu", limits=limits, workers=options.workers, compiled=False, share=False)
    few = Evaluations(
        [evaluations.samples[each] for each in samples.tolist()],
        len(solvers),
        np.searchsorted(solvers, solver_of[is_chosen]),
        at.astype(np.int64),
    )
    job = prepare({names[each]: programs[names[each]] for each in solvers}, own, table=STANDARD)
    found = Collected(few.total)
    Ladder(job.on(few), own, (CPU,), found).run()
    ran = found.times_ns >= 0
    return int(found.steps[ran].mean() * evaluations.total) if ran.any() else 0


def _spread(evaluations: Evaluations) -> Integers:
    """Return the numbers of a few evaluations of many solvers, each on several samples."""
    total = evaluations.total
    places = np.linspace(0, total - 1, PLACES).astype(np.int64)
    apart = total // (EACH * evaluations.solvers)
    return np.unique((places[:, None] + apart * np.arange(EACH)) % total)
