"""The main job: a deck on tasks, on an engine. Owns the choice of engine and the gathering of results."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from typing import TypeAlias

import numpy as np

from batt.errors import UsageError
from batt.front import Deck
from batt.jobs.plan import plan_all, plan_own
from batt.jobs.results import RECORD_TYPE, Results
from batt.runtime import Limits, Pool, Work, check_workers
from batt.tasks import Tasks

ENGINES = ("auto", "reference")

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the number of evaluations done and their total."""


def evaluate(
    deck: Deck,
    tasks: Tasks,
    *,
    own: bool = False,
    engine: str = "auto",
    limits: Limits | None = None,
    workers: int | None = None,
    outputs: bool = False,
    progress: Progress | None = None,
) -> Results:
    """Run every solver of a deck on every sample of the tasks, or with `own` on the task in its name."""
    engine = choose_engine(engine)
    limits = limits or Limits()
    plan = plan_own(deck, tasks) if own else plan_all(deck, tasks)
    records = np.zeros(plan.total, RECORD_TYPE)
    written = [""] * plan.total if outputs else None
    work = Work([solver.program for solver in deck], plan.samples, plan.total, plan.pair)
    pool = Pool(work, limits, outputs, check_workers(workers))
    started_s = time.monotonic()
    done = steps = 0
    with closing(pool.run()) as blocks:
        for block in blocks:
            stop = block.start + block.count
            records[block.start : stop] = np.frombuffer(block.records, RECORD_TYPE)
            if written is not None:
                written[block.start : stop] = block.outputs
            done += block.count
            steps += block.steps
            if progress:
                progress(done, plan.total)
    return Results(
        deck,
        tasks,
        plan,
        records,
        engine=engine,
        limits=limits,
        outputs=written,
        wall_s=time.monotonic() - started_s,
        steps=steps,
        crashed=pool.crashed,
    )


def choose_engine(name: str) -> str:
    """The engine to use; a named one that is not there is an error."""
    if name in ENGINES:
        return "reference"
    raise UsageError(f"engine {name!r} is not available; this version has: {', '.join(ENGINES)} (see batt doctor)")
