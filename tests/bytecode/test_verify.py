"""Every rule of a good image: kept by what the encoder makes, and found where it is broken."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batt.bytecode.abi import MAX_PARAMETERS
from batt.bytecode.image import NOTHING, Assembler, Image, ImageBuilder, Space, operand
from batt.bytecode.layout import BadImage
from batt.bytecode.opcodes import FORMS, OP_NUMBERS, Code
from batt.bytecode.verify import verify
from batt.bytecode.wire import OP
from batt.errors import DataError
from batt.ops import EVERY_OP
from good_image import (
    A0,
    CONSTANT_ENTRY,
    FIRST_BODY,
    HELPER,
    R3,
    SAMPLE_ENTRY,
    SLICE,
    STAGED_BODY,
    T0,
    T2,
    TASK_ENTRY,
    Edit,
    I,
    S,
    good,
    number,
)

UNKNOWN = max(Code) + 1
"""An opcode that no instruction has."""


def word(at: Callable[[Edit], int], value: int) -> Callable[[Edit], None]:
    """An edit that puts a word somewhere."""

    def change(edit: Edit) -> None:
        edit.words[at(edit)] = value

    return change


def header(at: int, value: int) -> Callable[[Edit], None]:
    return word(lambda _: at, value)


def row(routine: int, column: int, value: int) -> Callable[[Edit], None]:
    return word(lambda edit: edit.row(routine, column), value)


def head(opcode: int, offset: int, value: int, routine: int = SLICE) -> Callable[[Edit], None]:
    return word(lambda edit: edit.at(routine, opcode) + offset, value)


def reads(opcode: int, value: int, routine: int = SLICE, position: int = 0) -> Callable[[Edit], None]:
    return word(lambda edit: edit.operand(routine, opcode, position), value)


def immediate(opcode: int, value: int, position: int = 0) -> Callable[[Edit], None]:
    return word(lambda edit: edit.immediate(opcode, position), value)


def stage(entry: int, column: int, value: int) -> Callable[[Edit], None]:
    return word(lambda edit: edit.layout.stage_at + 2 * entry + column, value)


def cut(edit: Edit) -> None:
    edit.words.pop()


def overlap(edit: Edit) -> None:
    edit.words[edit.row(STAGED_BODY, 0)] = edit.words[edit.row(FIRST_BODY, 0)]


def name_beyond_ascii(edit: Edit) -> None:
    edit.pool[-1] = 0xFF


def unknown_op_in_a_constant(edit: Edit) -> None:
    edit.pool[edit.pool.index(bytes([OP])) + 4] = 0xFF


def helper_that_is_not_there(edit: Edit) -> None:
    edit.pool[edit.pool.index(b"\xf8") + 1] = 7


def helper_that_reads_the_stage(edit: Edit) -> None:
    edit.words[edit.operand(HELPER, Code.CALL, 1)] = T0


def later_entry_through_a_body(edit: Edit) -> None:
    """The last entry becomes a constant one that runs a body, and the body reads that very entry."""
    for entry in range(3):
        edit.words[edit.layout.stage_at + 2 * entry] = 0
    edit.words[edit.operand(TASK_ENTRY, number("first"))] = operand(Space.CONSTANT, 0)
    edit.words[edit.operand(SAMPLE_ENTRY, number("hconcat"))] = operand(Space.CONSTANT, 0)
    edit.words[edit.at(SAMPLE_ENTRY, number("hconcat"))] = Code.INVOKE | 1 << 16
    at = edit.at(SAMPLE_ENTRY, Code.INVOKE)
    edit.words[at + 3 : at + 6] = [1, FIRST_BODY, operand(Space.CONSTANT, 0)]
    edit.words[edit.operand(FIRST_BODY, number("first"))] = T2


P0 = operand(Space.PARAMETER, 0)

RULES: dict[str, tuple[Callable[[Edit], None], str]] = {
    "magic": (header(0, 1), "word 0: magic"),
    "version": (header(1, 2), "word 1: version"),
    "digest": (header(2, 2), "word 2: table digest"),
    "total": (header(3, 2), "word 3: words"),
    "pool bytes": (header(4, 2), "word 4: pool bytes"),
    "sections": (header(9, 2), "the sections take"),
    "more sections than words": (header(6, 2**32 - 1), "the sections take"),
    "reserved": (header(11, 1), "word 11: word 11 is 0x1"),
    "truncated": (cut, "word 3: words"),
    "a constant beyond the pool": (word(lambda _: 12, 2**31), "word 12: a constant: its bytes end early"),
    "a constant that is no value": (unknown_op_in_a_constant, "a constant: no op"),
    "a constant with an unknown helper": (helper_that_is_not_there, "names a helper that is not there"),
    "code beyond the section": (row(SLICE, 0, 2**31), "routine 6, word .*: the end of its code"),
    "more code than there is": (row(SLICE, 1, 2**32 - 1), "routine 6, word .*: the end of its code"),
    "overlapping code": (overlap, "its code overlaps"),
    "params": (row(FIRST_BODY, 2, 4097), "params: 4,097, at most 4,096"),
    "slots": (row(FIRST_BODY, 3, 65537), "slots: 65,537"),
    "counters": (row(FIRST_BODY, 4, 65537), "counters: 65,537"),
    "a name beyond the pool": (row(HELPER, 5, 2**31), "the end of its name"),
    "a name that is not ASCII": (name_beyond_ascii, "a name is ASCII"),
    "a slice without a routine": (word(lambda edit: edit.layout.slices_at, 7), "no routine 7"),
    "a slice with params": (word(lambda edit: edit.layout.slices_at, FIRST_BODY), "take no arguments"),
    "a stage entry without a routine": (stage(0, 1, 7), "no routine 7"),
    "a stage entry with params": (stage(0, 1, FIRST_BODY), "take no arguments"),
    "a level": (stage(2, 0, 4), "no level 4"),
    "falling levels": (stage(0, 0, 2), "never fall"),
    "a stage entry of many instructions": (stage(2, 1, SLICE), "one instruction and RETURN"),
    "a constant entry that reads an input": (
        reads(number("canvas"), S, CONSTANT_ENTRY),
        "level 0 reads an input that is not there yet",
    ),
    "a task's entry that reads more than S": (
        reads(number("first"), I, TASK_ENTRY),
        "level 1 reads an input that is not there yet",
    ),
    "a sample's entry that reads a parameter": (
        reads(number("hconcat"), P0, SAMPLE_ENTRY),
        "level 2 reads an input that is not there yet",
    ),
    "a body that reads a parameter": (reads(number("first"), P0, FIRST_BODY), "bodies and helpers read no input"),
    "an entry that reads itself": (reads(number("hconcat"), T2, SAMPLE_ENTRY, 1), "reads earlier entries only"),
    "an entry that reads itself through a body": (later_entry_through_a_body, "reads earlier entries only"),
    "a body that reads an input": (reads(number("first"), I, FIRST_BODY), "bodies and helpers read no input"),
    "a helper that reads an input": (reads(Code.CALL, I, HELPER), "bodies and helpers read no input"),
    "a body that reads what is not constant": (
        reads(number("astuple"), T2, STAGED_BODY),
        "bodies read constant stage entries only",
    ),
    "a helper that reads the stage": (helper_that_reads_the_stage, "helpers read no stage entry"),
    "no code": (row(SLICE, 1, 0), "the last instruction is RETURN"),
    "no RETURN": (head(Code.RETURN, 0, Code.COUNT | 1 << 16), "the last instruction is RETURN"),
    "code after RETURN": (head(Code.COUNT, 0, Code.RETURN | 1 << 16), "an instruction after RETURN"),
    "a head cut off": (row(SLICE, 1, 3), "does not fit into the routine"),
    "operands cut off": (head(Code.RETURN, 0, Code.RETURN | 2 << 16), "does not fit into the routine"),
    "immediates cut off": (head(Code.RETURN, 3, 2**32 - 1), "does not fit into the routine"),
    "an opcode": (head(Code.TUPLE, 0, UNKNOWN | 2 << 16), f"no opcode {UNKNOWN}"),
    "an opcode between": (head(Code.TUPLE, 0, len(EVERY_OP) | 2 << 16), f"no opcode {len(EVERY_OP)}"),
    "an op's operands": (head(number("vmirror"), 0, number("hconcat") | 1 << 16), "1 operands, expected 2"),
    "a destination": (head(Code.TUPLE, 1, 4), "no slot 4 for this"),
    "a counter": (head(Code.TUPLE, 2, 2), "no counter 2 for this"),
    "a counter that was never set": (head(number("vmirror"), 2, NOTHING), "counter 0 is charged before it is set"),
    "a counter charged that is none": (head(Code.RECHARGE, 2, NOTHING), "counter 4294967295 is charged before"),
    "a slot": (reads(Code.RETURN, operand(Space.SLOT, 4)), "no slot 4"),
    "a slot read before it is written": (reads(Code.TUPLE, R3), "slot 3 is read before it is written"),
    "a constant": (reads(Code.TUPLE, operand(Space.CONSTANT, 6)), "no constant 6"),
    "an input": (reads(Code.TUPLE, operand(Space.INPUT, 3)), "no input 3"),
    "an argument": (reads(Code.TUPLE, A0), "no argument 0"),
    "a stage entry": (reads(Code.TUPLE, operand(Space.STAGE, 3)), "no stage 3"),
    "a space": (reads(Code.TUPLE, 6 << 28), "no space 6"),
    "a parameter": (reads(Code.TUPLE, operand(Space.PARAMETER, MAX_PARAMETERS)), "no parameter 16"),
    "a loop of an op that calls nothing": (immediate(Code.LOOP, number("first")), "is no op that calls"),
    "a loop of rapply": (immediate(Code.LOOP, number("rapply")), "is no op that calls"),
    "a loop of no op": (immediate(Code.LOOP, 2**32 - 1), "is no op that calls"),
    "a loop's operands": (immediate(Code.LOOP, number("papply")), "papply takes more operands"),
    "a body after its runner": (immediate(Code.LOOP, SLICE, 1), "routine 6 does not come before"),
    "a body that is not there": (immediate(Code.INVOKE, 2**32 - 1), "does not come before"),
    "a body's params": (immediate(Code.SELECT_TRUTH, STAGED_BODY, 1), "takes 2 arguments, 1 are given"),
    "a repeated body's params": (immediate(Code.REPEAT, FIRST_BODY), "takes 1 arguments, 2 are given"),
    "steps charged": (immediate(Code.CHARGE, 2**30, 1), "more steps than"),
    "items of a limit": (immediate(Code.LIMIT, 2**30, 1), "more steps than"),
    "an error kind of none": (immediate(Code.RAISE, 0), "no error kind 0"),
    "an error kind": (immediate(Code.RAISE, 10), "no error kind 10"),
    "a stage entry charged": (immediate(Code.RECHARGE_STAGE, 3), "no stage 3"),
    **{
        f"{code.name} with a destination": (head(code, 1, 0), "no slot 0 for this")
        for code in (Code.CHARGE, Code.LIMIT, Code.RAISE, Code.RECHARGE, Code.RECHARGE_STAGE, Code.RETURN)
    },
    **{
        f"{code.name} with a counter": (head(code, 2, 0), "no counter 0 for this")
        for code in (Code.CHARGE, Code.LIMIT, Code.RAISE, Code.RECHARGE_STAGE, Code.RETURN)
    },
}


def test_an_image_that_keeps_all_rules_is_good():
    verify(good())
    edited = Edit()
    stage(2, 0, 3)(edited)
    reads(number("hconcat"), P0, SAMPLE_ENTRY)(edited)
    verify(edited.image())
    assert Edit().image() == good()


@pytest.mark.parametrize(("edit", "message"), RULES.values(), ids=RULES)
def test_a_broken_rule_is_found(edit: Callable[[Edit], None], message: str):
    edited = Edit()
    edit(edited)
    with pytest.raises(BadImage, match=message):
        verify(edited.image())


def wrong_counts() -> Iterator[tuple[int, int, int]]:
    """For every instruction, operands and immediates that are one too few and one too many."""
    for opcode in (OP_NUMBERS["vmirror"], *Code):
        (few, many), (least, most) = FORMS[opcode].operand_bounds, FORMS[opcode].immediate_bounds
        yield from ((opcode, operands, least) for operands in (few - 1, many + 1) if operands >= 0)
        yield from ((opcode, few, immediates) for immediates in (least - 1, most + 1) if immediates >= 0)


@pytest.mark.parametrize(("opcode", "operands", "immediates"), [*wrong_counts()])
def test_a_wrong_number_of_operands_or_immediates_is_found(opcode: int, operands: int, immediates: int):
    builder = ImageBuilder()
    builder.constant(1)
    assembled = Assembler()
    words = [operand(Space.CONSTANT, 0)] * operands
    assembled.words = [opcode | operands << 16, NOTHING, NOTHING, immediates, *[1] * immediates, *words]
    assembled.emit(Code.RETURN, [operand(Space.CONSTANT, 0)])
    builder.slice("solve", builder.routine(assembled))
    with pytest.raises(BadImage, match=r"(operands|immediates), expected"):
        verify(builder.image())


def test_words_that_are_not_whole_and_names_that_are_missing_are_found():
    image = good()
    for words in (b"", image.words[:40], image.words + b"\0"):
        with pytest.raises(BadImage, match="no header and whole words"):
            verify(replace(image, words=words))
    with pytest.raises(BadImage, match="0 names for 1 slices"):
        verify(replace(image, slices=()))


def test_a_bad_image_is_the_fault_of_the_data_and_says_where():
    edited = Edit()
    head(Code.TUPLE, 0, UNKNOWN | 2 << 16)(edited)
    place = edited.layout.code_at + edited.layout.routines[SLICE].start + 5
    with pytest.raises(DataError) as raised:
        verify(edited.image())
    assert str(raised.value) == f"bad image: routine 6, word {place}: no opcode {UNKNOWN}"


edges = st.sampled_from([0, 1, 2, 3, 7, 1024, 1037, 4097, 1 << 16, 1 << 28, 3 << 28, 2**31, NOTHING])


@given(st.data())
def test_random_corruption_is_found_or_harmless(data: st.DataObject):
    edited = Edit()
    # The header's own numbers stay, mostly: whatever differs there is refused at once.
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(5, len(edited.words) - 1))
        edited.words[at] = data.draw(edges | st.integers(0, 2**32 - 1) | st.just(edited.words[at] ^ 1))
    for _ in range(data.draw(st.integers(0, 2))):
        edited.pool[data.draw(st.integers(0, len(edited.pool) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(BadImage):
        verify(edited.image())


@given(st.binary(max_size=600), st.binary(max_size=40), st.integers(0, 2000))
def test_random_words_and_truncated_ones_are_found(words: bytes, pool: bytes, size: int):
    image = good()
    for each in (
        Image(words, pool, (), {}),
        Image(image.words[:48] + words, pool, ("solve",), {}),
        replace(image, words=image.words[: size % len(image.words)]),
        replace(image, pool=image.pool[: size % len(image.pool)]),
    ):
        with pytest.raises(BadImage):
            verify(each)
