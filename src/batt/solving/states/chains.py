"""Chains: functions of the library applied to states, checked on the first demonstration before the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from batt.runtime import Equality
from batt.solving.candidates import Layer, SearchCandidate
from batt.solving.expressions import applied
from batt.solving.frame import GridState, TaskFrame, as_grid
from batt.solving.library import FunctionLibrary, LibraryFunction, as_reader, assignments
from batt.solving.running import PreparedFunctions
from batt.solving.states.states import MOST_TEMPLATE_COLOURS, differing
from batt.solving.work import Work
from batt.types.kinds import Grid

LONGEST = 12
"""The steps of the longest function that is a second step."""
STATES_AT_ONCE = 10
MOST_STATES = 400
MOST_SECOND = 100
"""The states of two steps that are kept, the nearest to the outputs."""
MOST_HITS = 100
"""The chains of some states that give the first demonstration and are tried on the others."""


@dataclass(frozen=True, slots=True, eq=False)
class SecondSteps:
    """Functions that take the same number of colours, prepared to be second steps."""

    functions: Sequence[LibraryFunction]
    prepared: PreparedFunctions
    colours: int


class ChainMaker:
    """The short functions of a library as second steps."""

    def __init__(self, library: FunctionLibrary) -> None:
        self._steps = []
        for colours, functions in ((0, library.plain), (1, library.templates[0])):
            short = [each for each in functions if len(each.program.steps) <= LONGEST]
            programs = [as_reader(each.program) if colours else each.program for each in short]
            self._steps.append(SecondSteps(short, PreparedFunctions(programs, keep=True), colours))

    def chains(
        self, states: Sequence[GridState], frame: TaskFrame, work: Work, share: float
    ) -> Iterator[SearchCandidate]:
        """Yield the chains over these states that fit, some states at a time until this share of the work is done."""
        for start in range(0, len(states), STATES_AT_ONCE):
            for steps in self._steps:
                if not work.is_left(share):
                    return
                yield from _chains(steps, states[start : start + STATES_AT_ONCE], frame, work)

    def second_states(self, states: Sequence[GridState], frame: TaskFrame, work: Work) -> list[GridState]:
        """Return what second steps make of these states in the size of the outputs, the nearest first."""
        steps = self._steps[0]
        grids = [[as_grid(value) for value in state.values] for state in states]
        made = steps.prepared.run([sample for each in grids for sample in frame.samples(each)], outputs=True)
        work.spend_run(made.records.size, made.steps)
        found: dict[bytes, tuple[int, int, int, int]] = {}
        sizes = np.array([target.shape for target in frame.targets])
        kept = np.array([not each.is_of(frame.id) for each in steps.functions], bool)
        for place, state in enumerate(states):
            records = made.records[:, place * frame.size : (place + 1) * frame.size]
            is_grid = made.is_grid[:, place * frame.size : (place + 1) * frame.size].all(axis=1)
            shown = records[:, : frame.train]
            fits = (shown["height"] == sizes[:, 0]).all(axis=1) & (shown["width"] == sizes[:, 1]).all(axis=1)
            for number in np.flatnonzero(kept & is_grid & fits).tolist():
                key = records["hash"][number].tobytes()
                length = state.steps + len(steps.functions[number].program.steps)
                if key not in found or length < found[key][1]:
                    missed = int(shown["differing"][number].sum())
                    found[key] = missed, length, number, place
        second = []
        for _, length, number, place in sorted(found.values())[:MOST_SECOND]:
            values = made.all_grids([number], place * frame.size, frame.size)[0]
            if values is not None:
                expression = applied(steps.functions[number].program, states[place].expression)
                second.append(GridState(expression, tuple(values), length))
        return second


def first_steps(states: Sequence[GridState], frame: TaskFrame) -> list[GridState]:
    """Return the states that second steps are tried on: near ones and short ones, in turn."""
    varied = [state for state in states if not _is_constant(state, frame.train)]
    near = sorted(
        [state for state in varied if frame.has_target_shape(state)],
        key=lambda state: (differing(state, frame), state.steps),
    )
    chosen: dict[int, GridState] = {}
    for at, state in enumerate(varied[:MOST_STATES]):
        chosen[id(state)] = state
        # Two short ones for each near one.
        if at % 2 and at // 2 < len(near):
            chosen[id(near[at // 2])] = near[at // 2]
    return list(chosen.values())[:MOST_STATES]


def _is_constant(state: GridState, train: int) -> bool:
    """Tell whether a state is the same grid for all demonstrations."""
    first = state.values[0]
    return train > 1 and all(np.array_equal(first, value) for value in state.values[1:train])


def _chains(steps: SecondSteps, states: Sequence[GridState], frame: TaskFrame, work: Work) -> Iterator[SearchCandidate]:
    grids = [[as_grid(value) for value in state.values] for state in states]
    assigned = assignments(frame.colours[:MOST_TEMPLATE_COLOURS], steps.colours)
    pairs = [(at, colours) for at in range(len(states)) for colours in assigned]
    first = [frame.samples(grids[at], colours or None)[0] for at, colours in pairs]
    made = steps.prepared.run(first)
    work.spend_run(made.records.size, made.steps)
    found = np.argwhere(made.records["equal"] == Equality.YES).tolist()
    hits = [(number, pair) for number, pair in found if not steps.functions[number].is_of(frame.id)][:MOST_HITS]
    if not hits:
        return
    samples = [each for _, pair in hits for each in frame.samples(grids[pairs[pair][0]], pairs[pair][1] or None)]
    numbers = np.repeat(np.array([number for number, _ in hits], np.int64), frame.size)
    ran = steps.prepared.run_pairs(numbers, samples, outputs=True)
    work.spend_run(len(samples), ran.steps)
    is_right = (ran.records["equal"] == Equality.YES).reshape(len(hits), frame.size)[:, : frame.train].all(axis=1)
    for at in np.flatnonzero(is_right).tolist():
        number, pair = hits[at]
        state, colours = states[pairs[pair][0]], pairs[pair][1]
        outputs: list[Grid | None] = []
        for place in range(at * frame.size + frame.train, (at + 1) * frame.size):
            value = ran.grids(place)
            outputs.append(as_grid(value[0]) if value and bool(ran.is_grid[place]) else None)
        program = steps.functions[number].program
        expression = applied(program, state.expression, colours)
        yield SearchCandidate(Layer.CHAIN, expression, tuple(outputs), state.steps + len(program.steps) + 1)
