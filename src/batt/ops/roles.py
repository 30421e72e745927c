"""New words that read the demonstrations: roles of colours, the size of the output, and what all outputs share."""

from __future__ import annotations

from functools import reduce
from typing import Any

from batt.ops.known import knows
from batt.ops.meter import items
from batt.ops.strict import demonstrations_cost, plain_colour, plain_demonstrations, plain_grid
from batt.ops.table import WORDS, op
from batt.types import Kind, OrderedSet
from batt.types.kinds import Grid, Pair

GRID, INT, PAIR, SET, TUPLE = Kind.GRID, Kind.INT, Kind.PAIR, Kind.SET, Kind.TUPLE

Demonstrations = tuple[tuple[Grid, Grid], ...]


def _outsize_cost(S: Any, grid: Any) -> int:
    """1 + the cells of all demonstrations + items of the grid"""
    return demonstrations_cost(S) + items(grid)


def _commoncells_cost(S: Any, value: Any) -> int:
    """1 + the cells of all demonstrations"""
    return demonstrations_cost(S)


@op(TUPLE, result=INT, cost=demonstrations_cost, group=WORDS)
@knows(gives="*>i", refuses="S: inepzs", colours="result")
def backcolor(S: Demonstrations) -> int:
    """The background: the colour of the most cells of all inputs, the lowest of those tied.

    >>> backcolor(((((0, 2), (2, 2)), ((5,),)), (((0, 0, 0),), ((5,),))))
    0
    """
    cells = [cell for given, _ in plain_demonstrations(S) for row in given for cell in row]
    return _commonest(cells)


def _commonest(colours: list[int]) -> int:
    counts: dict[int, int] = {}
    for colour in colours:
        counts[colour] = counts.get(colour, 0) + 1
    return int(min(counts, key=lambda colour: (-counts[colour], colour)))


@op(TUPLE, result=SET, cost=demonstrations_cost, group=WORDS)
@knows(gives="*>sz", refuses="S: inepzs")
def newcolors(S: Demonstrations) -> OrderedSet[int]:
    """The colours that are in every output and in no input.

    >>> newcolors(((((0, 2),), ((5, 2),)), (((0, 1),), ((5, 1),))))
    {5}
    """
    shown = plain_demonstrations(S)
    found = _in_every([wanted for _, wanted in shown]).difference(*[_colours(given) for given, _ in shown])
    return OrderedSet(found)


@op(TUPLE, result=SET, cost=demonstrations_cost, group=WORDS)
@knows(gives="*>sz", refuses="S: inepzs")
def lostcolors(S: Demonstrations) -> OrderedSet[int]:
    """The colours that are in every input and in no output.

    >>> lostcolors(((((0, 2),), ((5, 2),)), (((0, 1),), ((5, 1),))))
    {0}
    """
    shown = plain_demonstrations(S)
    found = _in_every([given for given, _ in shown]).difference(*[_colours(wanted) for _, wanted in shown])
    return OrderedSet(found)


@op(TUPLE, result=SET, cost=demonstrations_cost, group=WORDS)
@knows(gives="*>sz", refuses="S: inepzs")
def keptcolors(S: Demonstrations) -> OrderedSet[int]:
    """The colours that are in every input and in every output.

    >>> keptcolors(((((0, 2),), ((5, 2),)), (((0, 2),), ((2, 1),))))
    {2}
    """
    return OrderedSet(_in_every([grid for pair in plain_demonstrations(S) for grid in pair]))


def _colours(grid: Grid) -> set[int]:
    return {int(cell) for row in grid for cell in row}


def _in_every(grids: list[Grid]) -> set[int]:
    return reduce(set.intersection, map(_colours, grids))


@op(TUPLE, GRID, result=PAIR, cost=_outsize_cost, group=WORDS)
@knows(gives="*>p", refuses="S: inepzs; grid: inepzs", proves="... ~> tuple[2]")
def outsize(S: Demonstrations, grid: Grid) -> Pair:
    """The size of the output for the input grid, by the first rule that holds for all demonstrations.

    1. The size of the input. 2. One size for all outputs. 3. The input's rows times an int, and its columns times an
    int. 4. Its rows divided by an int, and its columns divided by an int. 5. The size of the smallest box around the
    cells that are not of the input's most frequent colour, the lowest of those tied. A rule that gives no size for the
    grid does not hold. A ValueError if none holds.

    >>> outsize(((((1, 2),), ((1, 2, 1, 2), (1, 2, 1, 2))), (((1,),), ((1, 1), (1, 1)))), ((1, 2, 3),))
    (2, 6)
    """
    shown, given = plain_demonstrations(S), plain_grid(grid)
    inputs, outputs = [_size(each) for each, _ in shown], [_size(each) for _, each in shown]
    for rule in (_same, _constant, _multiplied, _divided):
        found = rule(inputs, outputs, _size(given))
        if found is not None:
            return found
    box = _box_size(given)
    if box is None or [_box_size(each) for each, _ in shown] != outputs:
        raise ValueError("no rule gives the size of the output")
    return box


def _size(grid: Grid) -> Pair:
    return len(grid), len(grid[0])


def _same(inputs: list[Pair], outputs: list[Pair], given: Pair) -> Pair | None:
    return given if inputs == outputs else None


def _constant(inputs: list[Pair], outputs: list[Pair], given: Pair) -> Pair | None:
    return outputs[0] if outputs.count(outputs[0]) == len(outputs) else None


def _multiplied(inputs: list[Pair], outputs: list[Pair], given: Pair) -> Pair | None:
    factors = _factors(inputs, outputs)
    return (given[0] * factors[0], given[1] * factors[1]) if factors else None


def _divided(inputs: list[Pair], outputs: list[Pair], given: Pair) -> Pair | None:
    factors = _factors(outputs, inputs)
    if factors is None or given[0] % factors[0] or given[1] % factors[1]:
        return None
    return given[0] // factors[0], given[1] // factors[1]


def _factors(small: list[Pair], large: list[Pair]) -> Pair | None:
    """Return by which ints all small sizes are multiplied to make the large ones."""
    (rows, columns), (most_rows, most_columns) = small[0], large[0]
    down, across = most_rows // rows, most_columns // columns
    return (down, across) if large == [(i * down, j * across) for i, j in small] else None


def _box_size(grid: Grid) -> Pair | None:
    backdrop = _commonest([cell for row in grid for cell in row])
    rows = [i for i, row in enumerate(grid) if any(cell != backdrop for cell in row)]
    columns = [j for j, column in enumerate(zip(*grid, strict=True)) if any(cell != backdrop for cell in column)]
    return (rows[-1] - rows[0] + 1, columns[-1] - columns[0] + 1) if rows else None


@op(TUPLE, INT, result=GRID, cost=_commoncells_cost, group=WORDS)
@knows(gives="*>g", refuses="S: inepzs; value: nepgtzs", proves="... ~> rect", colours="value")
def commoncells(S: Demonstrations, value: int) -> Grid:
    """The cells that all outputs have alike, and value elsewhere; a ValueError if the outputs differ in size.

    >>> commoncells(((((1,),), ((5, 2), (0, 5))), (((1,),), ((5, 1), (3, 5)))), 8)
    ((5, 8), (8, 5))
    """
    outputs = [wanted for _, wanted in plain_demonstrations(S)]
    colour, (height, width) = plain_colour(value), _size(outputs[0])
    if any(_size(each) != (height, width) for each in outputs):
        raise ValueError("the outputs differ in size")
    columns = [[*zip(*rows, strict=True)] for rows in zip(*outputs, strict=True)]
    return tuple([tuple([cells[0] if len(set(cells)) == 1 else colour for cells in row]) for row in columns])
