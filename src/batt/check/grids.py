"""Samples for random programs, from a seed: random grids of every size and make, and real ones."""

from __future__ import annotations

from functools import cache
from random import Random

from batt.errors import BattError
from batt.jobs import samples_of
from batt.own.inputs import random_grid
from batt.runtime import Sample, Split
from batt.tasks import load_tasks

__all__ = ["random_grid", "random_sample", "real_samples"]

REAL_CELLS = 150
SHARE_REAL = 0.4
REAL_TASKS = "arc1-training"


def random_sample(rng: Random) -> Sample:
    """A sample with a few demonstrations; its expected output is unknown, the input itself, or another grid."""
    real = real_samples()
    if real and rng.random() < SHARE_REAL:
        return rng.choice(real)
    grid = random_grid(rng)
    shown = tuple([(random_grid(rng), random_grid(rng)) for _ in range(rng.randint(1, 3))])
    expected = rng.choice((None, grid, tuple([row[::-1] for row in grid]), random_grid(rng)))
    return Sample("random", Split.TEST, 0, shown, grid, expected)


@cache
def real_samples() -> tuple[Sample, ...]:
    """The smaller samples of real tasks; none where there are no tasks."""
    try:
        tasks = load_tasks(REAL_TASKS)
    except BattError:
        return ()
    return tuple([each for each in samples_of(tasks) if len(each.input) * len(each.input[0]) <= REAL_CELLS])
