"""Run a graph with a stage in plain Python: what a plan means, for tests and for counting steps."""

from __future__ import annotations

from batt.analysis.measure import Inputs
from batt.codegen.plan import StagePlan
from batt.ir.graph import Graph, Level
from batt.ir.interpreter import Done, Interpreter


class Stages:
    """Interpreters for one sample after another, each with its stage; what outlives a sample is kept.

    The task's part is worked out anew when S is another object, so samples should come task by task. `executed_steps`
    counts the work on what is kept; each interpreter counts its own.
    """

    def __init__(self, graph: Graph, plan: StagePlan, steps: int, max_items: int) -> None:
        self.graph = graph
        self.plan = plan
        self.executed_steps = 0
        self._budget = steps, max_items
        self._constants = self._kept((None, None, None), Level.CONSTANT, {})
        self._task: dict[int, Done] = {}
        self._shown = object()

    def interpreter(self, inputs: Inputs) -> Interpreter:
        """The interpreter of a sample, its stage filled."""
        if inputs[0] is not self._shown:
            self._task = self._kept((inputs[0], None, None), Level.TASK, self._constants)
            self._shown = inputs[0]
        return self._filled(inputs, Level.SAMPLE, self._task)

    def _kept(self, inputs: Inputs, level: Level, known: dict[int, Done]) -> dict[int, Done]:
        filled = self._filled(inputs, level, known)
        self.executed_steps += filled.executed_steps
        return filled.stage

    def _filled(self, inputs: Inputs, level: Level, known: dict[int, Done]) -> Interpreter:
        made = Interpreter(self.graph, inputs)
        made.stage = dict(known)
        made.materialise(self.plan.at(level), *self._budget)
        return made
