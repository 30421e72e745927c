"""The parts of image families: directions and parts of grids."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from batt.solving.expressions import INPUT, Expression, call

UP, DOWN, LEFT, RIGHT = (-1, 0), (1, 0), (0, -1), (0, 1)
UP_LEFT, UP_RIGHT, DOWN_LEFT, DOWN_RIGHT = (-1, -1), (-1, 1), (1, -1), (1, 1)
SIDES, CORNERS = (UP, DOWN, LEFT, RIGHT), (UP_LEFT, UP_RIGHT, DOWN_LEFT, DOWN_RIGHT)

NamedExpressions: TypeAlias = Iterator[tuple[str, Expression]]


def black_like(like: Expression = INPUT) -> Expression:
    """Return a black grid of the size of another."""
    return call("canvas", 0, call("shape", like))


def drawn(grid: Expression = INPUT) -> Expression:
    """Return the places that are not black."""
    return call("difference", call("asindices", grid), call("ofcolor", grid, 0))


def kept_alone(places: Expression, grid: Expression = INPUT) -> Expression:
    """Return the grid in these places, and black elsewhere."""
    return call("paint", black_like(grid), call("toobject", places, grid))


def filled_alone(places: Expression, colour: Expression | int) -> Expression:
    """Return the colour in these places, and black elsewhere."""
    return call("fill", black_like(), colour, places)
