"""Encode a program step by step, with its function values. Knows no graph.

This is how solvers that the compiler left out run, and helpers, which function values may name. A step whose callee is
an op with the right number of arguments becomes that op's instruction; any other call becomes CALL.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from batt.bytecode.image import NOTHING, Assembler, Encoded, ImageBuilder, Space, input_operand, operand
from batt.bytecode.opcodes import Code
from batt.bytecode.table import Table
from batt.bytecode.wire import Unencodable, op_number
from batt.ir import Helper, Literal, Operand, Program, Slot, Step
from batt.ir.graph import inputs_of
from batt.ops import Op
from batt.types import Function, Made, unordered


def encode_solver(builder: ImageBuilder, program: Program) -> int:
    """Add the routine of a solver and return its number; raise Unencodable, and add nothing, if it has none."""
    if program.arity in (0, 2):
        raise Unencodable(f"a solver of {program.arity} parameters")
    with builder.attempt():
        return _routine(builder, program, [input_operand(name) for name in inputs_of(program.arity)])


def encode_helper(builder: ImageBuilder, helper: Helper) -> int:
    """Return the routine of a helper, added if it is new; raise Unencodable if it has none."""
    number = builder.helper(helper)
    if number is None:
        if not helper.name.isascii():
            raise Unencodable(f"a helper called {helper.name}, which is not ASCII")
        params = [operand(Space.ARGUMENT, index) for index in range(helper.arity)]
        number = _routine(builder, helper.program, params, helper)
        builder.add_helper(helper, number)
    return number


def encode_each(
    builder: ImageBuilder,
    programs: Mapping[str, Program],
    routines: Mapping[str, int] | None = None,
    refused: Mapping[str, str] | None = None,
) -> Encoded:
    """Encode programs as an image, slices in their order: each with its routine of `routines`, or else step by step.

    Those in `refused` are left out.
    """
    slice_of: dict[str, int] = {}
    reasons = dict(refused or {})
    for name, program in programs.items():
        if name in reasons:
            continue
        try:
            routine = (routines or {}).get(name)
            slice_of[name] = builder.slice(name, encode_solver(builder, program) if routine is None else routine)
        except Unencodable as reason:
            reasons[name] = str(reason)
    return Encoded(builder.image(), slice_of, reasons)


def _routine(builder: ImageBuilder, program: Program, params: Sequence[int], helper: Helper | None = None) -> int:
    """Add a routine. A step's slot is free again after its last reader; a step that nothing reads has none."""
    places, free, slots = list(params), list[int](), 0
    reads = [_slots_read(step) for step in program.steps]
    last_reads = {index: position for position, read in enumerate(reads, program.arity) for index in read}
    if isinstance(program.result, Slot):
        last_reads[program.result.index] = program.arity + len(program.steps)
    assembled = Assembler()

    def place(each: Operand) -> int:
        return places[each.index] if isinstance(each, Slot) else _constant(builder, each.value)

    for position, (step, read) in enumerate(zip(program.steps, reads, strict=True), program.arity):
        opcode, args = _instruction(step, builder.table)
        operands = [place(arg) for arg in args]
        # An operand's word in the slot space is the slot's number.
        free += [places[index] for index in read if index >= program.arity and last_reads[index] == position]
        destination = NOTHING
        if position in last_reads:
            if not free:
                free.append(slots)
                slots += 1
            destination = free.pop()
        places.append(destination)
        assembled.emit(opcode, operands, destination=destination)
    assembled.emit(Code.RETURN, [place(program.result)])
    return builder.routine(assembled, len(params) if helper else 0, slots, 0, helper.name if helper else "")


def _instruction(step: Step, table: Table) -> tuple[int, tuple[Operand, ...]]:
    match step.callee:
        case None:
            return Code.TUPLE, step.args
        case Literal(Op() as op) if op.arity == len(step.args):
            return op_number(op, table), step.args
        case callee:
            return Code.CALL, (callee, *step.args)


def _slots_read(step: Step) -> set[int]:
    return {each.index for each in (step.callee, *step.args) if isinstance(each, Slot)}


def _constant(builder: ImageBuilder, value: Any) -> int:
    number = builder.known_constant(value)
    if number is None:
        for helper in _helpers_in(value):
            encode_helper(builder, helper)
        number = builder.constant(value)
    return operand(Space.CONSTANT, number)


def _helpers_in(value: Any) -> Iterator[Helper]:
    waiting = [value] if isinstance(value, Function | tuple | frozenset) else []
    while waiting:
        top = waiting.pop()
        if isinstance(top, Helper):
            yield top
        elif isinstance(top, Made):
            waiting.extend(top.args)
        elif isinstance(top, tuple | frozenset):
            waiting.extend(unordered(top))
