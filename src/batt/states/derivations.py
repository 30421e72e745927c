"""Write the programs of states: from the op or program that made each, and the states that it was applied to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from batt.bytecode.opcodes import OPS_BY_NUMBER
from batt.errors import UsageError
from batt.ir import Literal, Operand, Program, Slot, Step
from batt.ir.graph import INPUTS, inputs_of, is_input, parameter_number
from batt.ops import Op
from batt.states.native import GIVEN, NO_STATE, SLICE, NativeStates


class ProgramNumbers:
    """The programs that were applied to states, each with a number as a callee."""

    def __init__(self) -> None:
        self.programs: list[Program] = []
        self._numbers: dict[Program, int] = {}
        self._known: dict[int, int] = {}

    def callee(self, program: Program) -> int:
        """Return the number of a program as a callee."""
        # Hashing a program takes long; those that are kept here have an id of their own.
        number = self._known.get(id(program))
        if number is None:
            number = self._numbers.setdefault(program, len(self.programs))
            if number == len(self.programs):
                self.programs.append(program)
                self._known[id(program)] = number
        return SLICE | number


class Derivations:
    """The derivations of states: what native code keeps of each, programs by number, and what was given."""

    def __init__(self, native: NativeStates, numbers: ProgramNumbers) -> None:
        self._native = native
        self._given: dict[int, Operand] = {}
        self._params: tuple[str, ...] = INPUTS
        self._numbers = numbers

    def name(self, handle: int, name: str) -> None:
        """Note that a state is a parameter of programs: S, I or C, or one of P0, P1 and so on."""
        if is_input(name):
            number = parameter_number(name)
            arity = len(self._params) if number is None else max(len(self._params), len(INPUTS) + number + 1)
            self._params = inputs_of(arity)
            self._given.setdefault(handle, Slot(self._params.index(name)))

    def literal(self, handle: int, value: Any) -> None:
        """Note that a state is a constant."""
        self._given.setdefault(handle, Literal(value))

    def program(self, handle: int) -> Program:
        """Return the program of a state. A state that it needs twice is made once."""
        return self._written([handle], None)

    def call_program(self, op: Op, handles: Sequence[int]) -> Program:
        """Return the program of an op on states."""
        return self._written(handles, op)

    def _written(self, handles: Sequence[int], op: Op | None) -> Program:
        """Return the program of the first state, or of an op on all of them."""
        steps: list[Step] = []
        params = self._params
        places: dict[int, Operand] = dict(self._given)

        def add(callee: Operand | None, args: tuple[Operand, ...]) -> Slot:
            steps.append(Step(callee, args, f"x{len(steps) + 1}", len(steps) + 1))
            return Slot(len(params) + len(steps) - 1)

        waiting = list(reversed(handles))
        while waiting:
            top = waiting[-1]
            if top in places:
                waiting.pop()
                continue
            callee, arguments = self._made_by(top)
            missing = [each for each in arguments if each != NO_STATE and each not in places]
            if missing:
                waiting += reversed(missing)
                continue
            operands = [Literal(None) if each == NO_STATE else places[each] for each in arguments]
            if callee & SLICE:
                places[top] = _inlined(self._numbers.programs[callee ^ SLICE], operands, add)
            else:
                made_by = OPS_BY_NUMBER[callee]
                places[top] = add(Literal(made_by), tuple(operands[: made_by.arity]))
        wanted = [places[handle] for handle in handles]
        result = wanted[0] if op is None else add(Literal(op), tuple(wanted))
        return Program(params, len(params), tuple(steps), result)

    def _made_by(self, handle: int) -> tuple[int, list[int]]:
        found = self._native.describe(np.array([handle], np.uint32))[1][0]
        if found["callee"] == GIVEN:
            raise UsageError(f"state {handle:,} was given without a name, so its program cannot be written")
        return int(found["callee"]), found["arguments"].tolist()


def _inlined(program: Program, operands: list[Operand], add: Any) -> Operand:
    """Add the steps of a program with `operands` in the places of S, I, P0, P1 …; return the place of its result."""
    places: list[Operand] = [operands[1]] if program.arity == 1 else [*operands[:2], Literal(None), *operands[2:]]
    del places[program.arity :]
    places += [Literal(None)] * (program.arity - len(places))

    def moved(operand: Operand) -> Operand:
        return places[operand.index] if isinstance(operand, Slot) else operand

    for step in program.steps:
        callee = None if step.callee is None else moved(step.callee)
        places.append(add(callee, tuple([moved(arg) for arg in step.args])))
    return moved(program.result)
