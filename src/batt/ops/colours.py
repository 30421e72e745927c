"""Counting and changing colours. The colour of a patch's item is its first component, which indices have as well."""

from __future__ import annotations

from batt.ops.known import knows
from batt.ops.shapes import background, colours_of, count_colours, is_sorted, lowest_counted, places
from batt.ops.table import op, sig
from batt.types import Kind, OrderedSet, ordered, unordered
from batt.types.kinds import Element, Grid, Object, Patch, Set, Value

ANY, ELEMENT, GRID, INT = Kind.ANY, Kind.ELEMENT, Kind.GRID, Kind.INT
OBJECT, PATCH, SET = Kind.OBJECT, Kind.PATCH, Kind.SET


@op(ELEMENT, result=INT)
@knows(refuses="element: inepz", proves="g -> int", colours="result")
def mostcolor(element: Element) -> Value:
    """The most frequent colour, the lowest of those tied.

    >>> mostcolor(((3, 1), (3, 1)))
    1
    """
    return background(element)


@op(ELEMENT, result=INT)
@knows(refuses="element: inepz", proves="g -> int", colours="result")
def leastcolor(element: Element) -> Value:
    """The least frequent colour among those present, the lowest of those tied.

    >>> leastcolor(((3, 1), (3, 2)))
    1
    """
    counts = count_colours(element)
    return lowest_counted(counts, min(counts.values()))


@op(ELEMENT, result=SET)
@knows(types="element -> set int", gives="g>s *>sz", refuses="element: inp", proves="r -> set")
def palette(element: Element) -> Set:
    """The colours present.

    >>> palette(((3, 1), (3, 2)))
    {1, 2, 3}
    """
    return OrderedSet(colours_of(element))


@op(ELEMENT, result=INT)
@knows(gives="*>i", refuses="element: inp", proves="r -> int")
def numcolors(element: Element) -> int:
    """The number of colours present.

    >>> numcolors(((3, 1), (3, 2)))
    3
    """
    return len(set(colours_of(element)))


@op(ELEMENT, INT, result=INT, also=(sig(ELEMENT, ANY, result=INT),))
@knows(gives="*>i", refuses="element: inp", proves="r, x -> int", colours="value")
def colorcount(element: Element, value: Value) -> int:
    """The number of cells of a colour.

    >>> colorcount(((3, 1), (3, 2)), 3)
    2
    """
    if isinstance(element, tuple):
        return sum([row.count(value) for row in element])
    return sum([colour == value for colour in colours_of(element)])


@op(OBJECT, result=INT)
@knows(refuses="obj: inepz", colours="result")
def color(obj: Object) -> Value:
    """The colour of the first cell, which is the lowest colour of the object.

    >>> color({(5, (0, 0)), (2, (1, 1))})
    2
    """
    return next(iter(ordered(obj)))[0]


@op(GRID, INT, INT, result=GRID, also=(sig(GRID, ANY, ANY, result=GRID),))
@knows(
    gives="e>e z>e g>g *>gt",
    refuses="grid: inp",
    proves="g, i, j -> g; r, x, y -> rect[r]",
    colours="replacee replacer",
)
def replace(grid: Grid, replacee: Value, replacer: Value) -> Grid:
    """The grid with every value equal to one changed to another.

    >>> replace(((1, 2), (2, 1)), 2, 5)
    ((1, 5), (5, 1))
    """
    return tuple([tuple([replacer if v == replacee else v for v in ordered(row)]) for row in ordered(grid)])


@op(GRID, INT, INT, result=GRID, also=(sig(GRID, ANY, ANY, result=GRID),))
@knows(
    gives="e>e z>e g>g *>gt",
    refuses="grid: inp",
    proves="g, i, j -> g; r, x, y -> rect[r]",
    colours="a b",
)
def switch(grid: Grid, a: Value, b: Value) -> Grid:
    """The grid with two values exchanged.

    >>> switch(((1, 2), (3, 1)), 1, 3)
    ((3, 2), (1, 3))
    """
    swap = {a: b, b: a}.get
    return tuple([tuple([swap(v, v) for v in ordered(row)]) for row in ordered(grid)])


@op(INT, PATCH, result=OBJECT, also=(sig(ANY, PATCH, result=OBJECT),))
@knows(gives="patch: e>z z>z *>s", refuses="patch: inp", colours="value")
def recolor(value: Value, patch: Patch) -> Object:
    """Every place of the patch in one colour.

    >>> recolor(4, {(1, (0, 0)), (2, (0, 1))})
    {(4, (0, 0)), (4, (0, 1))}
    """
    spots = places(patch)
    if is_sorted(spots):
        return OrderedSet.from_ascending([(value, place) for place in spots])
    return OrderedSet([(value, place) for place in unordered(spots)])
