"""States of a task: the grids that functions of the library make of its inputs, each value once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from batt.runtime import Equality, Sample
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

    @property
    def lengths(self) -> list[int]:
        """Return the number of steps of each function."""
        return [len(each.program.steps) for each in self.functions]

    def assigned(self, frame: TaskFrame) -> list[tuple[int, ...]]:
        """Return the colours that are put in, a tuple for each time that the functions run on the inputs."""
        return assignments(frame.colours[:MOST_TEMPLATE_COLOURS], self.colours)

    def samples(self, frame: TaskFrame) -> list[Sample]:
        """Return the samples that the functions run on: the inputs of a task, once for each choice of colours."""
        return [sample for colours in self.assigned(frame) for sample in frame.samples(shown=colours or None)]


@dataclass(frozen=True, slots=True, eq=False)
class FoundStates:
    """The states of a task by ascending number of steps, and the candidates among them."""

    states: list[GridState]
    candidates: list[SearchCandidate]


class StateOrigin(NamedTuple):
    """The function that makes a state first: the numbers of its maker and its own, and the number of its steps.

    Its records begin at sample `first` of the maker's run. `fits` tells whether it gives all demonstrations.
    """

    maker: int
    number: int
    first: int
    steps: int
    fits: bool


@dataclass(frozen=True, slots=True, eq=False)
class MadeStates:
    """The states of a task by ascending number of steps, with all values of each.

    `runs` has the number of evaluations and of steps of each run that made them.
    """

    origins: list[StateOrigin]
    values: list[tuple[Array, ...]]
    runs: list[tuple[int, int]]


class StateMakers:
    """All functions of a library, prepared once for all tasks. `engine` is by default that of the search."""

    def __init__(self, library: FunctionLibrary, engine: str | None = None) -> None:
        kinds = [(Layer.DECK, library.plain, 0), (Layer.VARIANT, library.variants, 0)]
        kinds += [(Layer.TEMPLATE, functions, count) for count, functions in enumerate(library.templates, 1)]
        self.makers = []
        for layer, functions, count in kinds:
            programs = [as_reader(each.program) if count else each.program for each in functions]
            self.makers.append(
                StateMaker(layer, functions, count, PreparedFunctions(programs, engine=engine, keep=True))
            )

    def states(self, frame: TaskFrame, work: Work, made: MadeStates | None = None) -> FoundStates:
        """Return the states of a task that these functions make of its inputs. What is `made` before costs the same."""
        if made is None:
            made = self.make(frame, work)
        else:
            for evaluations, steps in made.runs:
                work.spend_run(evaluations, steps)
        states: list[GridState] = []
        candidates: list[SearchCandidate] = []
        assigned = [maker.assigned(frame) for maker in self.makers]
        for origin, values in zip(made.origins, made.values, strict=True):
            maker = self.makers[origin.maker]
            program = maker.functions[origin.number].program
            colours = assigned[origin.maker][origin.first // frame.size]
            expression = applied(program, frame.input.expression, colours)
            states.append(GridState(expression, values, origin.steps))
            if origin.fits:
                candidates.append(candidate_of(states[-1], frame, maker.layer))
        return FoundStates(states, candidates)

    def make(self, frame: TaskFrame, work: Work) -> MadeStates:
        """Run all functions on the inputs of a task, and keep each value once."""
        choice = StateChoice(frame)
        batches: list[GridBatch | None] = []
        runs: list[tuple[int, int]] = []
        for number, maker in enumerate(self.makers):
            samples = maker.samples(frame)
            batches.append(maker.prepared.run(samples, outputs=True) if samples else None)
            made = batches[-1]
            if made is not None:
                runs.append((made.records.size, made.steps))
                work.spend_run(*runs[-1])
                choice.add(number, maker, made.records, made.is_grid)
        origins = choice.origins()
        values: dict[StateOrigin, list[Array] | None] = {}
        for number, first in dict.fromkeys([(each.maker, each.first) for each in origins]):
            mine = [each for each in origins if (each.maker, each.first) == (number, first)]
            batch = batches[number]
            assert batch is not None, "a state is made by a run"
            values.update(zip(mine, batch.all_grids([each.number for each in mine], first, frame.size), strict=True))
        return made_states([(each, values[each]) for each in origins], runs)


def made_states(found: Sequence[tuple[StateOrigin, list[Array] | None]], runs: list[tuple[int, int]]) -> MadeStates:
    """Return the states whose values are all grids of small numbers."""
    kept = [(origin, tuple(values)) for origin, values in found if values is not None]
    return MadeStates([origin for origin, _ in kept], [values for _, values in kept], runs)


class StateChoice:
    """Chooses of all functions that make the same state of a task the shortest, of equal ones the first."""

    def __init__(self, frame: TaskFrame) -> None:
        self.frame = frame
        self._found: dict[bytes, StateOrigin] = {}

    def add(self, number: int, maker: StateMaker, records: npt.NDArray[Any], is_grid: npt.NDArray[np.bool_]) -> None:
        """Add the records of a maker's run on its samples of the task, by [program, sample]."""
        frame, found, hashes = self.frame, self._found, records["hash"]
        kept = np.array([not each.is_of(frame.id) for each in maker.functions], bool)
        fits = records["equal"] == Equality.YES
        lengths = maker.lengths
        for first in range(0, records.shape[1], frame.size):
            columns = slice(first, first + frame.size)
            good = np.flatnonzero(kept & is_grid[:, columns].all(axis=1))
            is_right = fits[good, first : first + frame.train].all(axis=1).tolist()
            keys = np.ascontiguousarray(hashes[good, columns]).view(f"V{8 * frame.size}").ravel().tolist()
            for at, key, is_fit in zip(good.tolist(), keys, is_right, strict=True):
                if key not in found or lengths[at] < found[key].steps:
                    found[key] = StateOrigin(number, at, first, lengths[at], is_fit)

    def origins(self) -> list[StateOrigin]:
        """Return the chosen functions by ascending number of steps."""
        return sorted(self._found.values(), key=lambda each: each.steps)


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


def by_steps(states: Sequence[GridState]) -> list[GridState]:
    """Return states by their number of steps, each value once."""
    ordered = sorted(states, key=lambda state: state.steps)
    return list({state.key: state for state in reversed(ordered)}.values())[::-1]


def base_states(states: Sequence[GridState], frame: TaskFrame) -> list[GridState]:
    """Return the states that take the place of the input: the nearest and the shortest, in turn."""
    near = sorted(states, key=lambda state: (differing(state, frame), state.steps))
    turns = [each for pair in zip(near, states, strict=True) for each in pair]
    different = [state for state in turns if state.key != frame.input.key]
    return list(dict.fromkeys(different))
