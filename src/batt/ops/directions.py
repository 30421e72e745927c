"""Read the directions that new words take. Declares no op."""

from __future__ import annotations

from typing import Any

from batt.ops.strict import plain_pair
from batt.types import ordered
from batt.types.kinds import Pair


def plain_directions(value: Any) -> list[Pair]:
    """Return a direction, or the distinct directions of a set or tuple in its order.

    A direction is a pair of -1, 0 and 1; a ValueError for any other pair, and for (0, 0).
    """
    if isinstance(value, tuple) and len(value) == 2 and all(isinstance(each, int) for each in value):
        found = [value]
    elif isinstance(value, tuple | frozenset):
        found = list(dict.fromkeys(map(plain_pair, ordered(value))))
    else:
        raise TypeError("expected a direction, or a set or tuple of directions")
    if not all(each != (0, 0) and -1 <= each[0] <= 1 and -1 <= each[1] <= 1 for each in found):
        raise ValueError("a direction is a pair of -1, 0 and 1 other than (0, 0)")
    return found


def plain_direction(value: Any) -> Pair:
    """Return a single direction as it is."""
    return plain_directions(plain_pair(value))[0]
