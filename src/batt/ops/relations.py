"""Relations of two patches: shared rows and columns, distance, direction, and falling together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from batt.ops.containers import product_cost
from batt.ops.known import knows
from batt.ops.shapes import center_of, int_places, lines_of, places
from batt.ops.table import op
from batt.types import Kind, ordered, unordered
from batt.types.kinds import Container, Pair, Patch

BOOL, INT, PAIR, PATCH = Kind.BOOL, Kind.INT, Kind.PAIR, Kind.PATCH

MAX_FALL = 42
"""`gravitate` gives up after this many steps, by rule."""


@op(PATCH, PATCH, result=BOOL)
@knows(gives="*>i", refuses="a b: inp", proves="... ~> bool")
def hmatching(a: Patch, b: Patch) -> bool:
    """Tell whether some row is occupied by both.

    >>> hmatching({(0, 0), (1, 0)}, {(1, 5)})
    True
    """
    return not lines_of(a, 0).isdisjoint(lines_of(b, 0))


@op(PATCH, PATCH, result=BOOL)
@knows(gives="*>i", refuses="a b: inp", proves="... ~> bool")
def vmatching(a: Patch, b: Patch) -> bool:
    """Tell whether some column is occupied by both.

    >>> vmatching({(0, 0), (1, 0)}, {(1, 5)})
    False
    """
    return not lines_of(a, 1).isdisjoint(lines_of(b, 1))


@op(PATCH, PATCH, result=INT, cost=product_cost)
@knows(gives="*>i", refuses="a b: inepz")
def manhattan(a: Patch, b: Patch) -> int:
    """The least distance between a place of a and one of b, in steps along rows and columns.

    >>> manhattan({(0, 0), (1, 1)}, {(2, 3)})
    3
    """
    both = _both_places(a, b)
    if not both:
        return _distance_by_rule(a, b)
    near, far = both
    return min([min([abs(i - k) + abs(j - m) for k, m in far]) for i, j in near])


@op(PATCH, PATCH, result=BOOL, cost=product_cost)
@knows(gives="*>i", refuses="a b: inepz", proves="... ~> bool")
def adjacent(a: Patch, b: Patch) -> bool:
    """Tell whether the distance is exactly one; overlapping patches are not adjacent.

    >>> adjacent({(0, 0)}, {(0, 1)})
    True
    >>> adjacent({(0, 0)}, {(0, 0), (0, 1)})
    False
    """
    both = _both_places(a, b)
    if not both:
        return _distance_by_rule(a, b) == 1
    near, far = both
    return near.isdisjoint(far) and any(
        (i, j + 1) in far or (i, j - 1) in far or (i + 1, j) in far or (i - 1, j) in far for i, j in near
    )


@op(PATCH, PATCH, result=PAIR)
@knows(gives="*>p", refuses="a b: inepz")
def position(a: Patch, b: Patch) -> Pair:
    """The direction from a to b by their centres; (0, -1) if these are equal.

    >>> position({(0, 0)}, {(3, 3)})
    (1, 1)
    """
    (ia, ja), (ib, jb) = center_of(places(a)), center_of(places(b))
    if ia == ib:
        return (0, 1 if ja < jb else -1)
    down = 1 if ia < ib else -1
    return (down, 0) if ja == jb else (down, 1 if ja < jb else -1)


@op(PATCH, PATCH, result=PAIR, cost=product_cost)
@knows(gives="*>p", refuses="source destination: inepz")
def gravitate(source: Patch, destination: Patch) -> Pair:
    """The vector that moves source up to destination: vertical if they share a column, else horizontal.

    >>> gravitate({(0, 0)}, {(5, 0)})
    (4, 0)
    >>> gravitate({(0, 0)}, {(5, 5)})
    (0, 42)
    """
    (si, sj), (di, dj) = center_of(source), center_of(destination)
    if not lines_of(source, 1).isdisjoint(lines_of(destination, 1)):
        sign = 1 if si < di else -1
        return (sign * _fall(source, destination, 0, sign), 0)
    sign = 1 if sj < dj else -1
    return (0, sign * _fall(source, destination, 1, sign))


def _both_places(a: Patch, b: Patch) -> tuple[set[Pair], set[Pair]] | None:
    """Return the places of both, or None if one of them is empty or malformed; b is not read before a is known good."""
    near = int_places(a)
    far = None if near is None else int_places(b)
    return None if near is None or far is None else (near, far)


def _distance_by_rule(a: Patch, b: Patch) -> int:
    """Return the distance, place by place in canonical order; what reaches this raises, in this order."""
    least: int = min(abs(ai - bi) + abs(aj - bj) for ai, aj in ordered(places(a)) for bi, bj in ordered(places(b)))
    return least


def _fall(source: Container, destination: Container, axis: int, sign: int) -> int:
    """Return the least number of steps along the axis after which source is adjacent to destination, else MAX_FALL.

    A step at which the two overlap does not count, whatever else touches then.
    """
    ends = _lanes(places(destination), axis, sign)
    overlapping: set[int] = set()
    touching: set[int] = set()
    for lane, starts in _lanes(places(source), axis, sign).items():
        within = {end - start for end in ends.get(lane, ()) for start in starts}
        overlapping |= within
        touching.update([step - 1 for step in within], [step + 1 for step in within])
        for beside in (lane - 1, lane + 1):
            touching.update([end - start for end in ends.get(beside, ()) for start in starts])
    return min([step for step in touching - overlapping if 0 <= step < MAX_FALL], default=MAX_FALL)


def _lanes(spots: Iterable[Pair], axis: int, sign: int) -> dict[int, list[int]]:
    """Return positions along the axis, times the sign, by lane: rows by column (0) or columns by row (1)."""
    found: defaultdict[int, list[int]] = defaultdict(list)
    for place in unordered(spots):
        found[place[1 - axis]].append(sign * place[axis])
    return found
