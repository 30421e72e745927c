"""Measure the steps that the nodes of a graph take on some samples. No outcome depends on them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, TypeAlias

from batt.ir.graph import Graph
from batt.ir.interpreter import Done, Interpreter
from batt.ops import METER, RAISABLE, OverBudget

Inputs: TypeAlias = tuple[Any, Any, Any]
"""S, I and C of one sample."""

Costs: TypeAlias = list[int]
"""The steps of each node, over all slices and samples."""

SAMPLE_STEPS, SAMPLE_ITEMS = 1_000_000, 200_000
"""The budget of one slice on one sample while measuring. An evaluation with more steps is cut short."""


def measure(graph: Graph, inputs: Sequence[Inputs], steps: int = SAMPLE_STEPS, max_items: int = SAMPLE_ITEMS) -> Costs:
    """Run every slice on every sample, nothing shared. Return the steps of each node, also of those that failed."""
    costs = [0] * len(graph.nodes)
    for given in inputs:
        measuring = _Measuring(graph, given, costs)
        for each in graph.slices:
            METER.reset(steps, max_items)
            with suppress(*RAISABLE, OverBudget):
                measuring.run_slice(each)
            METER.reset()
    return costs


class _Measuring(Interpreter):
    """An interpreter that adds up the steps of every node."""

    def __init__(self, graph: Graph, inputs: Inputs, costs: Costs) -> None:
        super().__init__(graph, inputs)
        self.costs = costs

    def run_node(self, number: int, values: dict[int, Done], args: Sequence[Any]) -> Any:
        """Run the node and add its steps, also if it fails."""
        before = METER.steps_left
        try:
            return super().run_node(number, values, args)
        finally:
            self.costs[number] += before - METER.steps_left
