"""The records of instructions: what the notation says of their counts, results and routines."""

from __future__ import annotations

import pytest

from batt.bytecode.forms import MAX_IMMEDIATES, MAX_OPERANDS, Form, Immediate, op_form
from batt.bytecode.opcodes import CALLERS, FORMS, OP_NUMBERS, OPS_BY_NUMBER, Code
from batt.ir.graph import NodeKind

ANY = MAX_OPERANDS
EXPECTED = {
    # immediates, operands, kept, routines at, has a result
    Code.TUPLE: ((0, 0), (0, ANY), 0, 0, True),
    Code.LOOP: ((2, 2), (0, ANY), 0, 1, True),
    Code.REPEAT: ((1, 1), (2, ANY), 1, 0, True),
    Code.SELECT_TRUTH: ((2, 2), (1, ANY), 1, 0, True),
    Code.SELECT_NUMBER: ((1, MAX_IMMEDIATES), (1, ANY), 1, 0, True),
    Code.INVOKE: ((1, 1), (0, ANY), 0, 0, True),
    Code.COUNT: ((0, 0), (1, 1), 0, 0, True),
    Code.CHARGE: ((2, 2), (0, ANY), 0, 2, False),
    Code.LIMIT: ((2, 2), (0, 0), 0, 2, False),
    Code.RAISE: ((1, 1), (0, 0), 0, 1, False),
    Code.RECHARGE: ((0, 0), (0, 0), 0, 0, False),
    Code.RECHARGE_STAGE: ((1, 1), (0, 0), 0, 1, False),
    Code.CALL: ((0, 0), (1, ANY), 0, 0, True),
    Code.RETURN: ((0, 0), (1, 1), 0, 0, False),
}


def test_every_instruction_has_a_record():
    assert set(FORMS) == {*OP_NUMBERS.values(), *Code}
    assert set(EXPECTED) == set(Code)


@pytest.mark.parametrize("code", Code, ids=lambda code: code.name)
def test_a_record_says_what_an_instruction_has(code: Code):
    form = code.form
    got = form.immediate_bounds, form.operand_bounds, form.kept, form.routines_at, form.has_result
    assert got == EXPECTED[code]
    assert form.effect
    assert form.reads_counter == (code is Code.RECHARGE)


@pytest.mark.parametrize("code", Code, ids=lambda code: code.name)
def test_what_follows_the_first_routine_is_routines_and_high_follows_low(code: Code):
    kinds = code.form.kinds
    assert set(kinds[code.form.routines_at :]) <= {Immediate.ROUTINE}
    assert (kinds == (Immediate.LOW, Immediate.HIGH)) == (Immediate.LOW in kinds)


def test_a_name_that_ends_in_an_ellipsis_stands_for_any_number():
    form = Form(2000, "op, r0, r1…", "x, y, z…", "`R[d] := x`")
    assert (form.immediate_bounds, form.operand_bounds) == ((2, MAX_IMMEDIATES), (2, MAX_OPERANDS))
    assert form.kinds == (Immediate.OP, Immediate.ROUTINE, Immediate.ROUTINE)
    assert form.listing == "{name}[{bodies}]({operands})"


def test_an_immediate_of_an_unknown_kind_is_refused():
    with pytest.raises(ValueError, match="'speed' is not a valid Immediate"):
        Form(2000, "speed", "", "")


def test_an_op_has_its_arity_and_only_kernels_stand_in_leaves():
    for number, each in enumerate(OPS_BY_NUMBER):
        assert FORMS[number] == op_form(number, each, each.name not in CALLERS)


def test_every_kind_of_node_that_is_run_has_the_instruction_of_its_name():
    kinds = {kind.name for kind in NodeKind} - {"INPUT", "ARG", "CONST", "SELECT"}
    assert kinds <= set(Code.__members__)
