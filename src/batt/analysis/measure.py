"""What the nodes of a graph cost on some samples. Owns the measured figures and the size of a value in bytes.

Knows nothing of what the figures are used for. They decide about speed alone: no outcome depends on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from batt.ir.graph import Graph
from batt.ir.interpreter import Done, Interpreter
from batt.ops import METER, RAISABLE, OverBudget, items
from batt.types import unordered

Inputs: TypeAlias = tuple[Any, Any, Any]
"""S, I and C of one sample."""

WORD_BYTES = 8

SAMPLE_STEPS, SAMPLE_ITEMS = 1_000_000, 200_000
"""The budget of one slice on one sample while measuring: heavy evaluations are cut, as their share is known by then."""


@dataclass(frozen=True, slots=True)
class NodeCost:
    """How often a node was run and failed, over all slices and samples; its mean steps, and its value's mean bytes."""

    runs: int = 0
    failures: int = 0
    steps: float = 0.0
    bytes: float = 0.0

    @property
    def failure_share(self) -> float:
        """Failures per run."""
        return self.failures / self.runs if self.runs else 0.0


@dataclass(frozen=True, slots=True)
class Costs:
    """The costs of all nodes, by number, and the number of samples that they were measured on."""

    samples: int
    nodes: tuple[NodeCost, ...]

    def runs_per_sample(self, number: int) -> float:
        """How many times a sample makes some slice, or body, run the node."""
        return self.nodes[number].runs / self.samples if self.samples else 0.0


def measure(graph: Graph, inputs: Sequence[Inputs], steps: int = SAMPLE_STEPS, max_items: int = SAMPLE_ITEMS) -> Costs:
    """Run every slice on every sample, nothing shared, and see what each node takes."""
    tallies = [_Tally() for _ in graph.nodes]
    for given in inputs:
        watching = _Watching(graph, given, tallies)
        for each in graph.slices:
            METER.reset(steps, max_items)
            try:
                watching.run_slice(each)
            except (*RAISABLE, OverBudget):
                # The node that failed has noted it.
                continue
            finally:
                METER.reset()
    return Costs(len(inputs), tuple([tally.cost() for tally in tallies]))


def value_bytes(value: Any) -> int:
    """The bytes of a value, about: a word, one for each of its items, one for each cell of containers in it.

    A cell or a place counts as one item. Only two levels are looked at, so that a value which repeats its parts
    endlessly is quickly estimated.
    """
    words = 1 + items(value)
    if isinstance(value, tuple | frozenset):
        words += sum([items(item) for item in unordered(value) if _holds_containers(item)])
    return WORD_BYTES * words


def _holds_containers(item: Any) -> bool:
    return isinstance(item, frozenset) or (isinstance(item, tuple) and bool(item) and isinstance(item[0], tuple))


@dataclass(slots=True)
class _Tally:
    """The sums of one node so far."""

    runs: int = 0
    failures: int = 0
    steps: int = 0
    bytes: int = 0

    def cost(self) -> NodeCost:
        made = self.runs - self.failures
        mean_steps = self.steps / self.runs if self.runs else 0.0
        return NodeCost(self.runs, self.failures, mean_steps, self.bytes / made if made else 0.0)


class _Watching(Interpreter):
    """An interpreter that notes every execution of a node."""

    def __init__(self, graph: Graph, inputs: Inputs, tallies: list[_Tally]) -> None:
        super().__init__(graph, inputs)
        self.tallies = tallies

    def run_node(self, number: int, values: dict[int, Done], args: Sequence[Any]) -> Any:
        """Run the node and note what it took, also where it fails."""
        tally, before = self.tallies[number], METER.steps_left
        tally.runs += 1
        try:
            value = super().run_node(number, values, args)
        except (*RAISABLE, OverBudget):
            tally.failures += 1
            raise
        finally:
            tally.steps += before - METER.steps_left
        tally.bytes += value_bytes(value)
        return value
