"""Every recorded call of every op through native code: values to the byte, kinds of errors, and steps."""

from __future__ import annotations

from typing import Any

import pytest

from batt.bytecode.wire import write_value
from batt.ir import Literal, Program, Slot, Step
from batt.ir.writing import describe
from batt.ops import find_op
from batt.runtime import ERROR_KINDS, Limits, Status, evaluate_one
from handmade import sample
from native_library import needs_library
from native_values import Native
from vectors import read, recorded

LIMITS = Limits()

pytestmark = needs_library


def program_of(vector: dict[str, Any]) -> Program:
    """The call of a vector, and the calls of what it gives, with constants for arguments."""
    steps: list[Step] = []
    callee: Any = Literal(find_op(vector["fn"]))
    for number, name in enumerate([each for each in ("args", "call", "then") if each in vector]):
        steps.append(Step(callee, tuple([Literal(read(arg)) for arg in vector[name]]), "x", 1))
        callee = Slot(number + 1)
    return Program(("I",), 1, tuple(steps), callee)


def check(vector: dict[str, Any], program: Program, result: Any, value: bytes) -> None:
    """Hold what native code did against the record, and its steps against the reference engine."""
    expected = vector["out"]
    if isinstance(expected, dict) and "error" in expected:
        assert int(result["status"]) == Status.RAISED
        assert ERROR_KINDS[int(result["error"])] == expected["error"]
    else:
        assert int(result["status"]) == Status.OK
        assert value == write_value(read(expected))
    assert int(result["steps"]) == evaluate_one(program, sample(), LIMITS).steps


@pytest.mark.parametrize("name", sorted(recorded()))
def test_native_code_gives_what_was_recorded(name: str) -> None:
    vectors = recorded()[name]
    programs = [program_of(vector) for vector in vectors]
    native = Native(programs)
    assert not native.encoded.refused
    for number, (vector, program) in enumerate(zip(vectors, programs, strict=True)):
        result, value = native.run(number)
        try:
            check(vector, program, result, value)
        except AssertionError as error:
            raise AssertionError(f"vector {vector['id']} of {name}: {describe(program, program.steps[0])}") from error
