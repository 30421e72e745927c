"""States of a task: the grids that functions of the library make of its inputs, each value once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from batt.runtime import Equality
from batt.solving.candidates import Layer, SearchCandidate
from batt.solving.expressions import Expression, applied
from batt.solving.frame import GridState, TaskFrame, as_grid
from batt.solving.library import FunctionLibrary, LibraryFunction, as_reader, assignments
from batt.solving.running import GridBatch, PreparedFunctions
from batt.solving.work import Work

MOST_TEMPLATE_COLOURS = 6
"""The most colours of a task that are put into templates."""


@dataclass(frozen=True, slots=True, eq=False)
class StateMaker:
    """Functions that take the same number of colours, prepared to run."""

    layer: Layer
    functions: tuple[LibraryFunction, ...]
    colours: int
    prepared: PreparedFunctions

    def assigned(self, frame: TaskFrame) -> list[tuple[int, ...]]:
        """Return the colours that are put in, one tuple for each run."""
        return assignments(frame.colours[:MOST_TEMPLATE_COLOURS], self.colours)


@dataclass(frozen=True, slots=True, eq=False)
class FoundStates:
    """The states of a task by ascending number of steps, and the candidates among them."""

    states: list[GridState]
    candidates: list[SearchCandidate]


class StateMakers:
    """All functions of a library, prepared once for all tasks."""

    def __init__(self, library: FunctionLibrary) -> None:
        self.makers = [
            StateMaker(Layer.DECK, library.plain, 0, PreparedFunctions([each.program for each in library.plain])),
            StateMaker(
                Layer.VARIANT, library.variants, 0, PreparedFunctions([each.program for each in library.variants])
            ),
        ]
        for count, functions in enumerate(library.templates, 1):
            readers = PreparedFunctions([as_reader(each.program) for each in functions])
            self.makers.append(StateMaker(Layer.TEMPLATE, functions, count, readers))

    def states(self, frame: TaskFrame, work: Work) -> FoundStates:
        """Return the states of a task that these functions make of its inputs."""
        found: dict[bytes, tuple[int, int, Layer, Expression, GridBatch, int]] = {}
        candidates: list[SearchCandidate] = []
        order = 0
        for maker in self.makers:
            for colours in maker.assigned(frame):
                samples = frame.samples(shown=colours or None)
                made = maker.prepared.run(samples, outputs=True)
                work.spend_run(made.records.size, made.steps)
                for at in np.flatnonzero(made.is_grid.all(axis=1)).tolist():
                    function = maker.functions[at]
                    if function.is_of(frame.id):
                        continue
                    key, steps = made.records["hash"][at].tobytes(), len(function.program.steps)
                    order += 1
                    if key not in found or steps < found[key][0]:
                        expression = applied(function.program, frame.input.expression, colours)
                        found[key] = (steps, order, maker.layer, expression, made, at)
        states = []
        for steps, _, layer, expression, made, at in sorted(found.values(), key=lambda each: each[:2]):
            values = made.grids(at)
            if values is None:
                continue
            state = GridState(expression, tuple(values), steps)
            states.append(state)
            if _fits(made, at, frame):
                candidates.append(candidate_of(state, frame, layer))
        return FoundStates(states, candidates)


def _fits(made: GridBatch, at: int, frame: TaskFrame) -> bool:
    return bool((made.records["equal"][at, : frame.train] == Equality.YES).all())


def candidate_of(state: GridState, frame: TaskFrame, layer: Layer, size: int | None = None) -> SearchCandidate:
    """Return a state that fits the demonstrations as a candidate."""
    outputs = tuple([as_grid(value) for value in state.values[frame.train :]])
    return SearchCandidate(layer, state.expression, outputs, state.steps if size is None else size)


def differing(state: GridState, frame: TaskFrame) -> int:
    """Count the cells in which a state of the outputs' size differs from the demonstrations."""
    return sum([int((a != b).sum()) for a, b in zip(state.values, frame.targets, strict=False)])


def of_target_shape(states: Sequence[GridState], frame: TaskFrame) -> list[GridState]:
    """Return the states of the outputs' size that agree on the size of test outputs, by the commonest."""
    fitting = [state for state in states if frame.has_target_shape(state)]
    sizes: dict[tuple[tuple[int, ...], ...], int] = {}
    for state in fitting[:60]:
        sizes[test_shapes(state, frame)] = sizes.get(test_shapes(state, frame), 0) + 1
    if not sizes:
        return []
    commonest = max(sizes, key=lambda size: sizes[size])
    return [state for state in fitting if test_shapes(state, frame) == commonest]


def test_shapes(state: GridState, frame: TaskFrame) -> tuple[tuple[int, ...], ...]:
    """Return the sizes of a state on the test inputs."""
    return tuple([value.shape for value in state.values[frame.train :]])


def promising(states: Sequence[GridState], frame: TaskFrame, count: int) -> list[GridState]:
    """Return at most `count` states: half the shortest, half the nearest to the demonstrations."""
    near = sorted(states, key=lambda state: (differing(state, frame), state.steps))[: count // 2]
    chosen = {id(state): state for state in [*states[: count // 2], *near]}
    return sorted(chosen.values(), key=lambda state: state.steps)
