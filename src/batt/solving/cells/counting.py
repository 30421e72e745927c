"""Count what the inputs of a task have: numbers as marks of cells, as first places, and as sides of the output."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from batt.front import Solver
from batt.ir import Literal
from batt.solving.cells.cells import marked_colours
from batt.solving.expressions import INPUT, SHOWN, Argument, Expression, applied, call, compose
from batt.solving.frame import GridState, TaskFrame
from batt.solving.library import solving_deck
from batt.solving.parts import blank_cell
from batt.solving.running import LARGEST_CELL, Array, PreparedFunctions
from batt.solving.work import Work

MOST_COUNTS = 16
"""The counts that differ between samples which are kept."""
MARK_UNITS = 4.0
"""The units of work for a cell of a mark."""

Numbers = npt.NDArray[np.int64]

ORDERS: dict[str, Callable[[Numbers, Numbers, int, int], Numbers]] = {
    "first_by_row": lambda row, column, height, width: row * width + column,
    "first_by_column": lambda row, column, height, width: column * height + row,
    "first_to_and_fro": lambda row, column, height, width: (
        row * width + np.where(row % 2 == 0, column, width - 1 - column)
    ),
    "first_apart": lambda row, column, height, width: np.where(
        (row * width + column) % 2 == 0, (row * width + column) // 2, 1000
    ),
    "first_rows": lambda row, column, height, width: row,
    "first_columns": lambda row, column, height, width: column,
    "last_rows": lambda row, column, height, width: height - 1 - row,
    "last_columns": lambda row, column, height, width: width - 1 - column,
    "first_diagonal": lambda row, column, height, width: np.where(row == column, row, 1000),
}
"""The number of each place in an order, by the program of the deck that marks the first places."""


@dataclass(frozen=True, slots=True, eq=False)
class InputCount:
    """A number of each input, and the expression that gives it."""

    expression: Expression
    numbers: tuple[int, ...]


@cache
def _solvers(start: str) -> tuple[Solver, ...]:
    """Return the solvers of the deck whose names begin so."""
    return tuple([solver for solver in solving_deck("counts") if solver.name.startswith(f"solve_{start}")])


@cache
def _counters(of_colour: bool) -> tuple[tuple[Solver, ...], PreparedFunctions]:
    """Return the counts, of a colour or not, prepared to give a grid of one cell."""
    chosen = tuple([each for each in _solvers("count_") if each.name.endswith("_of") == of_colour])
    cells = [blank_cell(Expression(each.program, (SHOWN, INPUT, Literal(None)))) for each in chosen]
    return chosen, PreparedFunctions([compose(cell) for cell in cells])


@cache
def _makers(start: str) -> tuple[tuple[Solver, ...], PreparedFunctions]:
    chosen = _solvers(start)
    return chosen, PreparedFunctions([each.program for each in chosen])


def input_counts(frame: TaskFrame, work: Work) -> list[InputCount]:
    """Return counts that differ between inputs, each once."""
    found: dict[tuple[int, ...], InputCount] = {}
    colours = marked_colours(frame.input, frame.train)
    for of_colour, values in ((False, [0]), (True, colours)):
        solvers, prepared = _counters(of_colour)
        made = prepared.run([sample for each in values for sample in frame.samples(shown=each)], outputs=True)
        work.spend_run(made.records.size, made.steps)
        for place, value in enumerate(values):
            grids = made.all_grids(range(len(solvers)), place * frame.size, frame.size)
            for solver, cells in zip(solvers, grids, strict=True):
                numbers = None if cells is None else tuple([int(cell[0, 0]) for cell in cells])
                if numbers is not None and len(set(numbers)) > 1:
                    shown: Argument = Literal(value) if of_colour else Literal(None)
                    expression = Expression(solver.program, (shown, INPUT, Literal(None)))
                    found.setdefault(numbers, InputCount(expression, numbers))
    return list(found.values())[:MOST_COUNTS]


def side_counts(frame: TaskFrame) -> list[InputCount]:
    """Return the height and the width of the inputs, if they differ between inputs."""
    sides = zip(*[value.shape for value in frame.input.values], strict=True)
    made = [InputCount(call(name, INPUT), numbers) for name, numbers in zip(("height", "width"), sides, strict=True)]
    return [count for count in made if len(set(count.numbers)) > 1]


def count_marks(
    counts: Sequence[InputCount], size: Argument, shapes: Sequence[tuple[int, ...]], work: Work
) -> list[GridState]:
    """Return grids that have a count in all cells, as marks of these shapes, which `size` gives."""
    made = [
        GridState(
            call("canvas", count.expression, size),
            tuple([np.full(shape, number, np.uint8) for shape, number in zip(shapes, count.numbers, strict=True)]),
            4,
            is_count=True,
        )
        for count in counts
    ]
    work.spend(MARK_UNITS * sum([value.size for state in made for value in state.values]))
    return made


def first_marks(
    counts: Sequence[InputCount], size: Argument, shapes: Sequence[tuple[int, ...]], work: Work
) -> list[GridState]:
    """Return grids that mark as many places as a count says, the first in an order, as marks of these shapes."""
    made = []
    for solver in (*_solvers("first_"), *_solvers("last_")):
        name = solver.name.removeprefix("solve_")
        numbered = [_numbered(name, shape) for shape in shapes]
        for count in counts:
            values = tuple([(numbers < count.numbers[at]).astype(np.uint8) for at, numbers in enumerate(numbered)])
            expression = Expression(solver.program, (count.expression, size, Literal(None)))
            made.append(GridState(expression, values, 6, is_count=True))
    work.spend(MARK_UNITS * sum([value.size for state in made for value in state.values]))
    return made


def _numbered(order: str, shape: tuple[int, ...]) -> Numbers:
    """Return the number of each place in an order."""
    row, column = np.indices(shape)
    return ORDERS[order](row, column, shape[0], shape[1])


def resized_states(
    states: Sequence[GridState], size: Argument, shapes: Sequence[tuple[int, ...]], work: Work
) -> list[GridState]:
    """Return these states and their transposes scaled to these shapes, which `size` gives."""
    made = []
    for state in states:
        for is_turned in (False, True):
            values = [value.T if is_turned else value for value in state.values]
            base = call("dmirror", state.expression) if is_turned else state.expression
            scaled = tuple([resized(value, shape) for value, shape in zip(values, shapes, strict=True)])
            made.append(GridState(call("resize", base, size), scaled, state.steps + 1 + is_turned, is_count=True))
    work.spend(MARK_UNITS * sum([value.size for state in made for value in state.values]))
    return made


def resized(value: Array, shape: tuple[int, ...]) -> Array:
    """Return a grid scaled as `resize` does."""
    rows, columns = [np.arange(new) * old // new for new, old in zip(shape, value.shape, strict=True)]
    return np.ascontiguousarray(value[rows[:, None], columns])


def panel_numbers(frame: TaskFrame, work: Work) -> list[GridState]:
    """Return grids that have a number for each panel of the inputs."""
    return _made_states("panels_", frame, work)


def colour_bars(frame: TaskFrame, work: Work) -> list[GridState]:
    """Return grids that have a bar for each colour of the inputs, as long as its count."""
    return _made_states("bars_", frame, work)


def _made_states(start: str, frame: TaskFrame, work: Work) -> list[GridState]:
    solvers, prepared = _makers(start)
    made = prepared.run(frame.samples(), outputs=True)
    work.spend_run(made.records.size, made.steps)
    found = []
    for at in np.flatnonzero(made.is_grid.all(axis=1)).tolist():
        values = made.grids(at)
        if values is not None and all(value.max(initial=0) < LARGEST_CELL for value in values):
            program = solvers[at].program
            found.append(GridState(applied(program, INPUT), tuple(values), len(program.steps)))
    return found
