"""Place inputs on grids of the size of the output: in each corner, in the middle, and scaled."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from batt.ir import Literal, Program
from batt.solving.cells.counting import resized
from batt.solving.cells.sizes import OutputSize
from batt.solving.expressions import INPUT, Argument, Expression, call, count_steps
from batt.solving.frame import GridState, TaskFrame
from batt.solving.library import solving_deck
from batt.solving.running import Array
from batt.solving.work import Work
from batt.types.kinds import Pair

PLACE_UNITS = 4.0
"""The units of work for a cell of a placed input."""

OFFSETS: dict[str, Callable[[int, int], Pair]] = {
    "upper_left": lambda down, right: (0, 0),
    "upper_right": lambda down, right: (0, right),
    "lower_left": lambda down, right: (down, 0),
    "lower_right": lambda down, right: (down, right),
    "middle": lambda down, right: (down // 2, right // 2),
}
"""Where an input lies if the output has this many rows and columns more, by the program of the deck that places it."""


@cache
def _programs() -> dict[str, Program]:
    return {solver.name.removeprefix("solve_"): solver.program for solver in solving_deck("placements")}


def placed_inputs(frame: TaskFrame, size: OutputSize, work: Work) -> list[GridState]:
    """Return grids of a size that show the input, as states, each once. What it leaves is black, or its ground."""
    values = frame.input.values
    grounds = [int(np.bincount(value.ravel()).argmax()) for value in values]
    black: Argument = Literal(0)
    made = []
    for colour, colours in ((black, [0] * frame.size), (call("mostcolor", INPUT), grounds)):
        for name, offset in OFFSETS.items():
            shown = tuple([_placed(*each, offset) for each in zip(values, size.sizes, colours, strict=True)])
            expression = Expression(_programs()[f"placed_{name}"], (size.expression, INPUT, colour))
            made.append(GridState(expression, shown, count_steps(expression)))
    scaled = tuple(map(resized, values, size.sizes))
    expression = Expression(_programs()["scaled"], (size.expression, INPUT, black))
    made.append(GridState(expression, scaled, count_steps(expression)))
    work.spend(PLACE_UNITS * sum([value.size for state in made for value in state.values]))
    return list({state.key: state for state in reversed(made)}.values())[::-1]


def _placed(value: Array, size: Pair, colour: int, offset: Callable[[int, int], Pair]) -> Array:
    """Return a grid of a colour with another one at an offset, as far as it fits."""
    made = np.full(size, colour, np.uint8)
    height, width = value.shape
    top, left = offset(size[0] - height, size[1] - width)
    rows = slice(max(0, top), max(0, min(size[0], top + height)))
    columns = slice(max(0, left), max(0, min(size[1], left + width)))
    made[rows, columns] = value[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left]
    return made
