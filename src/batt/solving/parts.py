"""What a search composes by itself: places, choices between grids, tables and joins, as expressions over primitives."""

from __future__ import annotations

from batt.solving.expressions import Expression, call


def places_of(grid: Expression, value: int) -> Expression:
    """Return the places of a grid that have this value."""
    return call("ofcolor", grid, value)


def equal_places(one: Expression, other: Expression) -> Expression:
    """Return the places where two grids of one size are equal."""
    same = call("cellwise", one, other, -1)
    return call("difference", call("asindices", one), call("ofcolor", same, -1))


def chosen(places: Expression, then: Expression, other: Expression) -> Expression:
    """Return the grid `other`, with the cells of `then` in these places."""
    return call("paint", other, call("toobject", places, then))


def blank(colour: int, like: Expression) -> Expression:
    """Return a grid of one colour, of the size of another grid."""
    return call("canvas", colour, call("shape", like))


def filled(grid: Expression, colour: int, places: Expression) -> Expression:
    """Return a grid with one colour in these places."""
    return call("fill", grid, colour, places)


def common_places(one: Expression, other: Expression) -> Expression:
    """Return the places that are in both."""
    return call("intersection", one, other)


def laid_on(grid: Expression, piece: Expression) -> Expression:
    """Return a grid with all cells of another on it that are not black."""
    drawn = call("difference", call("asindices", piece), call("ofcolor", piece, 0))
    return chosen(drawn, piece, grid)


def joined_grids(one: Expression, other: Expression, is_beside: bool) -> Expression:
    """Return two grids side by side, or one above the other."""
    return call("hconcat" if is_beside else "vconcat", one, other)
