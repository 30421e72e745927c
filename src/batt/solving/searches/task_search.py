"""What a search for one task has found so far, and whether its answers are sure."""

from __future__ import annotations

from dataclasses import dataclass, field

from batt.solving.answers.choosing import choose
from batt.solving.answers.invariants import Invariants
from batt.solving.candidates import Layer, SearchCandidate
from batt.solving.cells.counting import InputCount
from batt.solving.cells.sizes import OutputSize
from batt.solving.figures.editing import FigureEditor
from batt.solving.frame import GridState, TaskFrame
from batt.solving.states.states import of_target_shape, test_shapes
from batt.solving.work import Work

SETTLED = 0.95
"""The search for a task ends when all its answers are as sure as this."""


@dataclass(slots=True, eq=False)
class TaskSearch:
    """A search for one task: its frame, its work, the layers that it uses, and what is found so far."""

    frame: TaskFrame
    work: Work
    layers: frozenset[Layer]
    candidates: list[SearchCandidate] = field(default_factory=list)
    states: list[GridState] = field(default_factory=list)
    marks: list[GridState] = field(default_factory=list)
    sources: list[GridState] = field(default_factory=list)
    counts: list[InputCount] = field(default_factory=list)
    panels: list[GridState] = field(default_factory=list)
    size: OutputSize | None = None
    bases_done: set[bytes] = field(default_factory=set)
    editor: FigureEditor | None = None
    invariants: Invariants = field(init=False)
    _settled_at: int = -1
    _is_settled: bool = False

    def __post_init__(self) -> None:
        """Find the invariants of the demonstrations."""
        self.invariants = Invariants(self.frame)

    @property
    def is_same_size(self) -> bool:
        """Tell whether every output has the size of its input."""
        return self.frame.has_target_shape(self.frame.input)

    def is_settled(self) -> bool:
        """Tell whether there is a sure answer for every test input."""
        if self._settled_at != len(self.candidates):
            self._settled_at = len(self.candidates)
            kept = [each for each in self.candidates if each.layer in self.layers]
            tests = [choose(kept, test, self.invariants) for test in range(self.frame.size - self.frame.train)]
            self._is_settled = all(bool(found) and found[0].sure >= SETTLED for found in tests)
        return self._is_settled

    def target_states(self) -> list[GridState]:
        """Return the states that have the size of the outputs."""
        if not self.is_same_size and not self.sources:
            return of_target_shape(self.states, self.frame)
        own = test_shapes(self.frame.input if self.is_same_size else self.sources[0], self.frame)
        sized = [state for state in self.states if self.frame.has_target_shape(state)]
        return [state for state in sized if test_shapes(state, self.frame) == own]
