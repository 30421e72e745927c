"""Expressions over primitives that a search composes by itself: places, choices between grids, tables and joins."""

from __future__ import annotations

from collections.abc import Sequence

from batt.ir import Literal
from batt.solving.expressions import Argument, Expression, call, op


def places_of(grid: Expression, value: int) -> Expression:
    """Return the places of a grid that have this value."""
    return call("ofcolor", grid, value)


def equal_places(one: Expression, other: Expression) -> Expression:
    """Return the places where two grids of one size are equal."""
    same = call("cellwise", one, other, -1)
    return call("difference", call("asindices", one), call("ofcolor", same, -1))


def at_least_places(grid: Expression, value: int) -> Expression:
    """Return the places of a grid that have at least this value."""
    is_greater = call("compose", call("rbind", op("greater"), value - 1), op("first"))
    return call("toindices", call("sfilter", call("asobject", grid), is_greater))


def even_places(grid: Expression) -> Expression:
    """Return the places of a grid that have an even value."""
    return call("toindices", call("sfilter", call("asobject", grid), call("compose", op("even"), op("first"))))


def places_around(places: Expression) -> Expression:
    """Return the neighbours of places, diagonal ones included."""
    return call("mapply", op("neighbors"), places)


def chosen(places: Expression, then: Expression, other: Expression) -> Expression:
    """Return the grid `other`, with the cells of `then` in these places."""
    return call("paint", other, call("toobject", places, then))


def blank(colour: int | Argument, like: Expression) -> Expression:
    """Return a grid of one colour, of the size of another grid."""
    return call("canvas", colour, call("shape", like))


def blank_cell(colour: Expression) -> Expression:
    """Return a grid of one cell of a colour."""
    return call("canvas", colour, (1, 1))


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


def recoloured_by(function: Expression, colour: int | Expression) -> Expression:
    """Return a function that gives what another one gives, in a colour, or in the colour that a function gives."""
    if isinstance(colour, int):
        return call("compose", call("lbind", op("recolor"), colour), function)
    return call("fork", op("recolor"), colour, function)


def added(function: Expression, number: int) -> Expression:
    """Return a function with a number added to what it gives."""
    return call("compose", call("rbind", op("add"), number), function)


def passing(items: Expression, function: Expression, value: int, is_greater: bool) -> Expression:
    """Return the items for which a function gives a value, or more than it."""
    test = (
        call("compose", call("rbind", op("greater"), value), function)
        if is_greater
        else call("matcher", function, value)
    )
    return call("sfilter", items, test)


def without(items: Expression, others: Expression) -> Expression:
    """Return the items that are not among others."""
    return call("difference", items, others)


def erased(grid: Expression, figures: Expression, like: Expression) -> Expression:
    """Return a grid with the most frequent colour of another grid in place of figures."""
    return call("fill", grid, call("mostcolor", like), call("merge", figures))


def edited(grid: Expression, figures: Expression, function: Expression) -> Expression:
    """Return a grid with what a function makes of figures painted on it, one after the other."""
    return call("paintorder", grid, call("apply", function, call("totuple", figures)))


def on_ground(made: Expression, grid: Expression, like: Expression) -> Expression:
    """Return a grid, with the cells of `made` where another grid has its most frequent colour."""
    return chosen(call("ofcolor", like, call("mostcolor", like)), made, grid)


def blackened(grid: Expression, piece: Expression) -> Expression:
    """Return a grid that is black where another one is."""
    return call("fill", grid, 0, call("ofcolor", piece, 0))


def in_order(items: Expression, measure: Expression, is_down: bool) -> Expression:
    """Return items in the ascending order of a measure, or the descending one."""
    return call("order", items, call("compose", op("invert"), measure) if is_down else measure)


def colours_in_order(figures: Expression, measure: Expression, is_down: bool) -> Expression:
    """Return the main colours of figures in the ascending order of a measure, or the descending one."""
    return call("apply", op("mostcolor"), in_order(figures, measure, is_down))


def ground_of_all(grids: Expression) -> Expression:
    """Return the most frequent colour of some grids of one width together."""
    return call("mostcolor", call("merge", grids))


def blank_like_first(colour: Argument, grids: Expression) -> Expression:
    """Return a grid of one colour, of the size of the first of some grids."""
    return blank(colour, call("first", grids))


def counted(items: Expression, colour: int) -> Expression:
    """Return a tuple that has a colour once for each item."""
    return call("repeat", colour, call("size", items))


def as_row(items: Expression) -> Expression:
    """Return a tuple of colours as a grid of one row."""
    return call("repeat", items, 1)


def as_column(items: Expression) -> Expression:
    """Return a tuple of colours as a grid of one column."""
    return call("dmirror", as_row(items))


def cells_at(grid: Expression, offset: tuple[int, int], outside: int) -> Expression:
    """Return for each cell of a grid the one at an offset from it, or `outside`."""
    blank = call("canvas", outside, call("shape", grid))
    return call("paint", blank, call("shift", call("asobject", grid), (-offset[0], -offset[1])))


def handed(values: Sequence[Expression]) -> Expression | None:
    """Return several values as one: the first, and a pair of the rest; None if there are none."""
    made = values[-1] if values else None
    for each in reversed(values[:-1]):
        made = call("astuple", each, made)
    return made


def handed_parts(value: Expression, count: int) -> list[Expression]:
    """Return the values of which `handed` made one."""
    rests = [value]
    for _ in range(count - 1):
        rests.append(call("last", rests[-1]))
    return [call("first", each) for each in rests[:-1]] + rests[-1:]


def repeated(function: Literal, fixed: Expression | None, rounds: int) -> Expression:
    """Return a function applied `rounds` times over, with a fixed first argument if there is one."""
    return call("power", function if fixed is None else call("lbind", function, fixed), rounds)
