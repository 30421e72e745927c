"""Choose the nodes to stage before the slices that read them run, and how long their values are kept.

Constants are staged once, what depends on the demonstrations alone once per task, what many slices read once per
sample, and what depends on parameters once per sample and assignment. Staging saves work and changes no outcome: a
slice is charged a node's steps, and meets its error, when it reaches the node.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from batt.ir.graph import LEAVES, Graph, Level, Node, NodeKind
from batt.ops.meter import unit
from batt.types import Kind

CAP_BYTES = 1 << 20
"""The most bytes of one sample's stage, by estimate. The machine has its own limit."""

WORTH_STEPS = 8
"""Steps below which running a node again is as cheap as reading its value."""

SAMPLES_SERVED = {Level.CONSTANT: 100.0, Level.TASK: 4.0, Level.SAMPLE: 1.0, Level.ASSIGNMENT: 1.0}
"""The estimated number of samples that a value is kept for; a task has four."""

MIN_READS = 2.0
"""Values that are read less often are not staged."""

WORK_PER_STEP = {"objects": 8.0, "fgpartition": 2.0, "partition": 2.0, "occurrences": 4.0}
"""Ops with more work than their steps say, which count sizes; all others count 1."""

VALUED = frozenset(
    {
        *(NodeKind.CALL, NodeKind.TUPLE, NodeKind.LOOP, NodeKind.REPEAT),
        *(NodeKind.SELECT, NodeKind.INVOKE, NodeKind.COUNT),
    }
)
"""Nodes that make a value. The others only act on the budget or end the slice."""

_SCALARS = frozenset({Kind.BOOL, Kind.INT, Kind.PAIR, Kind.NUM, Kind.CELL})

# Means over the built-in deck and re-arc's verifiers, rounded.
_CALL_STEPS, _BODY_STEPS, _SCALAR_BYTES, _CONTAINER_BYTES = 200.0, 2_000.0, 16.0, 1_200.0


class Planned(NamedTuple):
    """A node to stage: its level, its name for people, and the estimates that it was chosen by."""

    node: int
    level: Level
    label: str
    readers: float
    work: float
    bytes: float

    @property
    def reads(self) -> float:
        """The number of reads of one value, by all slices on all samples that it is kept for."""
        return self.readers * SAMPLES_SERVED[self.level]

    @property
    def score(self) -> float:
        """Work shared per byte held."""
        return self.reads * self.work / self.bytes

    def __str__(self) -> str:
        estimates = f"{self.readers:.1f} readers, {self.work:.0f} steps of work, {self.bytes:.0f} bytes"
        return f"{self.level.value:8} t{self.node} {self.label}: {estimates}"


@dataclass(frozen=True, slots=True)
class StagePlan:
    """The nodes to stage: constants, then the task's, the sample's and the assignment's; operands first."""

    entries: tuple[Planned, ...] = ()

    @property
    def nodes(self) -> tuple[int, ...]:
        """The numbers of all nodes, in an order in which they can be run."""
        return tuple([entry.node for entry in self.entries])

    def describe(self) -> str:
        """Return one line for each node."""
        return "\n".join(map(str, self.entries))


def plan(graph: Graph, cap_bytes: float = CAP_BYTES) -> StagePlan:
    """Choose greedily by reads × work ÷ bytes, each node with its operands, as long as the stage holds them."""
    candidates = _candidates(graph)
    worthy = [each for each in candidates.values() if each.work >= WORTH_STEPS and each.reads >= MIN_READS]
    chosen: dict[int, Planned] = {}
    room = cap_bytes
    for each in sorted(worthy, key=lambda each: (-each.score, each.node)):
        group = {number: candidates[number] for number in _needed(graph, each.node, chosen)}
        size = sum([member.bytes for member in group.values()])
        if size <= room:
            chosen |= group
            room -= size
    ranks = list(SAMPLES_SERVED)
    # Operands have smaller numbers, and never depend on more.
    return StagePlan(tuple(sorted(chosen.values(), key=lambda each: (ranks.index(each.level), each.node))))


def _candidates(graph: Graph) -> dict[int, Planned]:
    """Return the nodes of slices that have a value, with their estimates."""
    fan_out = Counter([number for each in graph.slices for number in set(each.entries)])
    levels = graph.levels()
    found: dict[int, Planned] = {}
    for number in sorted(fan_out):
        node = graph.nodes[number]
        if node.kind not in VALUED:
            continue
        label = node.op.name if node.op else node.kind.value
        work = _usual_steps(node) * WORK_PER_STEP.get(label, 1.0)
        found[number] = Planned(number, levels[number], label, float(fan_out[number]), work, _usual_bytes(node))
    return found


def _needed(graph: Graph, number: int, chosen: dict[int, Planned]) -> Iterator[int]:
    """Yield the node, and those of its operands and theirs that are not chosen yet."""
    waiting, seen = [number], {number}
    while waiting:
        current = waiting.pop()
        yield current
        for arg in graph.nodes[current].args:
            if arg not in seen and arg not in chosen and graph.nodes[arg].kind not in LEAVES:
                seen.add(arg)
                waiting.append(arg)


def _usual_steps(node: Node) -> float:
    if node.bodies:
        return _BODY_STEPS
    return 1.0 if node.op is None or node.op.cost is unit else _CALL_STEPS


def _usual_bytes(node: Node) -> float:
    scalar = node.kind is NodeKind.COUNT or (node.op is not None and node.op.signatures[0].result in _SCALARS)
    return _SCALAR_BYTES if scalar else _CONTAINER_BYTES
