"""Where every value of a sequence lives and when. Owns instructions and their slots; knows no device and no encoding.

A sequence becomes a list of instructions over a file of slots: `R2 := objects(I, #1, #0, #0)`. An instruction reads its
operands before it writes, so its result may take the slot of an operand that nothing reads later. What is worked out
ahead is read from the stage, T0 …; steps that are charged again later are kept in counters, N0 ….
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import NamedTuple

from batt.codegen.plan import VALUED, StagePlan
from batt.ir.graph import INPUTS, Graph, Level, Node, NodeKind
from batt.types import IdentityEnum


class Space(IdentityEnum):
    """What a reference points into."""

    SLOT = "R"
    CONSTANT = "#"
    INPUT = "I"
    ARGUMENT = "A"
    STAGE = "T"
    COUNTER = "N"


class Ref(NamedTuple):
    """A place by number: a slot, a constant of the schedule, an input, an argument, a stage entry or a counter."""

    space: Space
    number: int


class Action(IdentityEnum):
    """Whether an instruction does a node's work or only charges for it."""

    RUN = "run"
    RECHARGE = "recharge"


class Instruction(NamedTuple):
    """One entry of a sequence.

    RUN reads the operands, does the node's work, and keeps the value in `destination` and the steps in `counter`, each
    only where it is read later. RECHARGE takes the steps that `counter` holds from the budget; where that is a stage
    entry it also raises the error that the entry may hold.
    """

    node: int
    action: Action = Action.RUN
    destination: Ref | None = None
    operands: tuple[Ref, ...] = ()
    counter: Ref | None = None


@dataclass(frozen=True, slots=True)
class Code:
    """The instructions of a slice or a body, where its result is, and the size of its files."""

    name: str
    instructions: tuple[Instruction, ...]
    result: Ref
    slots: int
    counters: int


@dataclass(frozen=True, slots=True)
class StageEntry:
    """How an entry of the stage is filled, and when; where an operand failed, it fails alike, for no steps."""

    level: Level
    instruction: Instruction


@dataclass(frozen=True, slots=True)
class Schedule:
    """The code of all slices and bodies, by their numbers in the graph.

    `constants` are the CONST nodes that references name by position; `stage` fills the stage, one entry by the other.
    """

    constants: tuple[int, ...]
    stage: tuple[StageEntry, ...]
    slices: tuple[Code, ...]
    bodies: tuple[Code, ...]


def schedule(graph: Graph, plan: StagePlan) -> Schedule:
    """Lay out every slice and body in as few slots as values live at once."""
    constants = [number for number, node in enumerate(graph.nodes) if node.kind is NodeKind.CONST]
    fixed = {number: Ref(Space.CONSTANT, at) for at, number in enumerate(constants)}
    for number, node in enumerate(graph.nodes):
        if node.kind is NodeKind.INPUT:
            fixed[number] = Ref(Space.INPUT, INPUTS.index(node.value))
        elif node.kind is NodeKind.ARG:
            fixed[number] = Ref(Space.ARGUMENT, node.value)
    fixed |= {number: Ref(Space.STAGE, at) for at, number in enumerate(plan.nodes)}
    stage = [StageEntry(each.level, _ahead(graph.nodes, fixed, each.node)) for each in plan.entries]
    slices = [_code(graph.nodes, fixed, each.name, each.entries, each.result) for each in graph.slices]
    bodies = [_code(graph.nodes, fixed, f"b{n}", each.entries, each.result) for n, each in enumerate(graph.bodies)]
    return Schedule(tuple(constants), tuple(stage), tuple(slices), tuple(bodies))


@dataclass(slots=True)
class _File:
    """A file of registers in use: the lowest free one is given out first."""

    space: Space
    size: int = 0
    free: list[int] = field(default_factory=list)
    held: dict[int, Ref] = field(default_factory=dict)

    def take(self, number: int) -> Ref:
        """A register for a node."""
        if not self.free:
            heappush(self.free, self.size)
            self.size += 1
        ref = self.held[number] = Ref(self.space, heappop(self.free))
        return ref

    def release(self, number: int) -> None:
        """The node's register is free from now on."""
        heappush(self.free, self.held.pop(number).number)


def _ahead(nodes: Sequence[Node], fixed: Mapping[int, Ref], number: int) -> Instruction:
    """Return the code that stages a node: its operands are there, since a plan is closed."""
    return Instruction(number, Action.RUN, fixed[number], tuple([fixed[arg] for arg in nodes[number].args]))


def _code(nodes: Sequence[Node], fixed: Mapping[int, Ref], name: str, entries: Sequence[int], result: int) -> Code:
    """One sequence, by linear scan: entries in order, a register freed at its last reader."""
    last_reads = _last_reads(nodes, fixed, entries, result)
    occurrences = Counter(entries)
    slots, counters = _File(Space.SLOT), _File(Space.COUNTER)
    made: list[Instruction] = []
    run, held = set[int](), slots.held
    for position, number in enumerate(entries):
        occurrences[number] -= 1
        if number in fixed:
            made.append(Instruction(number, Action.RECHARGE, counter=fixed[number]))
        elif number in run and not _costs_the_same(nodes[number]):
            made.append(Instruction(number, Action.RECHARGE, counter=counters.held[number]))
            if not occurrences[number]:
                counters.release(number)
        else:
            run.add(number)
            args = nodes[number].args
            operands = tuple([fixed.get(arg) or held[arg] for arg in args])
            for arg in dict.fromkeys(args):
                # Slots are reused only after the last reader.
                if last_reads.get(arg) == position:
                    slots.release(arg)
            destination = slots.take(number) if number in last_reads else None
            again = occurrences[number] and not _costs_the_same(nodes[number])
            counter = counters.take(number) if again else None
            made.append(Instruction(number, Action.RUN, destination, operands, counter))
    return Code(name, tuple(made), fixed.get(result) or slots.held[result], slots.size, counters.size)


def _last_reads(nodes: Sequence[Node], fixed: Mapping[int, Ref], entries: Sequence[int], result: int) -> dict[int, int]:
    """Where each value that needs a slot is read last; the result is read after all entries."""
    found: dict[int, int] = {}
    run: set[int] = set()
    for position, number in enumerate(entries):
        if number not in fixed and number not in run:
            run.add(number)
            for arg in nodes[number].args:
                if arg not in fixed:
                    found[arg] = position
    if result not in fixed:
        found[result] = len(entries)
    return found


def _costs_the_same(node: Node) -> bool:
    """Whether a node takes the same steps whenever it is run, and does nothing else: then it is run again."""
    return node.kind not in VALUED and not node.args
