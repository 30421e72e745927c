"""Choose registers for the values of a sequence: slots for values that are read, counters for steps charged again.

An instruction reads its operands before it writes, so its result may take the slot of an operand that nothing reads
later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import NamedTuple

from batt.bytecode.image import NOTHING
from batt.codegen.plan import VALUED
from batt.ir.graph import Body, Node, Slice


class Allocated(NamedTuple):
    """One entry of a sequence with its registers.

    `slots` are the slots of its operands, None for an operand that needs none. An entry that is not run charges again
    the steps that `counter` holds, or those of a staged value.
    """

    node: int
    is_run: bool
    slots: tuple[int | None, ...] = ()
    destination: int = NOTHING
    counter: int = NOTHING


@dataclass(frozen=True, slots=True)
class Allocation:
    """The entries of a slice or a body with their registers, its result and the slot of that, and the sizes needed."""

    entries: tuple[Allocated, ...]
    result: int
    result_slot: int | None
    slots: int
    counters: int


class _Registers:
    """The registers of one sequence. The lowest free one is taken first."""

    def __init__(self) -> None:
        self.size = 0
        self.free: list[int] = []
        self.held: dict[int, int] = {}

    def take(self, node: int) -> int:
        """Return a register for a node."""
        if not self.free:
            heappush(self.free, self.size)
            self.size += 1
        register = self.held[node] = heappop(self.free)
        return register

    def release(self, node: int) -> None:
        """Free the register of a node."""
        heappush(self.free, self.held.pop(node))


def allocate(nodes: Sequence[Node], elsewhere: Container[int], sequence: Body | Slice) -> Allocation:
    """Allocate registers by linear scan: entries in order, a slot free again after its last reader.

    The nodes `elsewhere` (constants, inputs, arguments, staged values) need no slot.
    """
    last_reads = _last_reads(nodes, elsewhere, sequence)
    to_come = Counter(sequence.entries)
    slots, counters = _Registers(), _Registers()
    made: list[Allocated] = []
    run: set[int] = set()
    for position, number in enumerate(sequence.entries):
        to_come[number] -= 1
        if number in elsewhere:
            made.append(Allocated(number, is_run=False))
        elif number in run and not _costs_the_same(nodes[number]):
            made.append(Allocated(number, is_run=False, counter=counters.held[number]))
            if not to_come[number]:
                counters.release(number)
        else:
            run.add(number)
            args = nodes[number].args
            operands = tuple([slots.held.get(arg) for arg in args])
            for arg in dict.fromkeys(args):
                if last_reads.get(arg) == position:
                    slots.release(arg)
            destination = slots.take(number) if number in last_reads else NOTHING
            is_charged_again = to_come[number] and not _costs_the_same(nodes[number])
            counter = counters.take(number) if is_charged_again else NOTHING
            made.append(Allocated(number, True, operands, destination, counter))
    result = sequence.result
    return Allocation(tuple(made), result, slots.held.get(result), slots.size, counters.size)


def _last_reads(nodes: Sequence[Node], elsewhere: Container[int], sequence: Body | Slice) -> dict[int, int]:
    """Return the position of the last reader of each value that needs a slot; all entries come before the result."""
    found: dict[int, int] = {}
    run: set[int] = set()
    for position, number in enumerate(sequence.entries):
        if number not in elsewhere and number not in run:
            run.add(number)
            found.update([(arg, position) for arg in nodes[number].args if arg not in elsewhere])
    if sequence.result not in elsewhere:
        found[sequence.result] = len(sequence.entries)
    return found


def _costs_the_same(node: Node) -> bool:
    """Tell whether a node only takes a fixed number of steps. Such a node is run again instead of charged again."""
    return node.kind not in VALUED and not node.args
