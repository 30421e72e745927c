"""Features of cells: what a copy tree may copy from, and the tests that tell cells apart, each with its expression."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from batt.front import Deck
from batt.solving.expressions import Expression, applied
from batt.solving.frame import GridState, TaskFrame, as_grid
from batt.solving.library import solving_deck
from batt.solving.parts import blank, equal_places, places_of
from batt.solving.running import PreparedFunctions
from batt.solving.work import Work

Mask = npt.NDArray[np.bool_]

MOST_STATE_COLOURS = 25
"""The states whose cells are compared with each colour."""
MOST_STATE_EQUALITIES = 12
"""The states whose cells are compared with one another."""


@dataclass(frozen=True, slots=True)
class CellTest:
    """A test of cells: a state has a value there, or two states are equal there."""

    one: GridState
    value: int
    other: GridState | None = None

    @property
    def places(self) -> Expression:
        """Return the expression of the places where it holds."""
        if self.other is None:
            return places_of(self.one.expression, self.value)
        return equal_places(self.one.expression, self.other.expression)

    @property
    def steps(self) -> int:
        """Return about how long it is as a program."""
        return self.one.steps + 1 if self.other is None else self.one.steps + self.other.steps + 4


@dataclass(frozen=True, slots=True, eq=False)
class CellFeatures:
    """Sources and tests over all cells of a task's samples, one after the other.

    `colours` has a row for each source, `masks` a row for each test. Sample i has the cells from `starts[i]`.
    """

    sources: list[GridState]
    colours: npt.NDArray[np.uint8]
    tests: list[CellTest]
    masks: Mask
    starts: list[int]
    shapes: list[tuple[int, ...]]

    def cells(self, samples: Sequence[int]) -> npt.NDArray[np.int64]:
        """Return the numbers of the cells of these samples."""
        return np.concatenate([np.arange(self.starts[each], self.starts[each + 1]) for each in samples])


@cache
def cell_deck() -> Deck:
    """Return the deck of features of cells."""
    return solving_deck("cells")


@cache
def _prepared() -> PreparedFunctions:
    return PreparedFunctions([solver.program for solver in cell_deck()])


def cell_states(base: GridState, frame: TaskFrame, work: Work) -> tuple[list[GridState], list[GridState]]:
    """Return the sources and the marks of the cells of a state, as states of its size."""
    grids = None if not base.steps else [as_grid(value) for value in base.values]
    made = _prepared().run(frame.samples(grids), outputs=True)
    work.spend_run(made.records.size, made.steps)
    sources, marks = [base], list[GridState]()
    for at in np.flatnonzero(made.is_grid.all(axis=1)).tolist():
        solver = cell_deck()[at]
        values = made.grids(at)
        if values is None or any(a.shape != b.shape for a, b in zip(values, base.values, strict=True)):
            continue
        state = GridState(
            applied(solver.program, base.expression), tuple(values), base.steps + len(solver.program.steps)
        )
        (sources if solver.name.startswith("solve_source") else marks).append(state)
    return sources, marks


def constant_states(base: GridState, colours: Sequence[int]) -> list[GridState]:
    """Return grids of one colour, of the size of a state."""
    return [
        GridState(
            blank(colour, base.expression),
            tuple([np.full_like(value, colour) for value in base.values]),
            base.steps + 2,
        )
        for colour in colours
    ]


def features_of(
    sources: Sequence[GridState],
    marks: Sequence[GridState],
    states: Sequence[GridState],
    constants: Sequence[GridState],
    train: int,
) -> CellFeatures:
    """Return the features of cells. All states have the same sizes; tests that agree on all cells are one.

    Only tests that hold for some cells of demonstrations and not for others are kept.
    """
    everything = list({state.key: state for state in (*sources, *states, *constants)}.values())
    values = _stacked(everything)
    shapes = [value.shape for value in sources[0].values] if sources else [value.shape for value in states[0].values]
    starts = np.concatenate([[0], np.cumsum([a * b for a, b in shapes])]).tolist()
    seen = _Tests(starts[train])
    for group, limit in ((sources, None), (marks, None), (states, MOST_STATE_COLOURS)):
        for state in group[:limit]:
            seen.add_values(state)
    for state in states:
        seen.add_background(state)
    for group in (sources, states[:MOST_STATE_EQUALITIES]):
        seen.add_equalities(group)
    masks = np.stack(seen.masks) if seen.masks else np.zeros((0, starts[-1]), bool)
    return CellFeatures(everything, values, seen.tests, masks, starts, shapes)


def _stacked(states: Sequence[GridState]) -> npt.NDArray[np.uint8]:
    return np.stack([joined(state) for state in states])


def joined(state: GridState) -> npt.NDArray[np.uint8]:
    """Return the cells of a state on all samples, one after the other."""
    return np.concatenate([value.ravel() for value in state.values])


class _Tests:
    """Collects tests, each mask once."""

    def __init__(self, shown_cells: int) -> None:
        self.shown = shown_cells
        self.tests: list[CellTest] = []
        self.masks: list[Mask] = []
        self._seen: set[bytes] = set()

    def _add(self, test: CellTest, mask: Mask) -> None:
        count = int(mask[: self.shown].sum())
        if not 0 < count < self.shown:
            return
        # A test and its opposite split cells alike.
        key = np.packbits(mask if mask[0] else ~mask).tobytes()
        if key not in self._seen:
            self._seen.add(key)
            self.tests.append(test)
            self.masks.append(mask)

    def add_values(self, state: GridState) -> None:
        cells = joined(state)
        for value in np.unique(cells[: self.shown]).tolist():
            self._add(CellTest(state, value), cells == value)

    def add_background(self, state: GridState) -> None:
        self._add(CellTest(state, 0), joined(state) == 0)

    def add_equalities(self, states: Sequence[GridState]) -> None:
        cells = [joined(state) for state in states]
        for at, one in enumerate(states):
            for place in range(at + 1, len(states)):
                self._add(CellTest(one, 0, states[place]), cells[at] == cells[place])
