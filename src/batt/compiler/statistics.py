"""Count what solvers of a deck share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from batt.ir.graph import Graph, Level, Node, NodeKind

if TYPE_CHECKING:
    from batt.analysis.measure import Costs


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counts over the slices of a graph: of nodes that are run, without leaves and charges."""

    solvers: int
    left_out: Mapping[str, str]
    source_steps: int
    steps: int
    shared_steps: int
    levels: Mapping[str, int]
    bodies: int
    body_steps: int
    patterns: Mapping[str, int]
    ops: Mapping[str, int]
    measured_steps: Mapping[str, float]

    def as_json(self) -> dict[str, Any]:
        """Return the counts as plain data."""
        values = {name: getattr(self, name) for name in self.__slots__}
        return {name: dict(value) if isinstance(value, Mapping) else value for name, value in values.items()}


def statistics(graph: Graph, left_out: Mapping[str, str], source_steps: int, costs: Costs | None = None) -> Statistics:
    """Count what a graph holds. With measured `costs`, also compute the share of all steps that each op takes."""
    run = [entry for each in graph.slices for entry in each.entries if _works(graph.nodes[entry])]
    distinct = set(run)
    all_levels = graph.levels()
    levels = Counter([all_levels[number] for number in distinct])
    ops = Counter([_word(graph.nodes[number]) for number in run])
    inner = {entry for body in graph.bodies for entry in body.entries if _works(graph.nodes[entry])}
    return Statistics(
        solvers=len(graph.slices),
        left_out=left_out,
        source_steps=source_steps,
        steps=len(run),
        shared_steps=len(distinct),
        levels={level.value: levels[level] for level in (Level.CONSTANT, Level.TASK, Level.SAMPLE)},
        bodies=len(graph.bodies),
        body_steps=len(inner),
        patterns={"steps of the demonstrations alone": levels[Level.TASK], **_patterns(graph, distinct)},
        ops=dict(sorted(ops.items(), key=lambda item: (-item[1], item[0]))),
        measured_steps=_measured(graph, costs) if costs else {},
    )


def _measured(graph: Graph, costs: Costs) -> dict[str, float]:
    """Return the share of all steps that each op takes, the largest first. A loop's includes those of its body."""
    steps: Counter[str] = Counter()
    for number in {entry for each in graph.slices for entry in each.entries}:
        steps[_word(graph.nodes[number])] += costs[number]
    total = max(1, sum(steps.values()))
    return {word: round(count / total, 4) for word, count in steps.most_common()}


def fan_out(graph: Graph) -> Counter[int]:
    """Count the slices of every node that is run."""
    return Counter([entry for each in graph.slices for entry in set(each.entries) if _works(graph.nodes[entry])])


def _works(node: Node) -> bool:
    return node.kind not in (NodeKind.CHARGE, NodeKind.LIMIT)


def _word(node: Node) -> str:
    return node.op.name if node.op else node.kind.value


def _patterns(graph: Graph, numbers: set[int]) -> dict[str, int]:
    """Count work that a batch does at once: for all forms of objects of a grid, and for all items of a loop."""
    nodes = [graph.nodes[number] for number in numbers]
    forms = Counter([node.args[0] for node in nodes if node.op and node.op.name == "objects"])
    several = [count for count in forms.values() if count > 1]
    return {
        "grids with several forms of objects": len(several),
        "forms of objects of those grids": sum(several),
        "loops": sum([node.kind is NodeKind.LOOP for node in nodes]),
    }
