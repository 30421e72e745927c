"""Numbers of ops and instructions, and the header made from them."""

from __future__ import annotations

from pathlib import Path

from batt.bytecode.opcodes import CALLERS, LOOPS, OP_NUMBERS, OPS_BY_NUMBER, Code, header, table_digest
from batt.ops import EVERY_OP

HEADER = Path(__file__).parents[2] / "native" / "generated" / "opcodes.h"


def test_the_header_of_the_native_code_is_up_to_date():
    assert HEADER.read_text("utf-8") == header(), "make opcodes"


def test_every_op_has_one_number():
    assert {each.name: number for number, each in enumerate(OPS_BY_NUMBER)} == OP_NUMBERS
    assert set(OP_NUMBERS) == set(EVERY_OP)


def test_instructions_are_numbered_above_all_ops():
    assert min(Code) >= 1024 > len(EVERY_OP)
    assert [code.value for code in Code] == list(range(1024, 1024 + len(Code)))


def test_loops_call_one_function_and_rapply_many():
    assert "rapply" in CALLERS
    assert len(CALLERS) == len(LOOPS) + 1
    assert {"apply", "prapply", "argmax", "extract"} <= LOOPS
    assert not LOOPS & {"compose", "first", "fork"}


def test_the_digest_is_in_the_header():
    assert f"TABLE_DIGEST = 0x{table_digest():08x}u" in header()
