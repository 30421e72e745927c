"""Estimate how long a run takes, by running a few of its evaluations: `auto` chooses the engine by that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from batt.bytecode.table import STANDARD
from batt.ir import Program
from batt.jobs.choice import PAYS_FROM, PROBED_FROM
from batt.jobs.prepare import prepare
from batt.own.loading import own_ops
from batt.runtime import cuda
from batt.runtime.collected import Collected
from batt.runtime.evaluations import Evaluations, Integers
from batt.runtime.ladder import Ladder
from batt.runtime.native import missing
from batt.runtime.options import Options
from batt.runtime.tier import CPU

FEW, MANY, EACH = 6, 32, 4
"""Places in the order of all evaluations at first, and if that is not enough; evaluations run from each place on."""
NEAR = 1 / 8
"""The part of the time from which a GPU pays that a few evaluations must show before more are run."""
MOST_STEPS = 300_000
"""Steps of an evaluation that is run. One that takes more counts as many, or it would take long itself."""
THREADS = 2
"""The most threads that run them: the first evaluation of each takes longer than others."""


def work_of(programs: Mapping[str, Program], evaluations: Evaluations, options: Options) -> float:
    """Return about how many seconds a run takes a thread of the CPU if `auto` needs to know, else 0.

    It need not where no GPU is in sight, where options name the engine or the GPUs, and where evaluations are few.
    """
    is_open = options.engine == "auto" and options.devices is None and options.cluster is None
    are_few = evaluations.total < PROBED_FROM * options.workers
    if not is_open or are_few or missing() or not cuda.in_sight():
        return 0.0
    return estimated_s(programs, evaluations, options)


def estimated_s(programs: Mapping[str, Program], evaluations: Evaluations, options: Options) -> float:
    """Estimate the seconds that all evaluations take a thread, by a few evaluations, or by more if a GPU may pay.

    Programs that call a user's own ops count as the others do; without others, the estimate is 0.
    """
    found_s = 0.0
    for places in (FEW, MANY):
        ran = probed(programs, evaluations, options, places)
        is_done = ran.times_ns >= 0
        found_s = float(ran.times_ns[is_done].mean()) * evaluations.total / 1e9 if is_done.any() else 0.0
        if found_s < NEAR * PAYS_FROM["cuda"] * options.workers:
            break
    return found_s


def probed(programs: Mapping[str, Program], evaluations: Evaluations, options: Options, places: int) -> Collected:
    """Run evaluations at some places of the order; which ones these are does not depend on the machine."""
    numbers = _spread(evaluations, places)
    solver_of, sample_of = evaluations.pairs(numbers)
    names = list(programs)
    solvers = [each for each in np.unique(solver_of).tolist() if not own_ops([programs[names[each]]])]
    is_chosen = np.isin(solver_of, solvers)
    samples, at = np.unique(sample_of[is_chosen], return_inverse=True)
    found = Collected(len(at))
    if not len(at):
        return found
    limits = replace(options.limits, steps=min(options.limits.steps, MOST_STEPS))
    threads = min(THREADS, options.workers)
    own = Options(engine="cpu", limits=limits, workers=threads, compiled=False, share=False)
    chosen = [evaluations.samples[each] for each in samples.tolist()]
    if all(programs[names[each]].arity == 1 for each in solvers):
        # Nobody looks at demonstrations, and to pack them takes most of the time.
        chosen = [replace(each, demonstrations=()) for each in chosen]
    few = Evaluations(
        chosen,
        len(solvers),
        np.searchsorted(solvers, solver_of[is_chosen]),
        at.astype(np.int64),
    )
    job = prepare({names[each]: programs[names[each]] for each in solvers}, own, table=STANDARD)
    Ladder(job.on(few), own, (CPU,), found).run()
    return found


def _spread(evaluations: Evaluations, places: int) -> Integers:
    """Return the numbers of a few evaluations of several solvers, each on several samples."""
    total = evaluations.total
    starts = np.linspace(0, total - 1, places).astype(np.int64)[:, None]
    further = total // (EACH * evaluations.solvers) * np.arange(EACH)
    if not evaluations.is_product:
        return np.unique((starts + further) % total)
    # No second solver for a place: to encode programs takes most of the time.
    width = len(evaluations.samples)
    return np.unique(starts // width * width + (starts + further) % width)
