"""Typed expressions of figures: what ops make of each figure, its grid and all its figures, as edits of rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from batt.ir import Literal, Operand, Program, Slot, Step
from batt.ir.program import Helper
from batt.ops import EVERY_OP
from batt.runtime import Sample, Split
from batt.solving.enumerating import LIMITS, MOST_BYTES, Enumeration, GivenValue, Handles
from batt.solving.figures import FigureFunction, segments
from batt.solving.frame import TaskFrame, as_grid
from batt.solving.measuring import FigureImages, FigureTable, Numbers
from batt.solving.work import Work
from batt.states import OpenEngine, StateKind
from batt.statistics import Producer, ProducerKind

MOST_FIGURES = 60
"""The figures of all samples together, at most."""
MOST_PAINTED = 4_000
"""The values of each kind whose cells are compared with the outputs, the cheapest first."""
AT_ONCE = 2_000_000
"""The cells that are compared at once."""
CELL_UNITS = 0.5
"""The units of work to compare a cell."""
KEPT = 60
"""The values of each kind that become edits."""
NOT_PAINTED = 10
GRID, FIGURE, FIGURES = Slot(1), Slot(3), Slot(4)
"""The places of a grid, a figure of it and all its figures in the programs of states."""


@dataclass(frozen=True, slots=True)
class TypedFunction(FigureFunction):
    """A function of a figure that is a typed expression, with its steps."""

    steps: int = 0

    @property
    def size(self) -> int:
        """Return about how long it is."""
        return 1 + self.steps


@dataclass(frozen=True, slots=True, eq=False)
class TypedTable(FigureTable):
    """A table of figures with typed expressions as edits."""

    found: tuple[FigureImages, ...] = ()

    def patches(self, work: Work) -> Iterator[FigureImages]:
        """Yield the places that expressions make of the figures."""
        yield from [each for each in self.found if each.colours is None]

    def edits(self, work: Work) -> Iterator[FigureImages]:
        """Yield the objects that expressions make of the figures."""
        yield from [each for each in self.found if each.colours is not None]


def typed_table(
    table: FigureTable, frame: TaskFrame, engine: OpenEngine, work: Work, share: float
) -> TypedTable | None:
    """Return a table with the expressions that change most cells rightly, enumerated until a share of the work is done.

    Return None if there are too many figures, or no expressions.
    """
    if table.starts[-1] > MOST_FIGURES:
        return None
    figures = _figures(table, frame, engine)
    if figures is None:
        return None
    samples = [
        Sample(frame.id, Split.TRAIN, number, (), frame_grid, None)
        for number, frame_grid in enumerate([as_grid(table.base.values[at]) for at in table.sample_of.tolist()])
    ]
    states = engine.states(samples, limits=LIMITS, most_bytes=MOST_BYTES)
    try:
        owned = states.add([each for some in figures for each in some], name="P0")
        together = states.add([some for some in figures for _ in some], name="P1")
        given = [
            GivenValue(states.I, Producer(ProducerKind.INPUT, "I")),
            GivenValue(owned, Producer(ProducerKind.INPUT, "argument")),
            GivenValue(together, Producer(ProducerKind.STEP, "objects")),
        ]
        values = Enumeration(states, given, frame.colours)
        values.run(work, share)
        found = [
            *_kept(_Painter(values, table, frame, work, StateKind.INDICES)),
            *_kept(_Painter(values, table, frame, work, StateKind.OBJECT)),
        ]
    finally:
        states.close()
    return None if not found else TypedTable(**{name: getattr(table, name) for name in _FIELDS}, found=tuple(found))


_FIELDS = ("segment", "base", "samples", "starts", "cells", "itself", "measures", "sources")


def _figures(table: FigureTable, frame: TaskFrame, engine: OpenEngine) -> list[tuple[object, ...]] | None:
    """Return the figures of each sample in the order of the table."""
    states = engine.states([replace(each, demonstrations=()) for each in table.samples])
    try:
        made = states.apply(segments()[table.segment], states.I).handles
        found = [tuple(each) for each in states.values(int(made[0]))] if made[0] >= 0 else []
    finally:
        states.close()
    return found if [len(each) for each in found] == np.diff(table.starts).tolist() else None


class _Painter:
    """Paints values of a kind, each on an empty grid for each figure, and compares them with the outputs."""

    def __init__(self, values: Enumeration, table: FigureTable, frame: TaskFrame, work: Work, kind: StateKind) -> None:
        self.values, self.table, self.frame, self.work, self.kind = values, table, frame, work, kind
        sample_of = table.sample_of.tolist()
        self.cells_of = [np.arange(table.cells[at], table.cells[at + 1]) for at in sample_of]
        self.ends = np.cumsum([len(each) for each in self.cells_of])
        self.shown = table.starts[frame.train]
        states = values.states
        sets = values.of_kind(kind)[:MOST_PAINTED]
        empty = states.add([as_grid(np.full_like(table.base.values[at], NOT_PAINTED)) for at in sample_of])
        made = values.apply("paint", work, empty, sets) if kind is StateKind.OBJECT else None
        made = values.apply("fill", work, empty, states.constant(0), sets) if made is None else made
        grids, first = np.unique(made.handles[made.handles >= 0], return_index=True)
        order = np.argsort(first)
        self.grids: Handles = grids[order]
        self.origins: Handles = sets[made.handles >= 0][first[order]]

    def painted(self, chosen: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
        """Return what is painted, by value and by the cells of each figure's grid."""
        packed = self.values.states.grids(self.grids[chosen])
        starts = packed.starts[:: len(self.values.states.samples)].astype(np.int64)
        found: npt.NDArray[np.uint8] = packed.cells[starts[:, None] + np.arange(self.ends[-1])]
        return found

    def scores(self) -> npt.NDArray[np.float64]:
        """Return for each value the cells that it changes rightly, for the figures of demonstrations that it suits."""
        table, frame = self.table, self.frame
        cells = np.concatenate(self.cells_of[: self.shown])
        base = np.concatenate([value.ravel() for value in table.base.values]).astype(np.int64)
        target = np.concatenate([each.ravel() for each in frame.targets]).astype(np.int64)
        ground = np.concatenate([np.full(v.size, np.bincount(v.ravel()).argmax()) for v in table.base.values])
        owner = np.repeat(np.arange(self.shown), [len(each) for each in self.cells_of[: self.shown]])
        changes = base[cells] != target[cells]
        is_own = table.itself[cells] == owner
        starts = np.concatenate([[0], self.ends[: self.shown - 1]]).astype(np.int64)
        scores = np.zeros(len(self.grids))
        at_once = max(1, AT_ONCE // max(1, int(self.ends[-1])))
        for start in range(0, len(self.grids), at_once):
            chosen = np.arange(start, min(start + at_once, len(self.grids)))
            made = self.painted(chosen)[:, : len(cells)]
            self.work.spend(made.size * CELL_UNITS)
            held = made != NOT_PAINTED
            gain = np.add.reduceat(held & changes, starts, axis=1)
            if self.kind is StateKind.OBJECT:
                wrong = np.add.reduceat(held & (made != target[cells]), starts, axis=1)
                left = is_own & ~held
                lost = np.add.reduceat(left & (target[cells] != ground[cells]), starts, axis=1)
                freed = np.add.reduceat(left & changes, starts, axis=1)
                plain = np.where(wrong == 0, gain, 0).sum(axis=1)
                moved = np.where((wrong == 0) & (lost == 0) & held.any(axis=1)[:, None], gain + freed, 0).sum(axis=1)
                scores[chosen] = np.maximum(plain, np.where(plain > 0, moved, 0))
            else:
                for under in (held, held & (base == ground)[cells]):
                    low = np.minimum.reduceat(np.where(under, target[cells], 10), starts, axis=1)
                    high = np.maximum.reduceat(np.where(under, target[cells], -1), starts, axis=1)
                    fits = np.add.reduceat(under & changes, starts, axis=1)
                    scores[chosen] = np.maximum(scores[chosen], np.where(low == high, fits, 0).sum(axis=1))
        return scores

    def images(self, at: int) -> FigureImages:
        """Return a value as images of the figures."""
        made = self.painted(np.array([at]))[0]
        owner: Numbers = np.full(self.table.cells[-1], -1, np.int64)
        colours = np.zeros(self.table.cells[-1], np.uint8)
        for figure, (cells, part) in enumerate(zip(self.cells_of, np.split(made, self.ends[:-1]), strict=True)):
            held = part != NOT_PAINTED
            owner[cells[held]] = figure
            colours[cells[held]] = part[held]
        program = self.values.states.program(int(self.origins[at]))
        function = TypedFunction("typed", figure_function(program), steps=len(program.steps))
        return FigureImages(function, owner, colours if self.kind is StateKind.OBJECT else None)


def _kept(painter: _Painter) -> Iterator[FigureImages]:
    """Yield the images of the values that change most cells rightly, those with fewer steps first."""
    if not len(painter.grids):
        return
    scores = painter.scores()
    order = [at for at in np.argsort(-scores, kind="stable")[:KEPT].tolist() if scores[at] > 0]
    for at in sorted(order):
        yield painter.images(at)


def figure_function(program: Program) -> Program:
    """Return a program of states, of a grid, a figure and all figures, as one that gives a function of a figure.

    It is called with all figures, the grid and an argument that it does not read.
    """
    read = {each for step in program.steps for each in (step.callee, *step.args)} | {program.result}
    fixed = [(slot, place) for slot, place in ((FIGURES, 0), (GRID, 1)) if slot in read]
    names = ["figures" if slot == FIGURES else "grid" for slot, _ in fixed]
    places: list[Operand] = [Literal(None)] * program.arity
    for number, (slot, _) in enumerate(fixed):
        places[slot.index] = Slot(number)
    places[FIGURE.index] = Slot(len(fixed))
    arity = len(fixed) + 1
    steps: list[Step] = []

    def moved(operand: Operand) -> Operand:
        return places[operand.index] if isinstance(operand, Slot) else operand

    for step in program.steps:
        callee = None if step.callee is None else moved(step.callee)
        places.append(Slot(arity + len(steps)))
        steps.append(Step(callee, tuple(map(moved, step.args)), f"x{len(steps) + 1}", len(steps) + 1))
    helper = Helper("typed", Program((*names, "figure"), arity, tuple(steps), moved(program.result)))
    result: Operand = Literal(helper)
    bound: list[Step] = []
    for _, place in fixed:
        bound.append(Step(Literal(EVERY_OP["lbind"]), (result, Slot(place)), "made", 1))
        result = Slot(2 + len(bound))
    return Program(("figures", "grid", "argument"), 3, tuple(bound), result)
