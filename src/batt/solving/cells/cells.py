"""Features of cells: what a copy tree may copy from, and the tests that tell cells apart, each with its expression."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache

import numpy as np
import numpy.typing as npt

from batt.front import Deck
from batt.ir import Literal
from batt.solving.expressions import INPUT, Argument, Expression, applied, compose
from batt.solving.families.families import role_colours
from batt.solving.frame import GridState, TaskFrame, as_grid
from batt.solving.library import solving_deck
from batt.solving.parts import at_least_places, blank, blank_cell, equal_places, even_places, places_around, places_of
from batt.solving.running import LARGEST_CELL, PreparedFunctions
from batt.solving.work import Work

Mask = npt.NDArray[np.bool_]

MOST_STATE_COLOURS = 25
"""The states whose cells are compared with each colour."""
MOST_STATE_EQUALITIES = 12
"""The states whose cells are compared with one another."""
BOUNDS = (2, 3, 4, 5, 6, 8, 10)
"""What counts are compared with."""
MOST_VALUES = 10
"""The values of a mark that are tests."""
MARKED_COLOURS, MARKED_ROLES = 6, 3
"""The colours that cells are compared with: constant ones, and by role."""
RARE = 0.25
"""Cells next to those of a test are a test, too, if the test holds for at most this share of the cells."""


class CellRelation(Enum):
    """The relations that a test asks for at a cell."""

    HAS = "the state has the value there"
    EQUALS = "two states are equal there"
    AT_LEAST = "the state has at least the value there"
    EVEN = "the state has an even number there"


@dataclass(frozen=True, slots=True)
class CellTest:
    """A test of cells. If `is_near`, it asks whether a neighbour passes."""

    one: GridState
    value: int
    other: GridState | None = None
    relation: CellRelation = CellRelation.HAS
    is_near: bool = False

    @property
    def places(self) -> Expression:
        """Return the expression of the places where it holds."""
        made = self._own_places
        return places_around(made) if self.is_near else made

    @property
    def _own_places(self) -> Expression:
        if self.other is not None:
            return equal_places(self.one.expression, self.other.expression)
        match self.relation:
            case CellRelation.AT_LEAST:
                return at_least_places(self.one.expression, self.value)
            case CellRelation.EVEN:
                return even_places(self.one.expression)
            case _:
                return places_of(self.one.expression, self.value)


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
    return Deck([*solving_deck("cells"), *solving_deck("places"), *solving_deck("parallels")])


@cache
def _prepared() -> PreparedFunctions:
    return PreparedFunctions([solver.program for solver in cell_deck()], keep=True)


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
        expression, steps = applied(solver.program, base.expression), base.steps + len(solver.program.steps)
        state = GridState(expression, tuple(values), steps, is_count=solver.name.startswith("solve_mark"))
        (sources if solver.name.startswith("solve_source") else marks).append(state)
    return sources, marks


@cache
def colour_deck() -> Deck:
    """Return the deck of what cells have to do with one colour."""
    return solving_deck("colours")


@cache
def _colour_marks() -> PreparedFunctions:
    return PreparedFunctions([solver.program for solver in colour_deck()])


@dataclass(frozen=True, slots=True)
class NamedColour:
    """A colour of each sample, and the argument that gives it: a constant, or a role such as the rarest colour."""

    argument: Argument
    colours: tuple[int, ...]


@cache
def _role_grids() -> PreparedFunctions:
    return PreparedFunctions([compose(blank_cell(Expression(program, (INPUT,)))) for program in role_colours()])


def colour_roles(frame: TaskFrame, work: Work) -> list[NamedColour]:
    """Return the colours by role that are not the same in all inputs, each once."""
    made = _role_grids().run(frame.samples(), outputs=True)
    work.spend_run(made.records.size, made.steps)
    found: dict[tuple[int, ...], NamedColour] = {}
    for program, values in zip(role_colours(), made.all_grids(range(len(made.records))), strict=True):
        if values is not None:
            colours = tuple([int(value[0, 0]) for value in values])
            if len(set(colours)) > 1:
                found.setdefault(colours, NamedColour(Expression(program, (INPUT,)), colours))
    return list(found.values())


def colour_marks(base: GridState, frame: TaskFrame, work: Work, roles: Sequence[NamedColour] = ()) -> list[GridState]:
    """Return what the cells of a state have to do with each colour, and with colours by role, as marks of its size."""
    grids = None if not base.steps else [as_grid(value) for value in base.values]
    constant = [NamedColour(Literal(each), (each,) * frame.size) for each in marked_colours(base, frame.train)]
    named = [*constant, *roles[:MARKED_ROLES]]
    samples = [frame.samples(grids, colour)[at] for each in named for at, colour in enumerate(each.colours)]
    made = _colour_marks().run(samples, outputs=True)
    work.spend_run(made.records.size, made.steps)
    marks: list[GridState] = []
    for place, each in enumerate(named):
        columns = slice(place * frame.size, (place + 1) * frame.size)
        numbers = np.flatnonzero(made.is_grid[:, columns].all(axis=1)).tolist()
        for at, values in zip(numbers, made.all_grids(numbers, columns.start, frame.size), strict=True):
            program = colour_deck()[at].program
            expression = Expression(program, (each.argument, base.expression, Literal(None)))
            if values is not None:
                marks.append(GridState(expression, tuple(values), base.steps + len(program.steps), is_count=True))
    return marks


def marked_colours(base: GridState, train: int) -> list[int]:
    """Return the colours that cells are compared with: those of most demonstrations first, then the rarest."""
    counts = np.array([np.bincount(value.ravel(), minlength=LARGEST_CELL)[:10] for value in base.values[:train]])
    ranked = sorted(range(10), key=lambda colour: (-int((counts[:, colour] > 0).sum()), int(counts[:, colour].sum())))
    return [colour for colour in ranked if counts[:, colour].any()][:MARKED_COLOURS]


def role_states(base: GridState, roles: Sequence[NamedColour]) -> list[GridState]:
    """Return grids of one colour by role, of the size of a state."""
    return [
        GridState(
            blank(role.argument, base.expression),
            tuple([np.full_like(value, colour) for value, colour in zip(base.values, role.colours, strict=True)]),
            base.steps + 4,
        )
        for role in roles
    ]


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
    near: bool = True,
) -> CellFeatures:
    """Return the features of cells. All states have the same sizes; tests that agree on all cells are one.

    Only tests that hold for some cells of demonstrations and not for others are kept. Without `near`, none asks whether
    a neighbour passes.
    """
    everything = list({state.key: state for state in (*sources, *states, *constants)}.values())
    values = _stacked(everything)
    shapes = [value.shape for value in (sources or states)[0].values]
    starts = np.concatenate([[0], np.cumsum([a * b for a, b in shapes])]).tolist()
    seen = _Tests(starts[train])
    for group, limit in ((sources, None), (marks, None), (states, MOST_STATE_COLOURS)):
        for state in group[:limit]:
            seen.add_values(state)
    for state in marks:
        if state.is_count:
            seen.add_bounds(state)
    seen.add_backgrounds(states)
    for group in (sources, states[:MOST_STATE_EQUALITIES]):
        seen.add_equalities(group, group)
    seen.add_equalities(sources[:1], [state for state in marks if not state.is_count])
    if near:
        seen.add_near(shapes, starts)
    masks = np.concatenate(seen.masks) if seen.masks else np.zeros((0, starts[-1]), bool)
    return CellFeatures(everything, values, seen.tests, masks, starts, shapes)


def _stacked(states: Sequence[GridState]) -> npt.NDArray[np.uint8]:
    return np.stack([state.cells for state in states])


class _Tests:
    """Collects tests, each mask once."""

    def __init__(self, shown_cells: int) -> None:
        self.shown = shown_cells
        self.tests: list[CellTest] = []
        self.masks: list[Mask] = []
        self._seen: set[bytes] = set()

    def _add(self, tests: Sequence[CellTest], masks: Mask) -> None:
        """Add the tests that split cells of demonstrations, and split them otherwise than those before."""
        counts = np.count_nonzero(masks[:, : self.shown], axis=1)
        # A test and its opposite split cells alike.
        packed = np.packbits(masks ^ masks[:, :1], axis=1)
        kept = []
        for at in np.flatnonzero((counts > 0) & (counts < self.shown)).tolist():
            key = packed[at].tobytes()
            if key not in self._seen:
                self._seen.add(key)
                kept.append(at)
        if kept:
            self.tests += [tests[at] for at in kept]
            self.masks.append(masks[kept])

    def add_values(self, state: GridState) -> None:
        cells = state.cells
        values = np.flatnonzero(np.bincount(cells[: self.shown]))[: MOST_VALUES if state.is_count else None]
        self._add([CellTest(state, value) for value in values.tolist()], cells[None] == values[:, None])

    def add_bounds(self, state: GridState) -> None:
        cells = state.cells
        bounds = np.array([bound for bound in BOUNDS if bound < int(cells[: self.shown].max())], np.uint8)
        if len(bounds):
            tests = [CellTest(state, bound, relation=CellRelation.AT_LEAST) for bound in bounds.tolist()]
            self._add(tests, cells[None] >= bounds[:, None])
            self._add([CellTest(state, 0, relation=CellRelation.EVEN)], cells[None] % 2 == 0)

    def add_backgrounds(self, states: Sequence[GridState]) -> None:
        if states:
            self._add([CellTest(state, 0) for state in states], _stacked(states) == 0)

    def add_equalities(self, ones: Sequence[GridState], others: Sequence[GridState]) -> None:
        """Compare each of the `ones` with the `others`, with those after it if they are the same."""
        cells = _stacked(others) if others else None
        for at, one in enumerate(ones):
            rest = others[at + 1 :] if ones is others else others
            if rest and cells is not None:
                tests = [CellTest(one, 0, other, CellRelation.EQUALS) for other in rest]
                self._add(tests, cells[len(others) - len(rest) :] == one.cells[None])

    def add_near(self, shapes: Sequence[tuple[int, ...]], starts: Sequence[int]) -> None:
        """Add for each test that holds for few cells whether it holds for a neighbour."""
        if not self.masks:
            return
        masks = np.concatenate(self.masks)
        rare = np.flatnonzero(np.count_nonzero(masks[:, : self.shown], axis=1) <= RARE * self.shown)
        near = np.zeros((len(rare), masks.shape[1]), bool)
        for (height, width), start, stop in zip(shapes, starts[:-1], starts[1:], strict=True):
            padded = np.zeros((len(rare), height + 2, width + 2), bool)
            padded[:, 1:-1, 1:-1] = masks[rare, start:stop].reshape(-1, height, width)
            lines = padded[:, :-2] | padded[:, 2:]
            found = lines[:, :, :-2] | lines[:, :, 1:-1] | lines[:, :, 2:]
            found |= padded[:, 1:-1, :-2] | padded[:, 1:-1, 2:]
            near[:, start:stop] = found.reshape(len(rare), height * width)
        self._add([replace(self.tests[at], is_near=True) for at in rare.tolist()], near)
