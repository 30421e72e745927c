"""Images as text for people."""

from __future__ import annotations

import pytest

from batt.bytecode.disassemble import disassemble
from batt.bytecode.image import NOTHING, Assembler, Image, ImageBuilder, Space, operand
from batt.bytecode.layout import BadImage
from batt.bytecode.opcodes import OP_NUMBERS, Code
from batt.compiler import encode_programs
from batt.front import Deck

R0, A0, T0 = operand(Space.SLOT, 0), operand(Space.ARGUMENT, 0), operand(Space.STAGE, 0)
GRID = operand(Space.INPUT, 1)

EXPECTED = """\
image: words 124, pool bytes 14, constants 3, routines 3, slices 2, stage entries 1, code words 84

constants
    #0 = 1
    #1 = {(1, 2)}
    #2 = None

stage
    T0 := vmirror(I)  (sample)

r0 (body): 1 params, 1 slots, 0 counters
    R0 := size(A0)
    return R0

r2 (solve_a, solve_b): 0 params, 1 slots, 1 counters
    charge T0
    R0, N0 := apply[r0](T0)
    charge N0
    R0 := select_truth[r0 r0](#1, R0)
    R0 := tuple(R0, #{(1, 2)})
    N0 := call #1(R0)
    count(#1)
    charge 4,294,967,297 + items(R0)
    limit 7
    raise IndexError
    return #None
"""


def image() -> Image:
    builder = ImageBuilder()

    def routine(*instructions: tuple, params: int = 0, counters: int = 0) -> int:
        assembled = Assembler()
        for each in instructions:
            assembled.emit(*each)
        return builder.routine(assembled, params, 1, counters)

    one, places, none = [operand(Space.CONSTANT, builder.constant(each)) for each in (1, frozenset({(1, 2)}), None)]
    body = routine((OP_NUMBERS["size"], [A0], (), 0), (Code.RETURN, [R0]), params=1)
    builder.stage(2, routine((OP_NUMBERS["vmirror"], [GRID], (), 0), (Code.RETURN, [R0])))
    made = routine(
        (Code.RECHARGE_STAGE, (), [0]),
        (Code.LOOP, [T0], [OP_NUMBERS["apply"], body], 0, 0),
        (Code.RECHARGE, (), (), NOTHING, 0),
        (Code.SELECT_TRUTH, [one, R0], [body, body], 0),
        (Code.TUPLE, [R0, places], (), 0),
        (Code.CALL, [one, R0], (), NOTHING, 0),
        (Code.COUNT, [one]),
        (Code.CHARGE, [R0], [1, 1]),
        (Code.LIMIT, (), [7, 0]),
        (Code.RAISE, (), [3]),
        (Code.RETURN, [none]),
        counters=1,
    )
    builder.slice("solve_a", made)
    builder.slice("solve_b", made)
    return builder.image()


def test_an_image_is_shown_whole():
    assert disassemble(image()) == EXPECTED


def test_helpers_are_shown_by_name():
    text = "def twice(f, a):\n    return f(f(a))\n\ndef solve(I):\n    g = lbind(twice, first)\n    return g(I)\n"
    program = Deck.from_sources({"solve": text})["solve"].program
    shown = disassemble(encode_programs({"solve": program}).image)
    assert "    #0 = twice\n" in shown
    assert "r0 (helper twice): 2 params" in shown
    assert "    R0 := lbind(#twice, #first)\n" in shown


def test_of_many_names_a_few_are_shown():
    program = Deck.from_sources({"solve": "def solve(I):\n    return I\n"})["solve"].program
    shown = disassemble(encode_programs({f"s{number}": program for number in range(9)}).image)
    assert "r0 (s0, s1, s2 and 6 more): 0 params, 0 slots, 0 counters\n    return I\n" in shown


def test_a_bad_image_is_refused():
    with pytest.raises(BadImage):
        disassemble(Image(b"", b"", (), {}))
