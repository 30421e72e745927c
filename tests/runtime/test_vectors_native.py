"""Every recorded call of every op through native code: values to the byte, kinds of errors, and steps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from batt.bytecode.wire import write_value
from batt.compiler import encode_programs
from batt.ir import Literal, Program, Slot, Step
from batt.ops import OPS
from batt.runtime import ERROR_KINDS, Limits, Status, evaluate_one
from batt.runtime.batch import batch_of
from batt.runtime.memory import WorkerMemory
from batt.runtime.native import Budget, NativeBatch, NativeProgram, NativeWorker, Outputs, library
from handmade import sample
from native_library import needs_library
from vectors import read, recorded

LIMITS = Limits()
ROOM = 1 << 24

pytestmark = needs_library


def program_of(vector: dict[str, Any]) -> Program:
    """The call of a vector, and the calls of what it gives, with constants for arguments."""
    steps: list[Step] = []
    callee: Any = Literal(OPS[vector["fn"]])
    for number, name in enumerate([each for each in ("args", "call", "then") if each in vector]):
        steps.append(Step(callee, tuple([Literal(read(arg)) for arg in vector[name]]), "x", 1))
        callee = Slot(number + 1)
    return Program(("I",), 1, tuple(steps), callee)


class Native:
    """What native code makes of programs: status, kind of error, steps, cause and the bytes of the value."""

    def __init__(self, programs: list[Program]) -> None:
        self.encoded = encode_programs([(str(number), each) for number, each in enumerate(programs)])
        self.worker = NativeWorker(library(), WorkerMemory(1 << 28))
        self.program = NativeProgram(library(), self.encoded.image.words, self.encoded.image.pool)
        batch = batch_of([sample()])
        self.batch = NativeBatch(library(), batch.data, batch.ends, batch.rows)
        self.room = np.empty(ROOM, np.uint8)

    def run(self, number: int) -> tuple[Any, bytes]:
        ends = np.zeros(1, np.uint64)
        outputs = Outputs(self.room.ctypes.data, ROOM, 0, ends.ctypes.data, 0)
        slices = np.array([self.encoded.slice_of[str(number)]], np.uint32)
        budget = Budget(LIMITS.steps, LIMITS.max_items, 1 << 40)
        done, results = self.worker.run(self.program, self.batch, slices, np.zeros(1, np.uint32), budget, outputs)
        assert done == 1
        return results[0], self.room[: int(ends[0])].tobytes()


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
            raise AssertionError(f"vector {vector['id']} of {name}: {program.describe(program.steps[0])}") from error
