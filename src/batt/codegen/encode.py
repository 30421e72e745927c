"""A graph with its schedule as routines of an image. Owns what each node becomes; where values live, `schedule` says.

Every body and slice becomes a routine, every entry of the stage a routine of its one instruction. What a native machine
cannot hold is found first, node by node: only slices that do not come to it are encoded, with what they need.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from batt.bytecode.forms import Immediate
from batt.bytecode.image import (
    MAX_COUNTERS,
    MAX_SLOTS,
    NOTHING,
    Assembler,
    Builder,
    check_length,
    operand,
    steps_words,
)
from batt.bytecode.image import Space as Operands
from batt.bytecode.opcodes import OP_NUMBERS
from batt.bytecode.opcodes import Code as Opcode
from batt.bytecode.wire import Unencodable, op_number
from batt.codegen.schedule import Action, Code, Instruction, Ref, Schedule, Space
from batt.errors import InternalError
from batt.ir.graph import BY_TRUTH, Body, Graph, Level, Node, NodeKind, Slice, reached
from batt.ir.interpreter import RAISED

LEVEL_NUMBERS = {Level.CONSTANT: 0, Level.TASK: 1, Level.SAMPLE: 2}
ERROR_NUMBERS = {name: number for number, name in enumerate(RAISED, 1)}

_SPACES = {
    Space.SLOT: Operands.SLOT,
    Space.CONSTANT: Operands.CONSTANT,
    Space.INPUT: Operands.INPUT,
    Space.ARGUMENT: Operands.ARGUMENT,
    Space.STAGE: Operands.STAGE,
}

_OPCODES = {kind: Opcode[kind.name] for kind in {*NodeKind} - {NodeKind.CALL} if kind.name in Opcode.__members__}
"""The instruction of a kind of node is the one of its name; a CALL node becomes the number of its op."""


@dataclass(frozen=True, slots=True)
class Routines:
    """The routine of every slice by name, and the reason for each slice that has none."""

    numbers: Mapping[str, int]
    refused: Mapping[str, str]


def encode(builder: Builder, graph: Graph, made: Schedule) -> Routines:
    """Add the stage, the bodies and the code of all slices that can be encoded. The builder has no stage yet."""
    faults = _Faults(builder, graph, made)
    refused = {each.name: fault for each, fault in zip(graph.slices, faults.slices, strict=True) if fault}
    needed: Iterable[int] = range(len(graph.nodes))
    if refused:
        needed = reached(graph, [each for each in graph.slices if each.name not in refused])
    encoder = _Encoder(builder, graph, made, faults.wires, needed)
    try:
        with builder.attempt():
            encoder.bodies()
            encoder.stage()
            numbers = {
                each.name: encoder.routine(code)
                for each, code in zip(graph.slices, made.slices, strict=True)
                if each.name not in refused
            }
    except Unencodable as reason:
        # No slice by itself is at fault: all of them are more than an image holds.
        return Routines({}, {each.name: str(reason) for each in graph.slices})
    return Routines(numbers, refused)


class _Faults:
    """Why slices cannot be encoded: the first fault among the nodes they come to, those of bodies included."""

    def __init__(self, builder: Builder, graph: Graph, made: Schedule) -> None:
        self.graph = graph
        self.made = made
        self.wires: dict[int, bytes] = {}
        self.nodes: dict[int, str] = {}
        self.bodies: dict[int, str] = {}
        for number, node in enumerate(graph.nodes):
            # Operands and the nodes of bodies come first.
            fault = self._first(node.args) or self._own(builder, number, node)
            fault = fault or (self._of_bodies(node) if node.bodies else "")
            if fault:
                self.nodes[number] = fault
        self.slices = [self._of(each, code) for each, code in zip(graph.slices, made.slices, strict=True)]

    def _own(self, builder: Builder, number: int, node: Node) -> str:
        try:
            if node.kind is NodeKind.CONST:
                self.wires[number] = builder.wire(node.value)
            elif node.kind in (NodeKind.CHARGE, NodeKind.LIMIT):
                steps_words(node.value)
            elif node.kind is NodeKind.CALL and node.op:
                op_number(node.op, builder.table)
            # A body gets no more arguments than there are operands, and may have as many.
            check_length(len(node.args), len(node.bodies))
        except Unencodable as fault:
            return str(fault)
        return ""

    def _of_bodies(self, node: Node) -> str:
        for body in node.bodies:
            if body not in self.bodies:
                self.bodies[body] = self._of(self.graph.bodies[body], self.made.bodies[body])
        return next((self.bodies[body] for body in node.bodies if self.bodies[body]), "")

    def _of(self, sequence: Body | Slice, code: Code) -> str:
        for what, count, most in (("slots", code.slots, MAX_SLOTS), ("counters", code.counters, MAX_COUNTERS)):
            if count > most:
                return f"a routine of {count:,} {what}"
        return self._first((*sequence.entries, sequence.result))

    def _first(self, numbers: Sequence[int]) -> str:
        return next((self.nodes[number] for number in numbers if number in self.nodes), "") if self.nodes else ""


class _Encoder:
    """Schedules to routines; a body has a routine for each number of arguments that it is given."""

    def __init__(
        self, builder: Builder, graph: Graph, made: Schedule, wires: Mapping[int, bytes], needed: Iterable[int]
    ) -> None:
        self.builder = builder
        self.graph = graph
        self.made = made
        self.needed = set(needed)
        self.wires = wires
        kept = [at for at, each in enumerate(made.stage) if each.instruction.node in self.needed]
        self.stage_numbers = {at: number for number, at in enumerate(kept)}
        self.routines: dict[tuple[int, int], int] = {}
        self.words: dict[Ref, int] = {}

    def bodies(self) -> None:
        """The routines of all bodies, those first that others run: a body's nodes come before what runs it."""
        given = {(body, _passed(node)) for node in self._needed_nodes() for body in node.bodies}
        bodies = self.graph.bodies
        latest = {body: max((*bodies[body].entries, bodies[body].result)) for body, _ in given}
        for body, params in sorted(given, key=lambda each: (latest[each[0]], each)):
            self.routines[body, params] = self.routine(self.made.bodies[body], params)

    def stage(self) -> None:
        """The entries of the stage that are needed, in their order."""
        for at in self.stage_numbers:
            entry = self.made.stage[at]
            assembled = Assembler()
            value = self._run(assembled, entry.instruction, 0)
            assembled.emit(Opcode.RETURN, [value])
            routine = self.builder.routine(assembled, slots=int(value == 0))
            self.builder.stage(LEVEL_NUMBERS[entry.level], routine)

    def routine(self, code: Code, params: int = 0) -> int:
        """The routine of a slice or a body."""
        assembled = Assembler()
        for each in code.instructions:
            if each.action is Action.RECHARGE:
                self._recharge(assembled, each.counter)
                continue
            destination = each.destination.number if each.destination else NOTHING
            counter = each.counter.number if each.counter else NOTHING
            self._run(assembled, each, destination, counter)
            if self.graph.nodes[each.node].kind is NodeKind.RAISE:
                # Nothing after it is run, and what would read its value has none to read.
                assembled.emit(Opcode.RETURN, [self._nothing()])
                break
        else:
            assembled.emit(Opcode.RETURN, [self._word(code.result)])
        return self.builder.routine(assembled, params, code.slots, code.counters)

    def _run(self, assembled: Assembler, each: Instruction, destination: int, counter: int = NOTHING) -> int:
        """Append a node's own instruction; the operand that its value is read by."""
        node = self.graph.nodes[each.node]
        words = self.words
        operands = [words[ref] if ref in words else self._word(ref) for ref in each.operands]
        if node.kind is NodeKind.CHARGE and counter != NOTHING:
            assembled.emit(Opcode.INVOKE, operands, [self._charging(node)], counter=counter)
            return self._nothing()
        opcode, immediates = self._opcode(node)
        if isinstance(opcode, Opcode) and not opcode.form.has_result:
            assembled.emit(opcode, operands, immediates)
            return self._nothing()
        assembled.emit(opcode, operands, immediates, destination, counter)
        return destination

    def _opcode(self, node: Node) -> tuple[int, Sequence[int]]:
        """The opcode and the immediates of a node."""
        if node.kind is NodeKind.CALL and node.op:
            return op_number(node.op, self.builder.table), ()
        if node.kind is NodeKind.SELECT:
            opcode = Opcode.SELECT_TRUTH if node.value == BY_TRUTH else Opcode.SELECT_NUMBER
        elif node.kind in _OPCODES:
            opcode = _OPCODES[node.kind]
        else:
            raise InternalError(f"a {node.kind.value} node has no instruction")
        bodies = [self.routines[body, _passed(node)] for body in node.bodies]
        match opcode.form.first:
            case Immediate.OP if node.op:
                return opcode, (OP_NUMBERS[node.op.name], *bodies)
            case Immediate.LOW:
                return opcode, steps_words(node.value)
            case Immediate.ERROR:
                return opcode, [ERROR_NUMBERS[node.value]]
        return opcode, bodies

    def _charging(self, node: Node) -> int:
        """A routine that charges and gives nothing: CHARGE has no counter, but INVOKE, which costs nothing, has."""
        assembled = Assembler()
        operands = [operand(Operands.ARGUMENT, index) for index in range(len(node.args))]
        assembled.emit(Opcode.CHARGE, operands, steps_words(node.value))
        assembled.emit(Opcode.RETURN, [self._nothing()])
        return self.builder.routine(assembled, len(node.args))

    def _recharge(self, assembled: Assembler, source: Ref | None) -> None:
        if source is None:
            raise InternalError("nothing to charge again")
        if source.space is Space.STAGE:
            assembled.emit(Opcode.RECHARGE_STAGE, immediates=[self.stage_numbers[source.number]])
        else:
            assembled.emit(Opcode.RECHARGE, counter=source.number)

    def _word(self, ref: Ref) -> int:
        """An operand as a word, its constant or stage entry by its number in the image."""
        index = ref.number
        if ref.space is Space.CONSTANT:
            index = self.builder.wired_constant(self.wires[self.made.constants[index]])
        elif ref.space is Space.STAGE:
            index = self.stage_numbers[index]
        word = self.words[ref] = operand(_SPACES[ref.space], index)
        return word

    def _nothing(self) -> int:
        return operand(Operands.CONSTANT, self.builder.constant(None))

    def _needed_nodes(self) -> Iterable[Node]:
        return [self.graph.nodes[number] for number in sorted(self.needed)]


def _passed(node: Node) -> int:
    """How many arguments a node gives to its bodies; a loop hands over an item for each of its containers."""
    return len(node.args) - (node.kind in (NodeKind.REPEAT, NodeKind.SELECT))
