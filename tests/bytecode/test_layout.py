"""Images read back section by section."""

from __future__ import annotations

import pytest

from batt.bytecode.image import HEADER_WORDS, NOTHING, Assembler, ImageBuilder, Space, operand
from batt.bytecode.layout import HEADER, BadImage, Instruction, Row, layout_of, split
from batt.bytecode.opcodes import Code

ZERO = operand(Space.CONSTANT, 0)


def small() -> ImageBuilder:
    builder = ImageBuilder()
    builder.constant(0)
    assembled = Assembler()
    assembled.emit(Code.LOOP, [ZERO], [4, 5], destination=1)
    assembled.emit(Code.RETURN, [ZERO])
    builder.slice("solve", builder.routine(assembled, slots=2))
    builder.stage(1, 0)
    return builder


def test_sections_come_back_as_they_were_put_in():
    layout = layout_of(small().image())
    assert layout.constants == (0,)
    assert layout.routines == (Row(0, 12, 0, 2, 0, 0, 0),)
    assert layout.slices == (0,)
    assert layout.stage == ((1, 0),)
    places = layout.routines_at, layout.slices_at, layout.stage_at, layout.code_at
    assert places == (HEADER_WORDS + 1, HEADER_WORDS + 8, HEADER_WORDS + 9, HEADER_WORDS + 11)


def test_instructions_come_back_as_they_were_put_in():
    layout = layout_of(small().image())
    at, end = layout.code_at, layout.code_at + 12
    each = layout.instruction(at, end)
    assert each == Instruction(at, Code.LOOP, 1, NOTHING, (4, 5), (ZERO,))
    assert layout.instruction(each.end, end).end == end


@pytest.mark.parametrize("missing", [1, 4, 5])
def test_an_instruction_ends_before_its_routine_does(missing: int):
    layout = layout_of(small().image())
    with pytest.raises(BadImage, match="does not fit"):
        layout.instruction(layout.code_at, layout.code_at + 7 - missing)


def test_an_operand_is_its_space_and_its_index():
    assert split(operand(Space.STAGE, 77)) == (Space.STAGE, 77)
    assert split(2**32 - 1) == (15, 2**28 - 1)


def test_every_word_of_the_header_has_a_name():
    assert len(HEADER) == HEADER_WORDS


def test_a_bad_image_names_the_place_as_far_as_it_is_known():
    assert str(BadImage("broken")) == "bad image: broken"
    assert str(BadImage("broken", 7)) == "bad image: word 7: broken"
    assert str(BadImage("broken", 7, 3)) == "bad image: routine 3, word 7: broken"
