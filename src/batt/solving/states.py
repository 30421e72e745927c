"""States of a task: the grids that functions of the library make of its inputs, each value once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from batt.runtime import Equality
from batt.solving.candidates import Layer, SearchCandidate
from batt.solving.expressions import applied
from batt.solving.frame import GridState, TaskFrame, as_grid
from batt.solving.library import FunctionLibrary, LibraryFunction, as_reader, assignments
from batt.solving.running import Array, GridBatch, PreparedFunctions
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
        found: dict[bytes, _Found] = {}
        for maker in self.makers:
            assigned = maker.assigned(frame)
            if assigned:
                _find(found, maker, assigned, frame, work)
        ordered = sorted(found.values(), key=lambda each: each.steps)
        read: dict[tuple[int, int, int], list[Array] | None] = {}
        for batch in {id(each.made): each.made for each in ordered}.values():
            for first in {each.first for each in ordered if each.made is batch}:
                mine = [each.number for each in ordered if each.made is batch and each.first == first]
                values = batch.all_grids(mine, first, frame.size)
                read.update(zip([(id(batch), number, first) for number in mine], values, strict=True))
        states: list[GridState] = []
        candidates: list[SearchCandidate] = []
        for each in ordered:
            grids = read[id(each.made), each.number, each.first]
            if grids is not None:
                program = each.maker.functions[each.number].program
                expression = applied(program, frame.input.expression, each.colours)
                states.append(GridState(expression, tuple(grids), each.steps))
                if each.fits(frame.train):
                    candidates.append(candidate_of(states[-1], frame, each.maker.layer))
        return FoundStates(states, candidates)


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """A function that makes a state first, with its colours; its records begin at sample `first` of a batch."""

    steps: int
    maker: StateMaker
    number: int
    colours: tuple[int, ...]
    made: GridBatch
    first: int

    def fits(self, train: int) -> bool:
        """Tell whether it gives all demonstrations."""
        equal = self.made.records["equal"][self.number, self.first : self.first + train]
        return bool((equal == Equality.YES).all())


def _find(
    found: dict[bytes, _Found], maker: StateMaker, assigned: Sequence[tuple[int, ...]], frame: TaskFrame, work: Work
) -> None:
    """Run functions with all their colours, and add what is new or shorter."""
    samples = [sample for colours in assigned for sample in frame.samples(shown=colours or None)]
    made = maker.prepared.run(samples, outputs=True)
    work.spend_run(made.records.size, made.steps)
    hashes, is_grid = made.records["hash"], made.is_grid
    kept = np.array([not each.is_of(frame.id) for each in maker.functions], bool)
    lengths = [len(each.program.steps) for each in maker.functions]
    for place, colours in enumerate(assigned):
        first = place * frame.size
        columns = slice(first, first + frame.size)
        good = np.flatnonzero(kept & is_grid[:, columns].all(axis=1))
        keys = np.ascontiguousarray(hashes[good, columns]).view(f"V{8 * frame.size}").ravel().tolist()
        for number, key in zip(good.tolist(), keys, strict=True):
            if key not in found or lengths[number] < found[key].steps:
                found[key] = _Found(lengths[number], maker, number, colours, made, first)


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
