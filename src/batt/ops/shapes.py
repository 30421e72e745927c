"""Helpers that several families share: places, bounding boxes, sizes, background. Declares no op.

Places are read in any order first, at C speed. Only if one of them is no pair of ints, a plain loop in canonical order
decides which error, or which odd value, the rule gives.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from operator import itemgetter
from typing import Any, TypeGuard

from batt.types import OrderedSet, ascending, ordered, unordered
from batt.types.kinds import Container, Element, Pair, Patch, Value

_SECOND = itemgetter(1)
_INTS = {int, bool}


def is_sorted(patch: Any) -> TypeGuard[OrderedSet[Any]]:
    """Tell whether the ascending order of a container is known, so that iterating in order costs nothing."""
    return isinstance(patch, OrderedSet) and hasattr(patch, "_order")


def is_object(patch: Container) -> bool:
    """Tell whether a non-empty patch holds cells: the second component of its first item is a tuple."""
    if isinstance(patch, frozenset) and not is_sorted(patch):
        try:
            kinds = set(map(type, map(_SECOND, unordered(patch))))
        except (TypeError, IndexError):
            kinds = set()
        if len(kinds) == 1:
            return kinds == {tuple}
    return isinstance(next(iter(ordered(patch)))[1], tuple)


def places(patch: Container) -> Container:
    """Return what `toindices` gives: the set of an object's places, indices unchanged, E for an empty patch."""
    if len(patch) == 0:
        return OrderedSet()
    if not is_object(patch):
        return patch
    spots = _spots(patch)
    # Cells ascend by colour first: equal colours at both ends mean a single colour.
    one_colour = _are_sorted_tuples(patch) and patch.order[0][0] == patch.order[-1][0]
    return OrderedSet.from_ascending(spots) if one_colour else OrderedSet(spots)


def int_places(patch: Container) -> set[Pair] | None:
    """Return the places of a patch as a plain set, or None if it is empty or one of them is no pair of ints."""
    if len(patch) == 0:
        return None
    try:
        if is_object(patch):
            spots = {(i, j) for _, (i, j) in unordered(patch)}
        else:
            spots = {(i, j) for i, j in unordered(patch)}
    except (TypeError, ValueError):
        return None
    return spots if set(map(type, chain.from_iterable(spots))) <= _INTS else None


def span(patch: Container, axis: int) -> Pair:
    """Return the least and the greatest row (axis 0) or column (axis 1); ValueError for an empty patch."""
    try:
        values = _along(patch, axis)
        least, greatest = min(values), max(values)
    except (TypeError, ValueError):
        least = None
    if isinstance(least, int):
        return least, greatest
    return min(_along_by_rule(patch, axis)), max(_along_by_rule(patch, axis))


def lines_of(patch: Container, axis: int) -> set[Any]:
    """Return the rows (axis 0) or columns (axis 1) that a patch occupies."""
    try:
        return set(_along(patch, axis))
    except (TypeError, ValueError):
        return set(_along_by_rule(patch, axis))


def top(patch: Container) -> int:
    """Return the least row."""
    return span(patch, 0)[0]


def bottom(patch: Container) -> int:
    """Return the greatest row."""
    return span(patch, 0)[1]


def left(patch: Container) -> int:
    """Return the least column."""
    return span(patch, 1)[0]


def right(patch: Container) -> int:
    """Return the greatest column."""
    return span(patch, 1)[1]


def height_of(piece: Container) -> int:
    """Return the rows of a grid or of a patch's bounding box; 0 for an empty piece."""
    if isinstance(piece, tuple) or len(piece) == 0:
        return len(piece)
    first, last = span(piece, 0)
    return last - first + 1


def width_of(piece: Container) -> int:
    """Return the columns of a grid's first row or of a patch's bounding box; 0 for an empty piece."""
    if len(piece) == 0:
        return 0
    if isinstance(piece, tuple):
        return len(piece[0])
    first, last = span(piece, 1)
    return last - first + 1


def shape_of(piece: Container) -> Pair:
    """Return height and width."""
    return height_of(piece), width_of(piece)


def upper_left(patch: Container) -> tuple[int, ...]:
    """Return the least of each component of the places; () for an empty patch."""
    return tuple(map(min, components(patch)))


def corners_of(patch: Container) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the least and the greatest of each component of the places; () and () for an empty patch."""
    found = components(patch)
    return tuple(map(min, found)), tuple(map(max, found))


def components(patch: Container) -> list[tuple[Any, ...]]:
    """Return the places by component: all rows, then all columns, and so on up to the shortest place."""
    spots = places(patch)
    if not is_sorted(spots):
        found = list(zip(*map(ordered, unordered(spots)), strict=False))
        if set(map(type, chain.from_iterable(found))) <= _INTS:
            return found
    return list(zip(*map(ordered, ordered(spots)), strict=False))


def center_of(patch: Container) -> Pair:
    """Return the middle of the bounding box, the lower right one of an even size."""
    if isinstance(patch, tuple):
        return top(patch) + height_of(patch) // 2, left(patch) + width_of(patch) // 2
    (first_row, last_row), (first_column, last_column) = span(patch, 0), span(patch, 1)
    return first_row + (last_row - first_row + 1) // 2, first_column + (last_column - first_column + 1) // 2


def background(element: Element) -> Value:
    """Return what `mostcolor` gives: the most frequent colour, the lowest in a tie; ValueError if there is none."""
    counts = count_colours(element)
    return lowest_counted(counts, max(counts.values()))


def lowest_counted(counts: Counter[Value], count: int) -> Value:
    """Return the canonically smallest of the items that occur `count` times."""
    return ascending([item for item, times in counts.items() if times == count])[0]


def count_colours(element: Element) -> Counter[Value]:
    """Count each colour."""
    return Counter(colours_of(element))


def colours_of(element: Element) -> Iterable[Value]:
    """Return the values of a grid, or the first components of a patch's items, in any order, with repetitions."""
    if isinstance(element, tuple):
        return chain.from_iterable(element)
    try:
        return [colour for colour, _ in unordered(element)]
    except (TypeError, ValueError):
        return [colour for colour, _ in ordered(element)]


def moved(patch: Patch, directions: Pair) -> Patch:
    """Return what `shift` gives: every place plus the directions; an empty patch unchanged, directions unread."""
    if len(patch) == 0:
        return patch
    di, dj = ordered(directions)
    cells = is_object(patch)
    if not (isinstance(di, int) and isinstance(dj, int)):
        # The first item raises, for its own fault or for this one.
        _shifted([next(iter(ordered(patch)))], cells, 0, 0)
        raise TypeError("a patch is shifted by two ints")
    try:
        items = _shifted(patch if is_sorted(patch) else unordered(patch), cells, di, dj)
    except (TypeError, ValueError):
        items = _shifted(ordered(patch), cells, di, dj)
    in_order = _are_sorted_tuples(patch) and (not cells or set(map(type, map(_SECOND, patch))) == {tuple})
    return OrderedSet.from_ascending(items) if in_order else OrderedSet(items)


def normalized(patch: Patch) -> Patch:
    """Return what `normalize` gives: the patch moved so that its bounding box starts at (0, 0)."""
    return patch if len(patch) == 0 else moved(patch, (-top(patch), -left(patch)))


def _are_sorted_tuples(patch: Any) -> TypeGuard[OrderedSet[Any]]:
    """Tell whether a non-empty patch is a sorted set of tuples only; a set, which can be a pair, would come last."""
    return is_sorted(patch) and type(patch.order[-1]) is tuple


def _shifted(patch: Iterable[Any], cells: bool, di: int, dj: int) -> list[Any]:
    if cells:
        return [(colour, (i + di, j + dj)) for colour, (i, j) in patch]
    return [(i + di, j + dj) for i, j in patch]


def _spots(patch: Container) -> list[Any]:
    """Return the places of a non-empty object, one per cell: in its order if that is known, else in any order."""
    try:
        return [place for _, place in (patch if is_sorted(patch) else unordered(patch))]
    except (TypeError, ValueError):
        return [place for _, place in ordered(patch)]


def _along(patch: Container, axis: int) -> list[Any]:
    """Return the row or column of each item, in any order, if that is possible at C speed."""
    if len(patch) == 0:
        return []
    pool = unordered(patch)
    if is_object(patch):
        return [i for _, (i, _) in pool] if axis == 0 else [j for _, (_, j) in pool]
    return [i for i, _ in pool] if axis == 0 else [j for _, j in pool]


def _along_by_rule(patch: Container, axis: int) -> Iterator[Any]:
    """Return the row or column of each place in canonical order, raising where the rule does."""
    for row, column in ordered(places(patch)):
        yield row if axis == 0 else column
