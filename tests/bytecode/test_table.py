"""Tables of ops: numbers of own ops, and the header that tells native code of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from batt.bytecode.disassemble import disassemble
from batt.bytecode.image import ImageBuilder
from batt.bytecode.layout import BadImage
from batt.bytecode.opcodes import OPS_BY_NUMBER, table_digest
from batt.bytecode.table import STANDARD, Table
from batt.bytecode.verify import verify
from batt.bytecode.wire import Unencodable, read_value, write_value
from batt.codegen.direct import encode_solver
from batt.front import Deck
from batt.own import load_ops
from own_example import EXAMPLE

OPS = load_ops(EXAMPLE / "my_ops.py")
TABLE = Table([OPS["enclosed"], OPS["majority"]], Path("somewhere"))
FIRST = len(OPS_BY_NUMBER)
TEXT = "def solve(I):\n    x = apply(compose(majority, vmirror), (I, majority(I)))\n    return x\n"


def image(table: Table = TABLE):
    builder = ImageBuilder(table)
    builder.slice("solve", encode_solver(builder, Deck.from_sources({"solve": TEXT}, ops=OPS)[0].program))
    return builder.image()


def test_own_ops_come_after_those_of_the_language():
    assert [TABLE.numbers[OPS[name]] for name in ("enclosed", "majority")] == [FIRST, FIRST + 1]
    assert STANDARD.digest == table_digest() != TABLE.digest
    assert TABLE.digest != Table(TABLE.own, TABLE.folder, "other bodies").digest


def test_the_header_tells_names_numbers_arities_and_costs():
    text = TABLE.header()
    assert f"X(enclosed, {FIRST}, 1, OWN, KERNEL)" in text
    assert f"X(majority, {FIRST + 1}, 1, ITEMS, KERNEL)" in text
    assert "#define BATT_OWN_COUNT 2" in text
    assert f"BATT_OWN_DIGEST 0x{TABLE.digest ^ table_digest():08x}u" in text


def test_values_with_own_ops_go_both_ways_within_their_table():
    value = (OPS["enclosed"], 1)
    assert read_value(write_value(value, table=TABLE), table=TABLE) == value


@pytest.mark.parametrize("table", [STANDARD, Table(TABLE.own, TABLE.folder, refused=["majority"])])
def test_an_op_without_native_code_cannot_be_encoded(table: Table):
    with pytest.raises(Unencodable, match="the op majority in Python"):
        image(table)


def test_an_image_with_own_ops_is_verified_and_read():
    verify(image())
    text = disassemble(image())
    assert "majority(I)" in text
    assert "compose(#majority, #vmirror)" in text


def test_an_image_is_refused_where_its_own_ops_are_not_there():
    found = image()
    with pytest.raises(BadImage, match="table digest"):
        verify(type(found)(found.words, found.pool, found.slices, found.helpers))
