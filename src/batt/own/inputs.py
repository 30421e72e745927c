"""Random values of the kinds of signatures, and values smaller than a given one. Runs no op of a user."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import Any, TypeVar

from batt.ops import OPS
from batt.types import Kind, OrderedSet
from batt.types.kinds import Grid
from batt.types.plain import weight

Item = TypeVar("Item")

SIDES = (3, 6, 6, 6, 10, 30)
"""Upper bounds of the sides of grids. Most grids are small, because plain Python is slow for every cell."""
SHARE_ODD = 0.15
"""The share of argument lists in which one argument is of any kind, whatever the signature says."""

_EITHER = {
    Kind.NUM: (Kind.INT, Kind.PAIR),
    Kind.PATCH: (Kind.OBJECT, Kind.INDICES),
    Kind.PIECE: (Kind.GRID, Kind.OBJECT, Kind.INDICES),
    Kind.ELEMENT: (Kind.GRID, Kind.OBJECT),
    Kind.CONTAINER: (Kind.TUPLE, Kind.SET, Kind.GRID, Kind.OBJECT),
}
_SIMPLE = (Kind.INT, Kind.PAIR, Kind.GRID, Kind.CELL, Kind.OBJECT, Kind.OBJECTS, Kind.INDICES, Kind.TUPLE, Kind.SET)
_ODD: tuple[Any, ...] = (
    *(None, (), OrderedSet(), -1, 255, 256, 2**31, -(2**62)),
    *(((),), ((1, 2), (3,)), (None, 1), OPS["identity"]),
)


def random_arguments(kinds: Sequence[Kind], seed: int, count: int) -> list[tuple[Any, ...]]:
    """Return up to `count` different lists of arguments of `kinds`, the lightest first. They depend on `seed` alone.

    Some have one argument of another kind.
    """
    rng = Random(seed)
    found: list[tuple[Any, ...]] = []
    for _ in range(count):
        args = [random_value(kind, rng) for kind in kinds]
        if rng.random() < SHARE_ODD:
            args[rng.randrange(len(args))] = rng.choice((rng.choice(_ODD), random_value(Kind.ANY, rng)))
        found.append(tuple(args))
    return sorted(dict.fromkeys(found), key=weight)


def random_value(kind: Kind, rng: Random) -> Any:
    """Return a random value of `kind`."""
    match kind:
        case Kind.BOOL:
            return rng.random() < 0.5
        case Kind.INT:
            return rng.choice((rng.randint(0, 10), rng.randint(-3, 30)))
        case Kind.PAIR:
            return rng.randint(-2, 12), rng.randint(-2, 12)
        case Kind.CELL:
            return rng.randint(0, 9), (rng.randint(-2, 12), rng.randint(-2, 12))
        case Kind.GRID:
            return random_grid(rng)
        case Kind.OBJECT:
            return _object(rng)
        case Kind.OBJECTS:
            flags = [rng.random() < 0.5 for _ in range(3)]
            return OPS["objects"].body(random_grid(rng, 10), *flags)
        case Kind.INDICES:
            return OPS["toindices"].body(_object(rng))
        case Kind.TUPLE | Kind.SET:
            inner = rng.choice((Kind.INT, Kind.PAIR, Kind.CELL, Kind.INDICES))
            items = [random_value(inner, rng) for _ in range(rng.randint(0, 6))]
            return OrderedSet(items) if kind is Kind.SET else tuple(items)
        case _:
            return random_value(rng.choice(_EITHER.get(kind, _SIMPLE)), rng)


def random_grid(rng: Random, most: int = 30) -> Grid:
    """Return a grid of noise, stripes, blocks, diagonals or single cells, in few or many colours."""
    bound = min(most, rng.choice(SIDES))
    height, width = rng.randint(1, bound), rng.randint(1, bound)
    colours = rng.sample(range(10), rng.choice((1, 2, 2, 3, 4, 10)))
    match rng.randrange(5):
        case 0:
            cells = [[rng.choice(colours) for _ in range(width)] for _ in range(height)]
        case 1:
            period, by_row = rng.randint(1, 4), rng.random() < 0.5
            cells = [
                [colours[(i if by_row else j) // period % len(colours)] for j in range(width)] for i in range(height)
            ]
        case 2:
            cells = [[0] * width for _ in range(height)]
            _add_blocks(cells, colours, rng)
        case 3:
            cells = [[colours[(i + j) % len(colours)] for j in range(width)] for i in range(height)]
        case _:
            cells = [[rng.choice(colours) if rng.random() < 0.2 else 0 for _ in range(width)] for _ in range(height)]
    return tuple([tuple(row) for row in cells])


def _add_blocks(cells: list[list[int]], colours: list[int], rng: Random) -> None:
    """Draw a few filled rectangles."""
    height, width = len(cells), len(cells[0])
    for _ in range(rng.randint(1, 5)):
        top, left, colour = rng.randrange(height), rng.randrange(width), rng.choice(colours)
        for i in range(top, min(height, top + rng.randint(1, 4))):
            for j in range(left, min(width, left + rng.randint(1, 4))):
                cells[i][j] = colour


def _object(rng: Random) -> OrderedSet[Any]:
    """Return cells of a grid: all, those of a colour, one of its objects, or some; sometimes moved, also below zero."""
    grid = random_grid(rng, 12)
    cells = OPS["asobject"].body(grid)
    match rng.randrange(4):
        case 0:
            colour = rng.choice(grid[0])
            cells = OrderedSet([cell for cell in cells if cell[0] == colour])
        case 1:
            parts = tuple(OPS["objects"].body(grid, rng.random() < 0.5, rng.random() < 0.5, False))
            cells = rng.choice(parts) if parts else cells
        case 2:
            cells = OrderedSet([cell for cell in cells if rng.random() < 0.5])
    down, right = (rng.randint(-4, 4), rng.randint(-4, 4)) if rng.random() < 0.3 else (0, 0)
    return OrderedSet([(colour, (i + down, j + right)) for colour, (i, j) in cells])


def smallest(
    item: Item, smaller: Callable[[Item], Iterable[Item]], differs: Callable[[Item], bool], until_s: float
) -> Item:
    """Replace `item` by the first of `smaller(item)` that `differs`, again and again; stop at the time `until_s`."""
    found: Item | None = item
    while found is not None:
        item = found
        found = next(
            (each for each in smaller(item) if each != item and time.monotonic() < until_s and differs(each)), None
        )
    return item


def smaller_values(value: Any) -> Iterator[Any]:
    """Yield values a little smaller than `value`, the smallest first: fewer items, then plainer items."""
    if isinstance(value, int) and value not in (0, 1):
        yield from (0, 1, value // 2)
    if not isinstance(value, tuple | frozenset):
        return
    items = list(value)
    remade = OrderedSet if isinstance(value, frozenset) else tuple
    for size in _halves(len(items)):
        for start in range(0, len(items), size):
            yield remade(items[:start] + items[start + size :])
    rows = [each for each in items if isinstance(each, tuple)]
    if len(rows) == len(items) > 0 and isinstance(value, tuple) and len({len(row) for row in rows}) == 1:
        for at in range(len(rows[0])):
            yield tuple([(*row[:at], *row[at + 1 :]) for row in rows])
    for at, item in enumerate(items):
        for plainer in smaller_values(item) if len(items) <= 40 else ():
            yield remade([*items[:at], plainer, *items[at + 1 :]])


def _halves(count: int) -> Iterator[int]:
    """Yield how many of `count` to leave out at a time: half of them, a quarter, down to one."""
    while count:
        size = (count + 1) // 2
        yield size
        count = size if size < count else 0
