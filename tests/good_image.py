"""An image with every instruction, and a way to change its words one by one."""

from __future__ import annotations

import struct
from typing import Any

from batt.bytecode.image import NOTHING, Assembler, Image, ImageBuilder, Space, operand
from batt.bytecode.layout import layout_of
from batt.bytecode.opcodes import OP_NUMBERS, Code
from batt.ir import Helper, Program, Slot
from batt.ops import OPS

S, I, C = [operand(Space.INPUT, index) for index in range(3)]  # noqa: E741
R0, R1, R2, R3 = [operand(Space.SLOT, index) for index in range(4)]
A0, A1 = [operand(Space.ARGUMENT, index) for index in range(2)]
T0, T2 = operand(Space.STAGE, 0), operand(Space.STAGE, 2)
TWICE = Helper("twice", Program(("f", "a"), 2, (), Slot(0)))

FIRST_BODY, STAGED_BODY, HELPER, CONSTANT_ENTRY, TASK_ENTRY, SAMPLE_ENTRY, SLICE = range(7)


def number(name: str) -> int:
    return OP_NUMBERS[name]


def good() -> Image:
    """An image with every instruction, three stage entries, two bodies, a helper and a slice."""
    builder = ImageBuilder()

    def constant(value: Any) -> int:
        return operand(Space.CONSTANT, builder.constant(value))

    def routine(*instructions: tuple[Any, ...], params: int = 0, counters: int = 0, helper: str = "") -> int:
        assembled = Assembler()
        for each in instructions:
            assembled.emit(*each)
        return builder.routine(assembled, params, 4, counters, helper)

    zero, one, two, shape = map(constant, (0, 1, 2, (3, 3)))
    back = (Code.RETURN, [R0])
    routine((number("first"), [A0], (), 0), back, params=1)
    routine((Code.RECHARGE_STAGE, (), [0]), (number("astuple"), [A0, T0], (), 0), back, params=2)
    helper = routine((Code.CALL, [A0, A1], (), 0), (Code.CALL, [A0, R0], (), 0), back, params=2, helper="twice")
    builder.add_helper(TWICE, helper)
    builder.stage(0, routine((number("canvas"), [zero, shape], (), 0), back))
    builder.stage(1, routine((number("first"), [S], (), 0), back))
    builder.stage(2, routine((number("hconcat"), [I, T0], (), 0), back))
    made = routine(
        (number("vmirror"), [I], (), 0, 0),
        (Code.TUPLE, [R0, C], (), 1),
        (Code.RECHARGE, (), (), NOTHING, 0),
        (Code.LOOP, [R1], [number("apply"), FIRST_BODY], 2, 1),
        (Code.REPEAT, [two, R2, one], [STAGED_BODY], 2),
        (Code.SELECT_TRUTH, [one, R2], [FIRST_BODY, FIRST_BODY], 2),
        (Code.SELECT_NUMBER, [zero, R2], [FIRST_BODY], 2),
        (Code.INVOKE, [R2], [FIRST_BODY], 2),
        (Code.COUNT, [two]),
        (Code.CHARGE, [R2], [5, 0]),
        (Code.LIMIT, (), [100, 0]),
        (Code.RECHARGE_STAGE, (), [2]),
        (Code.CALL, [constant(TWICE), constant(OPS["first"]), T2], (), 3),
        (Code.RAISE, (), [1]),
        (Code.RETURN, [R3]),
        counters=2,
    )
    builder.slice("solve", made)
    return builder.image()


class Edit:
    """A good image whose words and bytes can be changed."""

    def __init__(self) -> None:
        image = good()
        self.layout = layout_of(image)
        self.words = list(self.layout.words)
        self.pool = bytearray(image.pool)

    def image(self) -> Image:
        return Image(struct.pack(f"<{len(self.words)}I", *self.words), bytes(self.pool), ("solve",), {HELPER: TWICE})

    def row(self, routine: int, column: int) -> int:
        """Where a word of a routine's row stands: start, words, params, slots, counters, name, its bytes."""
        return self.layout.routines_at + 7 * routine + column

    def at(self, routine: int, opcode: int) -> int:
        """Where the first such instruction of a routine stands."""
        row = self.layout.routines[routine]
        at = self.layout.code_at + row.start
        while self.words[at] & 0xFFFF != opcode:
            at = self.layout.instruction(at, len(self.words)).end
        return at

    def operand(self, routine: int, opcode: int, position: int = 0) -> int:
        at = self.at(routine, opcode)
        return at + 4 + self.words[at + 3] + position

    def immediate(self, opcode: int, position: int = 0) -> int:
        return self.at(SLICE, opcode) + 4 + position
