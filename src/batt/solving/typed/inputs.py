"""Typed expressions of a task's inputs: those that fit, grids near the outputs, and sets that mark telling cells."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from batt.ir import Literal, Slot
from batt.ir.program import Program
from batt.runtime.native import missing
from batt.solving.candidates import Layer, SearchCandidate
from batt.solving.expressions import INPUT, SHOWN, Argument, Expression, count_steps
from batt.solving.frame import GridState, TaskFrame, as_grid
from batt.solving.parts import blank, filled
from batt.solving.typed.enumerating import LIMITS, MOST_BYTES, Enumeration, GivenValue
from batt.solving.work import Work
from batt.states import OpenEngine, StateKind, open_engine
from batt.statistics import Producer, ProducerKind
from batt.types import fingerprint
from batt.types.kinds import Grid

MOST_SIDE = 30
MOST_FOUND = 20
"""The expressions that fit and are candidates."""
MOST_SETS = 20_000
"""The sets whose cells are marked, the cheapest first."""
MARKS_EACH = 25
"""The marks that are kept for each of three reasons."""
MARKED = (0, 1)
"""The numbers of a mark: outside of a set, and in it."""
NEAR_GRIDS = 60
"""The grids that are kept, the nearest to the outputs."""


class ExpressionMaker:
    """Enumerates typed expressions of tasks on an engine that is kept. Without native code there are none."""

    def __init__(self) -> None:
        self._engine: OpenEngine | None = None if missing() else open_engine(engine="cpu", workers=1, compiled=True)

    @property
    def engine(self) -> OpenEngine | None:
        """Return the engine; None without native code."""
        return self._engine

    def grids(self, frame: TaskFrame) -> TypedGrids:
        """Return the enumeration of a task."""
        assert self._engine is not None, "it is open"
        return TypedGrids(self._engine, frame)


class TypedGrids:
    """The typed expressions of the inputs of a task."""

    def __init__(self, engine: OpenEngine, frame: TaskFrame) -> None:
        self.frame = frame
        self.states = engine.states(frame.samples(), limits=LIMITS, most_bytes=MOST_BYTES)
        names = {"I": self.states.I, "S": self.states.S}
        given = [GivenValue(handle, Producer(ProducerKind.INPUT, name)) for name, handle in names.items()]
        for number in MARKED:
            self.states.constant(number)
        self.values = Enumeration(self.states, given, frame.colours)

    def __enter__(self) -> TypedGrids:
        return self

    def __exit__(self, *reason: object) -> None:
        self.states.close()

    def candidates(self) -> Iterator[SearchCandidate]:
        """Yield the expressions that give the demonstrations, the likeliest first."""
        frame, handles = self.frame, self.values.handles
        wanted = np.array([fingerprint(output) for output in frame.outputs], np.uint64)
        fits = (self.states.hashes(handles)[:, : frame.train] == wanted).all(axis=1)
        for handle in handles[fits][:MOST_FOUND].tolist():
            outputs = tuple([_as_output(each) for each in self.states.values(handle)[frame.train :]])
            expression = self.expression(handle)
            yield SearchCandidate(Layer.EXPRESSION, expression, outputs, count_steps(expression))

    def expression(self, handle: int) -> Expression:
        """Return how a value is made of the input."""
        return input_expression(self.states.program(handle))

    def near_grids(self) -> list[GridState]:
        """Return the grids of the outputs' size that are nearest to them."""
        grids = self.values.of_kind(StateKind.GRID)
        if not len(grids):
            return []
        count, train = len(self.states.samples), self.frame.train
        shapes = self.states.shapes(grids)
        wanted = np.array([target.shape for target in self.frame.targets])
        fits = (shapes[:, :train] == wanted).all(axis=(1, 2)) & ((shapes > 0) & (shapes <= MOST_SIDE)).all(axis=(1, 2))
        grids = grids[fits]
        packed = self.states.grids(grids)
        target = np.concatenate([each.ravel() for each in self.frame.targets])
        starts = packed.starts[::count].astype(np.int64)
        missed = (packed.cells[starts[:, None] + np.arange(len(target))] != target).sum(axis=1)
        nearest = [at for at in np.argsort(missed, kind="stable").tolist() if missed[at]]
        states = []
        for at in nearest[:NEAR_GRIDS]:
            values = [np.ascontiguousarray(packed[at * count + sample]) for sample in range(count)]
            expression = self.expression(int(grids[at]))
            if all(value.max() <= 9 for value in values):
                states.append(GridState(expression, tuple(values), count_steps(expression)))
        return states

    def marks(self, work: Work) -> list[GridState]:
        """Return marks of the cells of sets of places and of objects, those that tell most about the outputs."""
        frame, states = self.frame, self.states
        sets = self.values.of_kind(StateKind.INDICES, StateKind.OBJECT)[:MOST_SETS]
        if not len(sets):
            return []
        outside, inside = [states.constant(number) for number in MARKED]
        sizes = self.values.apply("shape", work, states.I).handles
        empty = self.values.apply("canvas", work, outside, sizes).handles
        if empty[0] < 0:
            return []
        made = self.values.apply("fill", work, empty, inside, sets).handles
        grids, first = np.unique(made[made >= 0], return_index=True)
        if not len(grids):
            return []
        origins = sets[made >= 0][first]
        in_order = np.argsort(first)
        packed = states.grids(grids[in_order])
        shapes = [value.shape for value in frame.input.values]
        ends = np.cumsum([height * width for height, width in shapes])
        starts = packed.starts[:: len(states.samples)].astype(np.int64)
        masks = packed.cells[starts[:, None] + np.arange(ends[-1])] == 1
        found = []
        for at in telling(masks[:, : ends[frame.train - 1]], frame):
            parts = np.split(masks[at].astype(np.uint8), ends[:-1])
            values = [part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)]
            expression = filled(blank(0, INPUT), 1, self.expression(int(origins[in_order[at]])))
            found.append(GridState(expression, tuple(values), count_steps(expression)))
        return found


def input_expression(program: Program, *more: Argument) -> Expression:
    """Return a program (S, I, C, …) of states applied to the input, and to S only if it reads it."""
    reads_shown = program.result == Slot(0) or any(Slot(0) in step.args for step in program.steps)
    first: Argument = SHOWN if reads_shown else Literal(None)
    rest = [*more, *[Literal(None)] * program.arity][: program.arity - 2]
    return Expression(program, (first, INPUT, *rest))


def telling(masks: npt.NDArray[np.bool_], frame: TaskFrame) -> list[int]:
    """Return the masks of the demonstrations' cells that tell most about the outputs.

    They split cells best, or hold only for cells that change to one colour, or hold for all cells that change.
    """
    given = np.concatenate([value.ravel() for value in frame.input.values[: frame.train]])
    wanted = np.concatenate([target.ravel() for target in frame.targets])
    changed = given != wanted
    labels = np.where(changed, wanted, 10)
    classes = np.array([labels == each for each in np.unique(labels)], np.float32)
    counts = masks.sum(axis=1)
    held = masks.astype(np.float32) @ classes.T
    rest = classes.sum(axis=1)[None] - held
    changes = masks[:, changed].sum(axis=1)
    splits = (counts > 0) & (counts < masks.shape[1])
    is_pure = splits & (held.max(axis=1) == counts) & (changes == counts)
    is_covering = splits & (changes == changed.sum())
    chosen: dict[int, None] = {}
    for fits, rank in ((splits, -held.max(axis=1) - rest.max(axis=1)), (is_pure, -counts), (is_covering, counts)):
        places = np.flatnonzero(fits)
        chosen.update(dict.fromkeys(places[np.argsort(rank[places], kind="stable")][:MARKS_EACH].tolist()))
    return list(chosen)


def _as_output(value: object) -> Grid | None:
    """Return a value as an answer; None if it is none."""
    try:
        cells = np.array(value)
    except ValueError:
        return None
    if cells.ndim != 2 or cells.dtype.kind != "i" or not cells.size or max(cells.shape) > MOST_SIDE:
        return None
    if cells.min() < 0 or cells.max() > 9:
        return None
    return as_grid(cells)
