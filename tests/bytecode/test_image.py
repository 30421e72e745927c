"""Images in the making: everything once, limits kept, and nothing left of what failed."""

from __future__ import annotations

import struct

import pytest

from batt.bytecode import image as module
from batt.bytecode.forms import MAX_OPERANDS
from batt.bytecode.image import (
    MAGIC,
    MAX_COUNTERS,
    MAX_PARAMS,
    MAX_SLOTS,
    MAX_STEPS,
    NOTHING,
    Assembler,
    ImageBuilder,
    Space,
    operand,
    steps_words,
)
from batt.bytecode.opcodes import Code, table_digest
from batt.bytecode.wire import Unencodable
from batt.errors import InternalError
from batt.ir import Helper, Literal, Program

ONE = Helper("one", Program(("a",), 1, (), Literal(1)))


def returning(word: int) -> Assembler:
    assembled = Assembler()
    assembled.emit(Code.RETURN, [word])
    return assembled


def test_an_image_is_laid_out_as_drawn():
    builder = ImageBuilder()
    zero, three = builder.constant(0), builder.constant((3,))
    helper = builder.routine(returning(operand(Space.CONSTANT, zero)), 1, helper="one")
    main = builder.routine(returning(operand(Space.CONSTANT, three)), slots=2, counters=1)
    builder.slice("solve", main)
    builder.stage(2, main)
    made = builder.image()
    assert made.pool == b"\0" + b"\xf2\1\0\0\0\3" + b"one"
    code = [Code.RETURN | 1 << 16, NOTHING, NOTHING, 0]
    assert struct.unpack(f"<{len(made.words) // 4}I", made.words) == (
        *(MAGIC, 1, table_digest(), len(made.words) // 4, 10, 2, 2, 1, 1, 10, 0, 0),
        *(0, 1),
        *(0, 5, 1, 0, 0, 7, 3),
        *(5, 5, 0, 2, 1, 0, 0),
        main,
        *(2, main),
        *(*code, 1 << 28 | zero),
        *(*code, 1 << 28 | three),
    )
    assert made.slices == ("solve",)
    assert (helper, main) == (0, 1)


def test_an_instruction_is_its_head_then_immediates_then_operands():
    assembled = Assembler()
    assembled.emit(Code.LOOP, [operand(Space.STAGE, 5), operand(Space.SLOT, 6)], [7, 8], destination=9)
    assert assembled.words == [Code.LOOP | 2 << 16, 9, NOTHING, 2, 7, 8, 4 << 28 | 5, 6]


def test_constants_and_routines_exist_once():
    builder = ImageBuilder()
    assert builder.constant(True) == builder.constant(1) == 0
    assert builder.constant((1,)) == builder.constant((True,)) == 1
    assert builder.routine(returning(1 << 28)) == builder.routine(returning(1 << 28)) == 0
    assert builder.routine(returning(1 << 28), 1) == 1
    assert builder.routine(returning(1 << 28), 1, helper="f") == 2


def test_a_helper_is_written_by_the_number_of_its_routine():
    builder = ImageBuilder()
    assert builder.helper(ONE) is None
    with pytest.raises(InternalError, match="one has no routine"):
        builder.constant(ONE)
    builder.add_helper(ONE, builder.routine(returning(1 << 28), 1, helper="one"))
    assert builder.wire(ONE)[1:] == bytes(4)
    assert builder.image().helpers == {0: ONE}


def test_what_fails_leaves_nothing_behind():
    builder = ImageBuilder()
    builder.constant(1)
    before = builder.image()

    def fail() -> None:
        with builder.attempt():
            builder.constant(2)
            builder.add_helper(ONE, builder.routine(returning(1 << 28), 1, helper="one"))
            builder.stage(0, 0)
            builder.constant(2**64)

    with pytest.raises(Unencodable, match="65 bits"):
        fail()
    assert builder.image() == before
    assert builder.helper(ONE) is None
    assert (builder.known_constant(1), builder.known_constant(2)) == (0, None)


def test_steps_are_two_words():
    assert steps_words(2**40 + 3) == (3, 2**8)
    assert steps_words(MAX_STEPS) == (2**32 - 1, 2**30 - 1)
    with pytest.raises(Unencodable, match="steps of 63 bits"):
        steps_words(MAX_STEPS + 1)


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({"params": MAX_PARAMS + 1}, "4,097 arguments"),
        ({"slots": MAX_SLOTS + 1}, "65,537 slots"),
        ({"counters": MAX_COUNTERS + 1}, "65,537 counters"),
    ],
)
def test_a_routine_that_is_too_large_is_refused(sizes: dict[str, int], message: str):
    with pytest.raises(Unencodable, match=message):
        ImageBuilder().routine(returning(1 << 28), **sizes)


def test_an_instruction_that_is_too_long_is_refused():
    with pytest.raises(Unencodable, match="4,097 operands"):
        Assembler().emit(Code.TUPLE, [0] * (MAX_OPERANDS + 1))
    with pytest.raises(Unencodable, match="4,097 immediates"):
        Assembler().emit(Code.SELECT_NUMBER, [0], [0] * (MAX_OPERANDS + 1))


def test_an_image_holds_so_many_constants_and_routines(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "MAX_CONSTANTS", 1)
    monkeypatch.setattr(module, "MAX_ROUTINES", 1)
    builder = ImageBuilder()
    builder.constant(1)
    builder.routine(returning(1 << 28))
    with pytest.raises(Unencodable, match="more constants"):
        builder.constant(2)
    with pytest.raises(Unencodable, match="more routines"):
        builder.routine(returning(1 << 28), 1)


def test_a_slice_has_a_name_of_its_own():
    builder = ImageBuilder()
    assert builder.slice("a", 0) == 0
    with pytest.raises(InternalError, match="'a'"):
        builder.slice("a", 0)
