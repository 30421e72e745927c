"""Scenes: states that whole-grid actions make of the inputs, such as a template stamped where a part of it is found."""

from __future__ import annotations

from functools import cache

from batt.ir import Program
from batt.runtime import Limits
from batt.solving.candidates import Layer, SearchCandidate
from batt.solving.expressions import applied
from batt.solving.frame import GridState, TaskFrame
from batt.solving.library import solving_deck
from batt.solving.running import PreparedFunctions
from batt.solving.states.states import candidate_of, differing
from batt.solving.work import Work

SCENE_LIMITS = Limits(steps=400_000, max_items=50_000)
"""The budget of an action on a grid."""


def scene_states(frame: TaskFrame, work: Work) -> list[GridState]:
    """Return what the actions make of the inputs: those that change something, each state once."""
    made = _compiled().run(frame.samples(), outputs=True)
    work.spend_run(made.records.size, made.steps)
    found: dict[bytes, GridState] = {frame.input.key: frame.input}
    for program, values in zip(_programs(), made.all_grids(range(len(_programs()))), strict=True):
        if values is not None:
            state = GridState(applied(program, frame.input.expression), tuple(values), len(program.steps))
            found.setdefault(state.key, state)
    return [state for state in found.values() if state is not frame.input]


def scene_candidates(states: list[GridState], frame: TaskFrame) -> list[SearchCandidate]:
    """Return the states that fit the demonstrations, each of which an action changes."""
    return [
        candidate_of(state, frame, Layer.SCENE)
        for state in states
        if frame.has_target_shape(state) and differing(state, frame) == 0
    ]


@cache
def _compiled() -> PreparedFunctions:
    return PreparedFunctions(_programs(), SCENE_LIMITS, keep=True)


@cache
def _programs() -> list[Program]:
    return [solver.program for solver in solving_deck("scenes")]
