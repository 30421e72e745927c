"""Choose the evaluations of a run: every solver on every sample, or on the task in its name."""

from __future__ import annotations

from collections.abc import Container

import numpy as np

from batt.errors import UsageError
from batt.front import Deck
from batt.jobs.samples import all_samples, keys_of
from batt.runtime.evaluations import Evaluations
from batt.tasks import Tasks, original

MAX_ENDS = 16
"""The most ends of a solver's name that are tried as the id of a task: a long name must not take long."""


def match_all(deck: Deck, tasks: Tasks, leave_out: bool = False) -> Evaluations:
    """Return the evaluations of every solver on every sample; with `leave_out`, on those of `samples_of`."""
    return Evaluations(all_samples(tasks, leave_out), len(deck))


def match_own(deck: Deck, tasks: Tasks, leave_out: bool = False) -> Evaluations:
    """Return the evaluations of every solver on the task in its name, if there is one.

    A solver also runs on transforms of that task, and on tasks of that name from other sources. `leave_out` is that of
    `samples_of`.
    """
    samples = all_samples(tasks, leave_out)
    keys = keys_of(samples)
    starts = np.searchsorted(keys.task_of, np.arange(len(keys.ids) + 1)).tolist()
    places: dict[str, list[int]] = {}
    for place, task in enumerate(keys.ids):
        for name in task_names(task):
            places.setdefault(name, []).append(place)
    pairs = [
        (solver, position)
        for solver, name in enumerate(deck.names)
        if (own := own_task(name, places)) is not None
        for place in places[own]
        for position in range(starts[place], starts[place + 1])
    ]
    if not pairs:
        raise UsageError("no solver names one of these tasks (a name such as solve_007bbfb7 does); run without --own")
    table = np.array(pairs, dtype=np.int64)
    return Evaluations(samples, len(deck), table[:, 0], table[:, 1])


def task_names(task: str) -> tuple[str, ...]:
    """Return the ids by which a solver can name a task: its own and its original's, also without a source."""
    before, _ = original(task)
    return tuple(dict.fromkeys((task, before, before.rpartition("/")[2])))


def own_task(solver: str, ids: Container[str]) -> str | None:
    """Return the task in a solver's name: all of the name after one of its first `_`, or one of its words."""
    words = solver.split("_")
    ends = ["_".join(words[at:]) for at in range(len(words))[:MAX_ENDS]]
    return next((word for word in (*ends, *words) if word in ids), None)
