"""Invariants: what holds for every demonstration of a task, such as the colours that are added or kept.

A program that fits all demonstrations may still break an invariant on a test input, and is then seldom right.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import zip_longest
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from batt.solving.frame import TaskFrame
from batt.types.kinds import Grid

COLOURS = 10
AROUND = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
LEAST_SHOWN = 2
"""The demonstrations with a colour from which what holds for it counts."""

Place: TypeAlias = tuple[int, int]


class Aspect(Enum):
    """The aspects of invariants. Those of one aspect are broken together, so they are counted together."""

    COLOURS = "colours"
    COUNTS = "counts"
    OBJECTS = "objects"
    CELLS = "cells"
    SYMMETRY = "symmetry"
    CHANGE = "change"


Broken: TypeAlias = Mapping[Aspect, int]
"""How many invariants of each aspect an output breaks."""


class GridFacts:
    """The facts about a grid that invariants compare."""

    def __init__(self, grid: Grid) -> None:
        self.cells: npt.NDArray[np.int64] = np.array(grid, np.int64)
        self.counts = np.bincount(self.cells.ravel(), minlength=COLOURS)
        self.ground = int(self.counts.argmax())
        self.colours = frozenset(np.flatnonzero(self.counts).tolist())
        self.drawn = int(self.cells.size - self.counts[self.ground])

    @cached_property
    def objects(self) -> list[list[Place]]:
        """Return the places of the objects of one colour, with diagonal neighbours, but for the ground."""
        found: list[list[Place]] = []
        colour_at = {place: colour for place, colour in np.ndenumerate(self.cells) if colour != self.ground}
        while colour_at:
            first, colour = colour_at.popitem()
            object_places, waiting = [first], [first]
            while waiting:
                row, column = waiting.pop()
                for down, right in AROUND:
                    place = row + down, column + right
                    if colour_at.get(place) == colour:
                        del colour_at[place]
                        object_places.append(place)
                        waiting.append(place)
            found.append(object_places)
        return found

    @cached_property
    def forms(self) -> list[tuple[int, frozenset[Place]]]:
        """Return the colour of each object, and its places, moved to the corner."""
        made = []
        for places in self.objects:
            top, left = min([row for row, _ in places]), min([column for _, column in places])
            made.append((int(self.cells[places[0]]), frozenset([(row - top, column - left) for row, column in places])))
        return made

    def is_rectangle(self, form: frozenset[Place]) -> bool:
        """Tell whether places fill their box."""
        return len(form) == (1 + max([row for row, _ in form])) * (1 + max([column for _, column in form]))


@dataclass(frozen=True, slots=True, eq=False)
class GridChange:
    """An input and an output. `cells` are those that differ, if both have one size."""

    before: GridFacts
    after: GridFacts
    cells: npt.NDArray[np.bool_] | None

    @classmethod
    def of(cls, before: GridFacts, after: GridFacts) -> GridChange:
        """Return the change from one grid to another."""
        is_same_size = before.cells.shape == after.cells.shape
        return cls(before, after, before.cells != after.cells if is_same_size else None)

    def transitions(self) -> frozenset[tuple[int, int]]:
        """Return the colours of the cells that differ, before and after."""
        if self.cells is None:
            return frozenset()
        return frozenset(
            zip(self.before.cells[self.cells].tolist(), self.after.cells[self.cells].tolist(), strict=True)
        )


def if_true(holds: object) -> bool | None:
    """Return True, or None for what does not hold: only what holds everywhere is an invariant."""
    return True if holds else None


def colour_values(change: GridChange) -> Iterator[Hashable]:
    """Yield what may be invariant about colours."""
    before, after = change.before, change.after
    yield before.colours - after.colours
    yield after.colours - before.colours
    yield len(after.colours) - len(before.colours)
    yield len(after.colours)
    yield if_true(after.colours >= before.colours)
    yield before.ground == after.ground
    yield after.ground


def count_values(change: GridChange) -> Iterator[Hashable]:
    """Yield what may be invariant about numbers of cells."""
    before, after = change.before, change.after
    yield if_true(np.array_equal(before.counts, after.counts))
    yield if_true(before.drawn == after.drawn)
    yield after.drawn
    yield None if change.cells is None else int(change.cells.sum())


def object_values(change: GridChange) -> Iterator[Hashable]:
    """Yield what may be invariant about objects."""
    before, after = change.before.forms, change.after.forms
    yield (len(after) > len(before)) - (len(after) < len(before))
    yield len(after)
    yield if_true(len(after) == len(before))
    yield if_true(all(len(form) > 1 for _, form in after))
    yield if_true(len({len(form) for _, form in after}) <= 1)
    yield if_true(len({form for _, form in after}) <= 1)
    yield if_true(all(change.after.is_rectangle(form) for _, form in after))
    yield if_true({*after} <= {*before})


def cell_values(change: GridChange) -> Iterator[Hashable]:
    """Yield what may be invariant about cells that change, of outputs of the input's size."""
    if change.cells is None:
        return
    found = change.transitions()
    yield found
    yield frozenset([colour for colour, _ in found])
    yield frozenset([colour for _, colour in found])
    yield if_true(all(colour == change.before.ground for colour, _ in found))
    yield if_true(all(colour == change.after.ground for _, colour in found))


def symmetry_values(change: GridChange) -> Iterator[Hashable]:
    """Yield what may be invariant about the symmetries of an output."""
    cells = change.after.cells
    for other in (cells[:, ::-1], cells[::-1], cells[::-1, ::-1], cells.T):
        yield if_true(np.array_equal(cells, other))


def change_values(change: GridChange) -> Iterator[Hashable]:
    """Yield whether an output differs from its input."""
    yield change.cells is None or bool(change.cells.any())


VALUES: dict[Aspect, Callable[[GridChange], Iterator[Hashable]]] = {
    Aspect.COLOURS: colour_values,
    Aspect.COUNTS: count_values,
    Aspect.OBJECTS: object_values,
    Aspect.CELLS: cell_values,
    Aspect.SYMMETRY: symmetry_values,
    Aspect.CHANGE: change_values,
}
"""By aspect, values of which those that are equal and not None for all demonstrations are invariants."""


def keeps_count(change: GridChange, colour: int) -> bool:
    """Tell whether there are as many cells of a colour as before."""
    return bool(change.before.counts[colour] == change.after.counts[colour])


def keeps_cells(change: GridChange, colour: int) -> bool:
    """Tell whether all cells of a colour keep it."""
    return change.cells is not None and not (change.cells & (change.before.cells == colour)).any()


def gains_no_cells(change: GridChange, colour: int) -> bool:
    """Tell whether no other cell gets a colour."""
    return change.cells is not None and not (change.cells & (change.after.cells == colour)).any()


KEPT = {
    "count": (Aspect.COUNTS, keeps_count),
    "cells": (Aspect.CELLS, keeps_cells),
    "no more": (Aspect.CELLS, gains_no_cells),
}
"""What may hold for a colour. The kinds are counted once, whatever the number of colours for which they are broken."""


class Invariants:
    """The invariants of a task, and which of them an output breaks."""

    def __init__(self, frame: TaskFrame) -> None:
        self._inputs = [GridFacts(grid) for grid in frame.inputs[frame.train :]]
        shown = [
            GridChange.of(GridFacts(before), GridFacts(after))
            for before, after in zip(frame.inputs, frame.outputs, strict=False)
        ]
        self._values = {aspect: _common([[*values(each)] for each in shown]) for aspect, values in VALUES.items()}
        self._added = frozenset().union(*[each.after.colours - each.before.colours for each in shown])
        self._kept = {
            name: [colour for colour in range(COLOURS) if _is_kept(shown, colour, holds)]
            for name, (_, holds) in KEPT.items()
        }
        self._known: dict[tuple[int, Grid], Broken] = {}

    def broken(self, test: int, output: Grid) -> Broken:
        """Count by aspect the invariants that an output for a test input breaks."""
        found = self._known.get((test, output))
        if found is None:
            found = self._known[test, output] = self._count(GridChange.of(self._inputs[test], GridFacts(output)))
        return found

    def _count(self, change: GridChange) -> Broken:
        counts = {aspect: _differing(self._values[aspect], [*values(change)]) for aspect, values in VALUES.items()}
        counts[Aspect.COLOURS] += not change.after.colours - change.before.colours <= self._added
        for name, (aspect, holds) in KEPT.items():
            counts[aspect] += any(_has(change, colour) and not holds(change, colour) for colour in self._kept[name])
        return counts


def _common(shown: Sequence[Sequence[Hashable]]) -> list[Hashable]:
    """Return the values that are equal in all lists, and None for the others."""
    if len({len(each) for each in shown}) != 1:
        return []
    return [values[0] if all(each == values[0] for each in values) else None for values in zip(*shown, strict=True)]


def _differing(wanted: Sequence[Hashable], values: Sequence[Hashable]) -> int:
    """Count the invariants that values break, or that they have nothing for."""
    pairs = zip_longest(wanted, values[: len(wanted)])
    return sum([one is not None and one != other for one, other in pairs])


def _has(change: GridChange, colour: int) -> bool:
    return colour in change.before.colours or colour in change.after.colours


def _is_kept(shown: Sequence[GridChange], colour: int, holds: Callable[[GridChange, int], bool]) -> bool:
    having = [change for change in shown if _has(change, colour)]
    return len(having) >= LEAST_SHOWN and all(holds(change, colour) for change in having)
