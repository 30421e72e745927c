"""Find the constants of a program that are colours, and the functions in it that are mirrors or rotations.

The purpose of an operand follows from the primitives around it; a constant with an unknown purpose is ignored.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from batt.ir import Literal, Operand, Program, Slot, Step
from batt.ops import OPS, Op
from batt.ops.known import ALL_GIVEN, GIVEN, RESULT, Called, called
from batt.ops.schemes import Items, Var, schemes

MOVES = tuple([op.name for op in sorted(OPS.values(), key=lambda op: op.known.symmetry) if op.known.symmetry])
"""The moves that may turn a demonstration's input into its output, in the order in which they are tried."""


@dataclass(frozen=True, slots=True)
class OperandPlace:
    """An operand of a program: the number of its step, and its position among the arguments, -1 for the callee."""

    step: int
    position: int


def colour_places(program: Program) -> dict[int, list[OperandPlace]]:
    """Return the places of every constant that is a colour, by colour, in the order of the program."""
    found: dict[int, list[OperandPlace]] = {}
    reader = _OperandReader(program)
    for place, operand in _literals(program):
        value = operand.value
        if type(value) is int and 0 <= value <= 9 and reader.is_colour(place):
            found.setdefault(value, []).append(place)
    return found


def move_places(program: Program) -> dict[str, list[OperandPlace]]:
    """Return the places of every mirror and rotation, called or passed on, by name, in the order of the program."""
    found: dict[str, list[OperandPlace]] = {}
    for place, operand in _literals(program):
        if isinstance(operand.value, Op) and operand.value.name in MOVES and operand.value.name != "identity":
            found.setdefault(operand.value.name, []).append(place)
    return found


def _literals(program: Program) -> Iterator[tuple[OperandPlace, Literal]]:
    for number, step in enumerate(program.steps):
        for position, operand in enumerate((step.callee, *step.args), -1):
            if isinstance(operand, Literal):
                yield OperandPlace(number, position), operand


class _OperandReader:
    """Finds the purpose of the operands of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.readers: dict[int, list[OperandPlace]] = {}
        for number, step in enumerate(program.steps):
            for position, operand in enumerate(step.args):
                if isinstance(operand, Slot):
                    self.readers.setdefault(operand.index, []).append(OperandPlace(number, position))

    def is_colour(self, place: OperandPlace) -> bool:
        """Tell whether a place expects a colour."""
        step = self.program.steps[place.step]
        if place.position < 0 or step.callee is None:
            return False
        mask = self._mask(step.callee)
        if place.position < len(mask) and mask[place.position]:
            return True
        op = self._op(step.callee)
        if op is None or len(step.args) != op.arity:
            return False
        if op.known.calls:
            return any(self._is_colour_in(call, op, step, place.position) for call in _reading(op, place.position))
        if op is OPS["equality"]:
            return self._made_as_colour(step.args[1 - place.position])
        scheme = next(iter(schemes(op.known.types)), None)
        if scheme and place.position in scheme.chosen_from and place.position:
            # A choice among colours: the reader of the choice expects one.
            slot = self.program.arity + place.step
            return any(self.is_colour(reader) for reader in self.readers.get(slot, ()))
        beside = _container_beside(op, place.position)
        return beside is not None and self._made_by(step.args[beside]) is OPS["palette"]

    def _is_colour_in(self, call: Called, op: Op, step: Step, position: int) -> bool:
        """Tell whether a call of a made function expects a colour where it reads argument `position` of its maker."""
        at = call.args.index(op.params[position])
        if call.function in op.params:
            mask = self._mask(step.args[op.params.index(call.function)])
            # Count from the end if the arguments before it vary in number.
            found = mask[at - len(call.args) :][:1] if ALL_GIVEN in call.args[:at] else mask[at : at + 1]
            return found == (True,)
        others = [arg for arg in call.args if isinstance(arg, Called) and arg.function in op.params]
        return call.function == "equality" and any(
            self._gives_colour(step.args[op.params.index(each.function)]) for each in others
        )

    def _step(self, operand: Operand | None) -> Step | None:
        """Return the step that made an operand, or None."""
        if isinstance(operand, Slot) and operand.index >= self.program.arity:
            return self.program.steps[operand.index - self.program.arity]
        return None

    def _op(self, operand: Operand | None) -> Op | None:
        """Return the primitive that an operand names in the source, or None."""
        return operand.value if isinstance(operand, Literal) and isinstance(operand.value, Op) else None

    def _made_by(self, operand: Operand) -> Op | None:
        step = self._step(operand)
        return self._op(step.callee) if step else None

    def _made_as_colour(self, operand: Operand) -> bool:
        step = self._step(operand)
        return step is not None and step.callee is not None and self._gives_colour(step.callee)

    def _mask(self, function: Operand) -> tuple[bool, ...]:
        """Return which parameters of a function are colours; empty if unknown."""
        op = self._op(function)
        if op:
            return tuple([param in op.known.colours.split() for param in op.params])
        maker, args = self._maker(function)
        reading = (
            [call for given in (GIVEN, ALL_GIVEN) for call in called(maker.known.calls).reading(given)] if maker else []
        )
        if maker is None or len(reading) != 1 or reading[0].function not in maker.params:
            return ()
        at = reading[0].args.index(GIVEN if GIVEN in reading[0].args else ALL_GIVEN)
        mask = self._mask(args[maker.params.index(reading[0].function)])
        return mask[at : len(mask) - (len(reading[0].args) - 1 - at)]

    def _gives_colour(self, function: Operand) -> bool:
        op = self._op(function)
        if op:
            return RESULT in op.known.colours.split()
        maker, args = self._maker(function)
        outer = called(maker.known.calls).function if maker else ""
        return maker is not None and outer in maker.params and self._gives_colour(args[maker.params.index(outer)])

    def _maker(self, function: Operand) -> tuple[Op | None, tuple[Operand, ...]]:
        """Return the primitive that made a function, and its arguments."""
        step = self._step(function)
        op = self._op(step.callee) if step else None
        if step is None or op is None or not op.known.calls or len(step.args) != op.arity:
            return None, ()
        return op, step.args


def _reading(op: Op, position: int) -> list[Called]:
    return called(op.known.calls).reading(op.params[position])


@cache
def _container_beside(op: Op, position: int) -> int | None:
    """Return which argument of a binary op holds items of the other's type, or None."""
    for scheme in schemes(op.known.types):
        if len(scheme.params) == 2:
            one, other = scheme.params[position], scheme.params[1 - position]
            if isinstance(one, Var) and isinstance(other, Items) and other.item == Var(one.name):
                return 1 - position
    return None
