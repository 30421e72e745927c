"""Search programs for one task: all layers in turn, until the effort is spent."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from batt.solving.candidates import Layer, SearchCandidate
from batt.solving.cells import cell_states, constant_states, features_of
from batt.solving.choosing import ANSWERS, RankedAnswer, choose
from batt.solving.frame import GridState, TaskFrame
from batt.solving.library import FunctionLibrary
from batt.solving.solutions import Answer, TaskSolution
from batt.solving.states import FoundStates, StateMakers, of_target_shape, promising, test_shapes
from batt.solving.trees import tree_candidates
from batt.solving.verifying import is_reproduced, written
from batt.solving.work import ClockStopped, Work
from batt.tasks import Task
from batt.types.kinds import Grid

TREE_STATES = 200
"""The states whose cells a copy tree reads."""
MOST_TRIED = 6
"""The outputs of a test input whose programs are checked."""


@dataclass(slots=True, eq=False)
class TaskSearch:
    """A search for one task: its frame, its work, and what is found so far."""

    frame: TaskFrame
    work: Work
    candidates: list[SearchCandidate] = field(default_factory=list)
    states: list[GridState] = field(default_factory=list)

    @property
    def is_same_size(self) -> bool:
        """Tell whether every output has the size of its input."""
        return self.frame.has_target_shape(self.frame.input)

    def target_states(self) -> list[GridState]:
        """Return the states that have the size of the outputs."""
        if not self.is_same_size:
            return of_target_shape(self.states, self.frame)
        own = test_shapes(self.frame.input, self.frame)
        sized = [state for state in self.states if self.frame.has_target_shape(state)]
        return [state for state in sized if test_shapes(state, self.frame) == own]


class Searcher:
    """Searches programs with a library of functions. `layers` are those that are used; by default all."""

    def __init__(
        self, library: FunctionLibrary, effort: int, seconds: float | None, layers: Collection[Layer] = ()
    ) -> None:
        self.makers = StateMakers(library)
        self.effort = effort
        self.seconds = seconds
        self.layers = frozenset(layers or Layer)

    def solve(self, task: Task) -> TaskSolution:
        """Return the answers for the test inputs of a task."""
        search = TaskSearch(TaskFrame(task), Work(self.effort, self.seconds))
        was_stopped = False
        try:
            self._run(search)
        except ClockStopped:
            was_stopped = True
        candidates = [each for each in search.candidates if each.layer in self.layers]
        return _solution(task, candidates, search.work.done, was_stopped)

    def _run(self, search: TaskSearch) -> None:
        found: FoundStates = self.makers.states(search.frame, search.work)
        search.candidates += found.candidates
        search.states = found.states
        grow_trees(search, self.layers)


def grow_trees(search: TaskSearch, layers: Collection[Layer]) -> None:
    """Fit copy trees over cells of the input, and over cells of states."""
    frame, work = search.frame, search.work
    sources: list[GridState] = []
    marks: list[GridState] = []
    if search.is_same_size:
        sources, marks = cell_states(frame.input, frame, work)
        constants = constant_states(frame.input, frame.target_colours)
        if Layer.TREE in layers:
            features = features_of(sources, marks, [], constants, frame.train)
            search.candidates += tree_candidates(features, frame, Layer.TREE, work)
    states = promising(search.target_states(), frame, TREE_STATES)
    if states and Layer.STATE_TREE in layers:
        constants = constant_states(sources[0] if sources else states[0], frame.target_colours)
        features = features_of(sources, marks, states, constants, frame.train)
        search.candidates += tree_candidates(features, frame, Layer.STATE_TREE, work)


def _solution(task: Task, candidates: Sequence[SearchCandidate], work: int, was_stopped: bool) -> TaskSolution:
    """Choose answers, and keep those whose programs reproduce them."""
    checked: dict[int, str | None] = {}
    dropped = 0
    answers: list[tuple[Answer, ...]] = []
    for test in range(len(task.test)):
        kept: list[Answer] = []
        for choice in choose(candidates, test)[:MOST_TRIED]:
            source, tried = _checked_source(choice, task, checked)
            dropped += tried
            if source is not None and len(kept) < ANSWERS:
                kept.append(_answer(choice, source, candidates))
        answers.append(tuple(kept))
    return TaskSolution(task.id, tuple(answers), work, dropped, was_stopped)


def _checked_source(choice: RankedAnswer, task: Task, checked: dict[int, str | None]) -> tuple[str | None, int]:
    """Return the text of the first program of a choice that is reproduced, and how many are not."""
    dropped = 0
    for candidate in choice.candidates[:3]:
        if id(candidate) not in checked:
            source = written(candidate, task.id)
            is_right = source is not None and is_reproduced(source, candidate, task)
            checked[id(candidate)] = source if is_right else None
            dropped += not is_right
        source = checked[id(candidate)]
        if source is not None:
            return source, dropped
    return None, dropped


def _answer(choice: RankedAnswer, source: str, candidates: Sequence[SearchCandidate]) -> Answer:
    best = choice.candidates[0]
    grid: Grid = choice.grid
    return Answer(grid, source, best.layer, round(choice.sure, 3), _why(choice, len(candidates)))


def _why(choice: RankedAnswer, count: int) -> str:
    best = choice.candidates[0]
    parts = [f"fits all demonstrations as {best.layer.value}", f"description length {best.size}"]
    if best.held_out:
        parts.append("found again without each demonstration in turn")
    elif best.held_out is False:
        parts.append("not found again without each demonstration in turn")
    layers = {each.layer for each in choice.candidates}
    if len(layers) > 1:
        parts.append(f"{len(layers)} layers agree")
    parts.append(f"{len(choice.candidates)} of {count} candidates")
    return "; ".join(parts)
