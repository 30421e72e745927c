"""What sharing makes of a deck, in numbers. Owns the counting; says nothing of how it is shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from batt.analysis.measure import Costs
from batt.ir.graph import Graph, Level, Node, NodeKind


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counts over the slices of a graph: nodes that are run, not the leaves and charges beside them."""

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
        """The same as plain data."""
        return {name: _plain(getattr(self, name)) for name in self.__slots__}


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else value


def statistics(graph: Graph, left_out: Mapping[str, str], source_steps: int, costs: Costs | None = None) -> Statistics:
    """Count what a graph holds; with measured costs also what share of the steps each op takes."""
    run = [entry for each in graph.slices for entry in each.entries if _works(graph.nodes[entry])]
    distinct = set(run)
    levels = graph.levels()
    by_level = Counter(levels[number] for number in distinct)
    ops = Counter(_word(graph.nodes[number]) for number in run)
    inner = {entry for body in graph.bodies for entry in body.entries if _works(graph.nodes[entry])}
    return Statistics(
        solvers=len(graph.slices),
        left_out=left_out,
        source_steps=source_steps,
        steps=len(run),
        shared_steps=len(distinct),
        levels={level.value: by_level[level] for level in (Level.CONSTANT, Level.TASK, Level.SAMPLE)},
        bodies=len(graph.bodies),
        body_steps=len(inner),
        patterns=_patterns(graph, distinct),
        ops=dict(sorted(ops.items(), key=lambda item: (-item[1], item[0]))),
        measured_steps=_measured(graph, costs) if costs else {},
    )


def _measured(graph: Graph, costs: Costs) -> dict[str, float]:
    """The share of all steps that each op takes, the largest first; a loop's includes those of its body."""
    steps: Counter[str] = Counter()
    outer = {entry for each in graph.slices for entry in each.entries}
    for number in outer:
        cost = costs.nodes[number]
        steps[_word(graph.nodes[number])] += round(cost.runs * cost.steps)
    total = max(1, sum(steps.values()))
    return {word: round(count / total, 4) for word, count in steps.most_common()}


def fan_out(graph: Graph) -> Counter[int]:
    """For every node that is run, in how many slices."""
    return Counter(entry for each in graph.slices for entry in set(each.entries) if _works(graph.nodes[entry]))


def _works(node: Node) -> bool:
    return node.kind not in (NodeKind.CHARGE, NodeKind.LIMIT)


def _word(node: Node) -> str:
    return node.op.name if node.op else node.kind.value


def _patterns(graph: Graph, numbers: set[int]) -> dict[str, int]:
    """Work that a batch does at once: for all tasks, for all forms of objects of a grid, for all items of a loop."""
    levels = graph.levels()
    forms: Counter[int] = Counter()
    loops = 0
    for number in numbers:
        node = graph.nodes[number]
        if node.op and node.op.name == "objects":
            forms[node.args[0]] += 1
        loops += node.kind is NodeKind.LOOP
    return {
        "steps of the demonstrations alone": sum(levels[number] is Level.TASK for number in numbers),
        "grids with several forms of objects": sum(count > 1 for count in forms.values()),
        "forms of objects of those grids": sum(count for count in forms.values() if count > 1),
        "loops": loops,
    }
