"""Samples for random programs, from a seed: random grids of every size and make, and real ones."""

from __future__ import annotations

from functools import cache
from random import Random

from batt.errors import BattError
from batt.jobs import samples_of
from batt.runtime import Part, Sample
from batt.tasks import load_tasks
from batt.types.kinds import Grid

MAX_SIDE = 30
SIDES = (3, 6, 6, 6, 10, MAX_SIDE)
"""Upper bounds of a side: most grids are small, since plain Python pays for every cell."""
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
    return Sample("random", Part.TEST, 0, shown, grid, expected)


@cache
def real_samples() -> tuple[Sample, ...]:
    """The smaller samples of real tasks; none where there are no tasks."""
    try:
        tasks = load_tasks(REAL_TASKS)
    except BattError:
        return ()
    return tuple([each for each in samples_of(tasks) if len(each.input) * len(each.input[0]) <= REAL_CELLS])


def random_grid(rng: Random) -> Grid:
    """A grid of noise, stripes, blocks or a sprinkle, in few or many colours."""
    bound = rng.choice(SIDES)
    height, width = rng.randint(1, bound), rng.randint(1, bound)
    colours = rng.sample(range(10), rng.choice((1, 2, 2, 3, 4, 10)))
    match rng.randrange(5):
        case 0:
            cells = [[rng.choice(colours) for _ in range(width)] for _ in range(height)]
        case 1:
            period, by_row = rng.randint(1, 4), rng.random() < 0.5
            cells = [
                [colours[(i if by_row else j) // period % len(colours)] for j in range(width)] for i in range(height)
            ]
        case 2:
            cells = [[0] * width for _ in range(height)]
            _add_blocks(cells, colours, rng)
        case 3:
            cells = [[colours[(i + j) % len(colours)] for j in range(width)] for i in range(height)]
        case _:
            cells = [[rng.choice(colours) if rng.random() < 0.2 else 0 for _ in range(width)] for _ in range(height)]
    return tuple([tuple(row) for row in cells])


def _add_blocks(cells: list[list[int]], colours: list[int], rng: Random) -> None:
    """Draw a few filled rectangles."""
    height, width = len(cells), len(cells[0])
    for _ in range(rng.randint(1, 5)):
        top, left, colour = rng.randrange(height), rng.randrange(width), rng.choice(colours)
        for i in range(top, min(height, top + rng.randint(1, 4))):
            for j in range(left, min(width, left + rng.randint(1, 4))):
                cells[i][j] = colour
