"""Encode a graph as routines of an image.

Every body and slice becomes a routine, every staged value a routine of one instruction. What native code cannot hold is
found first, node by node: only the slices that do not reach it are encoded, with what they need.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from batt.bytecode.forms import Immediate
from batt.bytecode.image import (
    MAX_COUNTERS,
    MAX_SLOTS,
    NOTHING,
    Assembler,
    ImageBuilder,
    Space,
    check_length,
    input_operand,
    operand,
    steps_words,
)
from batt.bytecode.opcodes import OP_NUMBERS, Code
from batt.bytecode.wire import Unencodable, op_number
from batt.codegen.plan import StagePlan
from batt.codegen.registers import Allocation, allocate
from batt.errors import InternalError
from batt.ir.graph import BY_TRUTH, LEAVES, Body, Graph, Level, Node, NodeKind, Slice, reached
from batt.ir.interpreter import RAISED

LEVEL_NUMBERS = {Level.CONSTANT: 0, Level.TASK: 1, Level.SAMPLE: 2, Level.ASSIGNMENT: 3}
ERROR_NUMBERS = {name: number for number, name in enumerate(RAISED, 1)}

_CODES = {kind: Code[kind.name] for kind in {*NodeKind} - {NodeKind.CALL} if kind.name in Code.__members__}
"""The instruction of a kind of node is the one of its name; a CALL node becomes the number of its op."""


@dataclass(frozen=True, slots=True)
class Routines:
    """The routine of every slice by name, and the reason for each slice that has none."""

    numbers: Mapping[str, int]
    refused: Mapping[str, str]


def encode(builder: ImageBuilder, graph: Graph, staged: StagePlan) -> Routines:
    """Add the staged values, the bodies and all slices that can be encoded to `builder`, which has no stage yet."""
    elsewhere = {number for number, node in enumerate(graph.nodes) if node.kind in LEAVES}.union(staged.nodes)
    slices = [allocate(graph.nodes, elsewhere, each) for each in graph.slices]
    bodies = [allocate(graph.nodes, elsewhere, each) for each in graph.bodies]
    faults = _Faults(builder, graph, bodies)
    found = [(each.name, faults.of(each, code)) for each, code in zip(graph.slices, slices, strict=True)]
    refused = {name: fault for name, fault in found if fault}
    needed = set(range(len(graph.nodes)))
    if refused:
        needed = reached(graph, [each for each in graph.slices if each.name not in refused])
    encoder = _Encoder(builder, graph, staged, faults.wires, needed)
    try:
        with builder.attempt():
            encoder.add_bodies(bodies)
            encoder.add_stage()
            numbers = {
                each.name: encoder.routine(code)
                for each, code in zip(graph.slices, slices, strict=True)
                if each.name not in refused
            }
    except Unencodable as reason:
        # No slice by itself is at fault: all of them are more than an image holds.
        return Routines({}, {each.name: str(reason) for each in graph.slices})
    return Routines(numbers, refused)


class _Faults:
    """The reasons why slices cannot be encoded: the first fault among the nodes they reach, also inside bodies."""

    def __init__(self, builder: ImageBuilder, graph: Graph, bodies: Sequence[Allocation]) -> None:
        self.graph = graph
        self.bodies = bodies
        self.wires: dict[int, bytes] = {}
        self.nodes: dict[int, str] = {}
        self.known: dict[int, str] = {}
        for number, node in enumerate(graph.nodes):
            # Operands and the nodes of bodies come first.
            fault = self._first(node.args) or self._own(builder, number, node)
            fault = fault or (self._of_bodies(node) if node.bodies else "")
            if fault:
                self.nodes[number] = fault

    def of(self, sequence: Body | Slice, code: Allocation) -> str:
        """Return the first fault of a sequence, or an empty text."""
        for what, count, most in (("slots", code.slots, MAX_SLOTS), ("counters", code.counters, MAX_COUNTERS)):
            if count > most:
                return f"a routine of {count:,} {what}"
        return self._first((*sequence.entries, sequence.result))

    def _own(self, builder: ImageBuilder, number: int, node: Node) -> str:
        try:
            if node.kind is NodeKind.CONST:
                self.wires[number] = builder.wire(node.value)
            elif node.kind in (NodeKind.CHARGE, NodeKind.LIMIT):
                steps_words(node.value)
            elif node.kind is NodeKind.INPUT:
                input_operand(node.value)
            elif node.kind is NodeKind.CALL and node.op:
                op_number(node.op, builder.table)
            # A body gets no more arguments than there are operands, and may have as many.
            check_length(len(node.args), len(node.bodies))
        except Unencodable as fault:
            return str(fault)
        return ""

    def _of_bodies(self, node: Node) -> str:
        for body in node.bodies:
            if body not in self.known:
                self.known[body] = self.of(self.graph.bodies[body], self.bodies[body])
        return next((self.known[body] for body in node.bodies if self.known[body]), "")

    def _first(self, numbers: Sequence[int]) -> str:
        return next((self.nodes[number] for number in numbers if number in self.nodes), "") if self.nodes else ""


class _Encoder:
    """Turns sequences into routines. A body has a routine for each number of arguments that it is given."""

    def __init__(
        self, builder: ImageBuilder, graph: Graph, staged: StagePlan, wires: Mapping[int, bytes], needed: set[int]
    ) -> None:
        self.builder = builder
        self.graph = graph
        self.needed = needed
        self.wires = wires
        self.stage = [entry for entry in staged.entries if entry.node in needed]
        self.stage_numbers = {entry.node: number for number, entry in enumerate(self.stage)}
        self.routines: dict[tuple[int, int], int] = {}
        self.words: dict[int, int] = {}

    def add_bodies(self, allocations: Sequence[Allocation]) -> None:
        """Add the routines of all bodies. A body's nodes come before what runs it, so its routine does, too."""
        nodes = [self.graph.nodes[number] for number in sorted(self.needed)]
        given = {(body, _passed(node)) for node in nodes for body in node.bodies}
        bodies = self.graph.bodies
        latest = {body: max((*bodies[body].entries, bodies[body].result)) for body, _ in given}
        for body, params in sorted(given, key=lambda each: (latest[each[0]], each)):
            self.routines[body, params] = self.routine(allocations[body], params)

    def add_stage(self) -> None:
        """Add the staged values that are needed, in their order."""
        for entry in self.stage:
            assembled = Assembler()
            operands = [self._word(arg) for arg in self.graph.nodes[entry.node].args]
            value = self._run(assembled, entry.node, operands, 0, NOTHING)
            assembled.emit(Code.RETURN, [value])
            routine = self.builder.routine(assembled, slots=int(value == 0))
            self.builder.stage(LEVEL_NUMBERS[entry.level], routine)

    def routine(self, code: Allocation, params: int = 0) -> int:
        """Add the routine of a slice or a body. Return its number."""
        assembled, words, nodes = Assembler(), self.words, self.graph.nodes
        for number, is_run, slots, destination, counter in code.entries:
            if not is_run:
                if number in self.stage_numbers:
                    assembled.emit(Code.RECHARGE_STAGE, immediates=[self.stage_numbers[number]])
                else:
                    assembled.emit(Code.RECHARGE, counter=counter)
                continue
            operands = [
                slot if slot is not None else words[arg] if arg in words else self._word(arg)
                for slot, arg in zip(slots, nodes[number].args, strict=True)
            ]
            self._run(assembled, number, operands, destination, counter)
            if nodes[number].kind is NodeKind.RAISE:
                # Nothing after it is run, and what would read its value has none to read.
                assembled.emit(Code.RETURN, [self._nothing()])
                break
        else:
            result = self._word(code.result) if code.result_slot is None else code.result_slot
            assembled.emit(Code.RETURN, [result])
        return self.builder.routine(assembled, params, code.slots, code.counters)

    def _run(self, assembled: Assembler, number: int, operands: Sequence[int], destination: int, counter: int) -> int:
        """Append the instruction of a node. Return the operand that its value is read by."""
        node = self.graph.nodes[number]
        if node.kind is NodeKind.CHARGE and counter != NOTHING:
            assembled.emit(Code.INVOKE, operands, [self._charging(node)], counter=counter)
            return self._nothing()
        opcode, immediates = self._opcode(node)
        if isinstance(opcode, Code) and not opcode.form.has_result:
            assembled.emit(opcode, operands, immediates)
            return self._nothing()
        assembled.emit(opcode, operands, immediates, destination, counter)
        return destination

    def _opcode(self, node: Node) -> tuple[int, Sequence[int]]:
        """Return the opcode and the immediates of a node."""
        if node.kind is NodeKind.CALL and node.op:
            return op_number(node.op, self.builder.table), ()
        if node.kind is NodeKind.SELECT:
            opcode = Code.SELECT_TRUTH if node.value == BY_TRUTH else Code.SELECT_NUMBER
        elif node.kind in _CODES:
            opcode = _CODES[node.kind]
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
        """Add a routine that only charges: CHARGE has no counter, but INVOKE, which costs nothing, has one."""
        assembled = Assembler()
        operands = [operand(Space.ARGUMENT, index) for index in range(len(node.args))]
        assembled.emit(Code.CHARGE, operands, steps_words(node.value))
        assembled.emit(Code.RETURN, [self._nothing()])
        return self.builder.routine(assembled, len(node.args))

    def _word(self, number: int) -> int:
        """Return the operand for a node that needs no slot."""
        node = self.graph.nodes[number]
        if number in self.stage_numbers:
            word = operand(Space.STAGE, self.stage_numbers[number])
        elif node.kind is NodeKind.CONST:
            word = operand(Space.CONSTANT, self.builder.wired_constant(self.wires[number]))
        elif node.kind is NodeKind.INPUT:
            word = input_operand(node.value)
        else:
            word = operand(Space.ARGUMENT, node.value)
        self.words[number] = word
        return word

    def _nothing(self) -> int:
        return operand(Space.CONSTANT, self.builder.constant(None))


def _passed(node: Node) -> int:
    """Return how many arguments a node passes to its bodies. A loop passes an item of each of its containers."""
    return len(node.args) - (node.kind in (NodeKind.REPEAT, NodeKind.SELECT))
