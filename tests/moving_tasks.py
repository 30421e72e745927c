"""Tasks in which figures move, for the tests of spans and moves."""

from __future__ import annotations

from batt.solving.figures.measuring import figure_tables
from batt.solving.figures.relations import related_table
from batt.solving.frame import TaskFrame
from batt.solving.work import Work
from batt.tasks import tasks_from_dict

SIDE = 9
ENOUGH = 10**10

# Figures as (colour, row, column, height, width), apart from one another.
SCENES = (
    ((1, 0, 1, 1, 2), (2, 3, 4, 3, 1), (3, 6, 0, 2, 2)),
    ((4, 1, 5, 2, 1), (1, 4, 0, 1, 3), (2, 7, 6, 2, 2)),
    ((3, 2, 2, 1, 1), (5, 0, 6, 2, 3), (1, 5, 4, 3, 1)),
    ((2, 0, 0, 2, 2), (6, 4, 3, 1, 5), (4, 6, 7, 3, 1)),
)


def drawn(figures):
    grid = [[0] * SIDE for _ in range(SIDE)]
    for colour, row, column, height, width in figures:
        for i in range(row, row + height):
            for j in range(column, column + width):
                grid[i][j] = colour
    return grid


def frame_of(moved, scenes=SCENES):
    """A task whose outputs have the figures that a function makes of those of the inputs; and its right answer."""
    pairs = [{"input": drawn(scene), "output": drawn(moved(scene))} for scene in scenes]
    task = tasks_from_dict({"moved": {"train": pairs[:-1], "test": pairs[-1:]}})["moved"]
    return TaskFrame(task), task.test[0].output


def table_of(frame):
    """The table of the first segment, with relations."""
    table = next(figure_tables(frame.input, frame, Work(ENOUGH)))
    return related_table(table, frame, Work(ENOUGH)) or table
