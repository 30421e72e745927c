"""Rewrite a program to take operands from the demonstrations.

Each source of a value is a short program of S alone, so that it is staged once for all pairs of a task.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum

from batt.errors import never
from batt.ir import Helper, Literal, Operand, Program, Slot, Step
from batt.ops import OPS
from batt.variants.places import MOVES, OperandPlace

DEMONSTRATIONS = Slot(0)


class ValueSource(Enum):
    """The source of a value; the words are the suffixes of names.

    `IZ`: the first colour of the demonstrations' inputs that is in none of their outputs, `IZ_LAST` the last. `ZO`:
    the first colour of the outputs that is in none of the inputs, `ZO_LAST` the last. `MR`: the first mirror or
    rotation that turns every input into its output. `MF`: the first with which the solver does.
    """

    IZ = "iz"
    IZ_LAST = "izl"
    ZO = "zo"
    ZO_LAST = "zol"
    MR = "mr"
    MF = "mf"

    @property
    def words(self) -> str:
        """Return its value, in words."""
        match self:
            case ValueSource.IZ:
                return "the first colour that only inputs have"
            case ValueSource.IZ_LAST:
                return "the last colour that only inputs have"
            case ValueSource.ZO:
                return "the first colour that only outputs have"
            case ValueSource.ZO_LAST:
                return "the last colour that only outputs have"
            case ValueSource.MR:
                return "the move that turns inputs into outputs"
            case ValueSource.MF:
                return "the move with which it fits the demonstrations"
        never(self)


class Prologue:
    """Steps over S, in slot 0, that come before all others. An equal step is added once."""

    def __init__(self, arity: int) -> None:
        self.arity = arity
        self.steps: list[Step] = []

    def add(self, source: ValueSource, solver: Helper | None = None) -> Slot:
        """Add the steps of a source. Return the slot of its value. `MF` needs a solver (I, move)."""
        inputs, outputs = self._grids()
        if source in (ValueSource.MR, ValueSource.MF):
            return self._add_move(inputs, outputs, solver)
        before = self._call("before", "dedupe", self._call("colours_before", "mapply", _op("palette"), inputs))
        after = self._call("after", "dedupe", self._call("colours_after", "mapply", _op("palette"), outputs))
        if source in (ValueSource.IZ, ValueSource.IZ_LAST):
            left, name = self._call("vanishing", "difference", before, after), "vanished"
        else:
            left, name = self._call("appearing", "difference", after, before), "appeared"
        end = "last" if source in (ValueSource.IZ_LAST, ValueSource.ZO_LAST) else "first"
        return self._call(f"{name}_{end}" if end == "last" else name, end, left)

    def _add_move(self, inputs: Slot, outputs: Slot, solver: Helper | None) -> Slot:
        moved = self._call("moved", "rbind", _op("apply"), inputs)
        if solver is not None:
            # move -> the solver's results for all inputs with that move
            solving = self._call("solving", "lbind", _op("rbind"), Literal(solver))
            moved = self._call("solved", "compose", moved, solving)
        is_right = self._call("is_right", "matcher", moved, outputs)
        return self._call("turn", "extract", Literal(tuple([OPS[name] for name in MOVES])), is_right)

    def _grids(self) -> tuple[Slot, Slot]:
        inputs = self._call("inputs", "apply", _op("first"), DEMONSTRATIONS)
        return inputs, self._call("outputs", "apply", _op("last"), DEMONSTRATIONS)

    def _call(self, target: str, name: str, *args: Operand) -> Slot:
        step = Step(_op(name), args, target, 0)
        if step not in self.steps:
            self.steps.append(step)
        return Slot(self.arity + self.steps.index(step))


def source_program(source: ValueSource, solver: Helper | None = None) -> Program:
    """Return the program (S, I, C) whose value is that of the source."""
    prologue = Prologue(3)
    result = prologue.add(source, solver)
    return Program(("S", "I", "C"), 3, tuple(prologue.steps), result)


def rewritten(program: Program, taken: Mapping[ValueSource, Iterable[OperandPlace]]) -> Program:
    """Return the program (S, I, C) that takes the operands at the places `taken` from the demonstrations."""
    prologue = Prologue(3)
    slots = {place: prologue.add(source) for source, places in taken.items() for place in places}
    is_of_input = program.arity == 1
    params = ("S", program.params[0], "C") if is_of_input else program.params
    steps, result = _moved(
        program, (Slot(1),) if is_of_input else (Slot(0), Slot(1), Slot(2)), prologue.steps, 3, slots
    )
    return Program(params, 3, steps, result)


def with_move(program: Program, places: Iterable[OperandPlace], name: str) -> Helper:
    """Return a program (I) as a function of the grid and of the move at `places`."""
    steps, result = _moved(program, (Slot(0),), (), 2, dict.fromkeys(places, Slot(1)))
    return Helper(name, Program((program.params[0], "turn"), 2, steps, result))


def fitted(solver: Helper) -> Program:
    """Return the program (S, I, C) that calls a solver (I, move) with the move that fits the demonstrations."""
    found = source_program(ValueSource.MF, solver)
    step = Step(Literal(solver), (Slot(1), found.result), "result", 0)
    return Program(found.params, 3, (*found.steps, step), Slot(3 + len(found.steps)))


def _moved(
    program: Program, params: Sequence[Slot], before: Sequence[Step], arity: int, taken: Mapping[OperandPlace, Slot]
) -> tuple[tuple[Step, ...], Operand]:
    """Return a program's steps after `before`, with parameters and `taken` operands in other slots; and its result."""

    def moved(operand: Operand) -> Operand:
        if isinstance(operand, Literal):
            return operand
        own = operand.index - program.arity
        return params[operand.index] if own < 0 else Slot(arity + len(before) + own)

    steps = list(before)
    for number, step in enumerate(program.steps):
        callee = step.callee and (taken.get(OperandPlace(number, -1)) or moved(step.callee))
        args = [taken.get(OperandPlace(number, at)) or moved(arg) for at, arg in enumerate(step.args)]
        steps.append(Step(callee, tuple(args), step.target, step.line))
    return tuple(steps), moved(program.result)


def _op(name: str) -> Literal:
    return Literal(OPS[name])
