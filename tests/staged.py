"""Run a graph with a stage in plain Python: what a plan means, for tests and for counting steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from batt.analysis.measure import Inputs
from batt.codegen.plan import StagePlan
from batt.ir.graph import Graph, Level, Slice
from batt.ir.interpreter import Done, Interpreter
from batt.ops import METER, RAISABLE, OverBudget


class StagingInterpreter(Interpreter):
    """An interpreter that fills its stage. `executed_steps` counts the steps of computed nodes."""

    def __init__(self, graph: Graph, inputs: Inputs) -> None:
        super().__init__(graph, inputs)
        self.executed_steps = 0

    def materialise(self, numbers: Sequence[int], steps: int, max_items: int) -> None:
        """Compute `numbers` into `stage`, each with a full budget. An error is kept for the slices that read it."""
        for number in numbers:
            METER.reset(steps, max_items)
            before = self.recharged_steps
            self.stage[number] = done = self._attempt(number)
            self.executed_steps += done[2] - (self.recharged_steps - before)
        METER.reset()

    def run_slice(self, each: Slice) -> Any:
        before = METER.steps_left + self.recharged_steps
        try:
            return super().run_slice(each)
        finally:
            self.executed_steps += before - METER.steps_left - self.recharged_steps

    def _attempt(self, number: int) -> Done:
        before = METER.steps_left
        for arg in self.graph.nodes[number].args:
            failed = self.stage.get(arg)
            if failed is not None and failed[1] is not None:
                # A slice that runs this node runs the failing operand first, and ends there.
                return None, failed[1], 0
        try:
            return self.run_node(number, self.stage, ()), None, before - METER.steps_left
        except (*RAISABLE, OverBudget) as raised:
            return None, raised.with_traceback(None), before - METER.steps_left


class Stages:
    """Interpreters for one sample after another, each with its stage; what outlives a sample is kept.

    The task's part is computed again when S is another object, so samples should come task by task. `executed_steps`
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

    def interpreter(self, inputs: Inputs) -> StagingInterpreter:
        """The interpreter of a sample, its stage filled."""
        if inputs[0] is not self._shown:
            self._task = self._kept((inputs[0], None, None), Level.TASK, self._constants)
            self._shown = inputs[0]
        return self._filled(inputs, Level.SAMPLE, self._task)

    def _kept(self, inputs: Inputs, level: Level, known: dict[int, Done]) -> dict[int, Done]:
        filled = self._filled(inputs, level, known)
        self.executed_steps += filled.executed_steps
        return filled.stage

    def _filled(self, inputs: Inputs, level: Level, known: dict[int, Done]) -> StagingInterpreter:
        made = StagingInterpreter(self.graph, inputs)
        made.stage = dict(known)
        made.materialise([entry.node for entry in self.plan.entries if entry.level is level], *self._budget)
        return made
