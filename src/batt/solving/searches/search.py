"""Search programs for one task: all layers in turn, until the effort is spent."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial

from batt.solving.answers.answering import answered
from batt.solving.answers.solutions import TaskSolution
from batt.solving.candidates import Layer
from batt.solving.frame import TaskFrame
from batt.solving.library import FunctionLibrary
from batt.solving.running import SearchEngine
from batt.solving.searches.stages import (
    act_on_grids,
    chain_functions,
    combine_states,
    count_inputs,
    edit_base_figures,
    edit_figures,
    edit_figures_again,
    enumerate_expressions,
    grow_base_trees,
    grow_cells,
    grow_deep_trees,
    grow_trees,
    lay_images,
    move_figures,
    relate_figures,
)
from batt.solving.searches.task_search import TaskSearch
from batt.solving.states.chains import ChainMaker
from batt.solving.states.images import ImageMaker
from batt.solving.states.near import near_misses
from batt.solving.states.states import (
    FoundStates,
    MadeStates,
    StateMakers,
)
from batt.solving.typed.inputs import ExpressionMaker
from batt.solving.work import ClockStopped, Work
from batt.tasks import Pair, Task

BASES_FIRST, BASES = 3, 60
"""The states that take the place of the input: before chains are tried, and in all."""


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """The settings of a searcher. No answer depends on the `engine`: `cpu`, `reference`, or `cuda`."""

    library: FunctionLibrary
    effort: int
    seconds: float | None
    layers: frozenset[Layer]
    engine: str = "cpu"

    def searcher(self) -> Searcher:
        """Return the searcher. In this process all programs then run on its engine, with `cuda` on the CPU."""
        SearchEngine.is_reference = self.engine == "reference"
        return Searcher(self.library, self.effort, self.seconds, self.layers)


class Searcher:
    """Searches programs with a library of functions. `layers` are those that are used; by default all."""

    def __init__(
        self, library: FunctionLibrary, effort: int, seconds: float | None, layers: Collection[Layer] = ()
    ) -> None:
        self.makers = StateMakers(library)
        self.chains = ChainMaker(library)
        self.images = ImageMaker()
        self.expressions = ExpressionMaker()
        self.effort = effort
        self.seconds = seconds
        self.layers = frozenset(layers or Layer)

    def warm_up(self) -> None:
        """Solve a tiny task, so that compiling functions counts for none of the tasks that follow."""
        pairs = [Pair(((0, number), (number, 0)), ((number, 0), (0, number))) for number in (1, 2, 3)]
        self._search(Task("tiny", tuple(pairs[:2]), tuple(pairs[2:])), Work(1))

    def solve(self, task: Task, made: MadeStates | None = None, layers: frozenset[Layer] | None = None) -> TaskSolution:
        """Return the answers for the test inputs of a task, whose states may be `made` before.

        `layers` are used here and from now on.
        """
        self.layers = self.layers if layers is None else layers
        return self._search(task, Work(self.effort, self.seconds), made)

    def _search(self, task: Task, work: Work, made: MadeStates | None = None) -> TaskSolution:
        search = TaskSearch(TaskFrame(task), work, self.layers)
        was_stopped = False
        try:
            self._run(search, made)
        except ClockStopped:
            was_stopped = True
        if Layer.NEAR in self.layers and not search.is_settled():
            search.candidates += near_misses(search.states, search.frame)
        candidates = [each for each in search.candidates if each.layer in self.layers]
        return answered(task, candidates, search.invariants, search.work.done, was_stopped)

    def _run(self, search: TaskSearch, made: MadeStates | None) -> None:
        """Run the stages, the cheap ones first, until the answers are sure."""
        found: FoundStates = self.makers.states(search.frame, search.work, made)
        search.candidates += found.candidates
        search.states = found.states
        act_on_grids(search)
        count_inputs(search)
        grow_trees(search)
        for stage in self._stages():
            if search.is_settled():
                return
            stage(search)

    def _stages(self) -> tuple[Callable[[TaskSearch], None], ...]:
        """Return the stages that follow the trees over states of the library, in order."""
        return (
            edit_figures,
            move_figures,
            relate_figures,
            partial(lay_images, maker=self.images),
            partial(enumerate_expressions, maker=self.expressions),
            edit_figures_again,
            grow_cells,
            combine_states,
            partial(grow_deep_trees, maker=self.chains),
            partial(grow_base_trees, bases=BASES_FIRST),
            partial(chain_functions, maker=self.chains),
            edit_base_figures,
            partial(grow_base_trees, bases=BASES),
        )
