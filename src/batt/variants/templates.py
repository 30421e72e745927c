"""Templates: programs whose constants are parameters, so that one image serves every assignment of values.

A template is a program of (S, I, C, P0, P1, …), made by code: no deck has such a solver. With its own values it gives
the outcome of the program that it was made of, with the same steps.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import product
from typing import Any

from batt.errors import DataError, UsageError
from batt.front.module import read_module
from batt.ir import Literal, Operand, Program, Slot, Step
from batt.ir.functions import all_helpers, words_lines
from batt.ir.graph import INPUTS, inputs_of
from batt.ir.writing import definition_text
from batt.ops import Op
from batt.types import Kind
from batt.variants.places import OperandPlace, colour_places

NAME = "template"
_LINE = re.compile(r"(P\d+): (\w+) (.+)")
_UNITS = frozenset({-1, 0, 1})


class ParameterKind(Enum):
    """The meaning of the value of a parameter."""

    COLOUR = "colour"
    NUMBER = "number"
    PAIR = "pair"
    DIRECTION = "direction"
    FLAG = "flag"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter: its kind, and the constant that it replaces."""

    kind: ParameterKind
    value: Any


@dataclass(frozen=True, slots=True)
class Template:
    """A program with its parameters. `arity` is that of the solver that it was made of: (I) or (S, I, C)."""

    program: Program
    parameters: tuple[Parameter, ...]
    arity: int

    @property
    def values(self) -> tuple[Any, ...]:
        """The constants that the parameters replace."""
        return tuple([each.value for each in self.parameters])

    def assignments(self, choices: Mapping[ParameterKind, Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
        """Yield every assignment: for each parameter a value of the `choices` for its kind, else its own."""
        return product(*[choices.get(each.kind, (each.value,)) for each in self.parameters])

    def fill(self, values: Sequence[Any]) -> Program:
        """Return the ordinary solver with these values written in as constants."""
        if len(values) != len(self.parameters):
            raise UsageError(f"the template has {len(self.parameters)} parameters, got {len(values)} values")
        given: list[Operand] = [Slot(0)] if self.arity == 1 else [Slot(0), Slot(1), Slot(2)]
        inputs = [Slot(0)] * len(INPUTS) if self.arity == 1 else given
        return _rewritten(self.program, [*inputs, *map(Literal, values)], {}, _params(self.program, self.arity))

    @property
    def source(self) -> str:
        """Its source text: its helpers, then the definition, which says what its parameters are."""
        helpers = [definition_text(helper.program, helper.name) for helper in all_helpers(self.program)]
        lines = [f"P{at}: {each.kind.value} {each.value!r}" for at, each in enumerate(self.parameters)]
        doc = "\n".join([f"A template of a solver of {self.arity}.", *lines, ""])
        names = [*inputs_of(self.program.arity), *[f"x{at}" for at, _ in enumerate(self.program.steps, 1)]]
        return "\n\n".join(
            [*words_lines([self.program]), *helpers, definition_text(self.program, NAME, names, doc=doc)]
        )

    def __repr__(self) -> str:
        shown = ", ".join([f"{each.kind.value} {each.value!r}" for each in self.parameters])
        return f"<Template | {len(self.program.steps)} steps | {shown}>"


def make_template(program: Program, kinds: Collection[ParameterKind] = tuple(ParameterKind)) -> Template:
    """Return the template in which the constants of `kinds` of a solver are parameters.

    Equal constants of a kind are one parameter, but every flag is one of its own. Constants inside helpers stay.
    """
    parameters: list[Parameter] = []
    numbers: dict[tuple[ParameterKind, Any], int] = {}
    taken: dict[OperandPlace, Slot] = {}
    for place, kind, value in _constants(program):
        if kind not in kinds:
            continue
        key = kind, place if kind is ParameterKind.FLAG else value
        if key not in numbers:
            numbers[key] = len(parameters)
            parameters.append(Parameter(kind, value))
        taken[place] = Slot(len(INPUTS) + numbers[key])
    inputs = [Slot(1)] if program.arity == 1 else [Slot(0), Slot(1), Slot(2)]
    params = inputs_of(len(INPUTS) + len(parameters))
    return Template(_rewritten(program, inputs, taken, params), tuple(parameters), program.arity)


def read_template(text: str, file: str = "<template>") -> Template:
    """Read the text of a template back."""
    module = read_module(text, file)
    found = module.definitions.get(NAME)
    if module.mistakes or found is None:
        raise DataError(str(module.mistakes[0]) if module.mistakes else f"{file}: no definition {NAME!r}")
    node = ast.parse(found.text).body[0]
    said = (ast.get_docstring(node) if isinstance(node, ast.FunctionDef) else None) or ""
    head, *lines = said.split("\n")
    matched = [_LINE.fullmatch(line) for line in lines]
    parameters = [Parameter(ParameterKind(each[2]), ast.literal_eval(each[3])) for each in matched if each]
    if len(lines) != len(parameters) or found.program.arity != len(INPUTS) + len(parameters):
        raise DataError(f"{file}: the docstring has to name every parameter, such as 'P0: colour 3'")
    return Template(found.program, tuple(parameters), 1 if head.endswith(" 1.") else len(INPUTS))


def _constants(program: Program) -> Iterator[tuple[OperandPlace, ParameterKind, Any]]:
    """Yield the constants of a program that can be parameters, with their places and kinds, in order."""
    colours = {place for places in colour_places(program).values() for place in places}
    for number, step in enumerate(program.steps):
        for position, operand in enumerate(step.args):
            if isinstance(operand, Literal):
                place = OperandPlace(number, position)
                kind = ParameterKind.COLOUR if place in colours else _kind(step, position, operand.value)
                if kind is not None:
                    yield place, kind, operand.value


def _kind(step: Step, position: int, value: Any) -> ParameterKind | None:
    """Return the kind of a constant that is no colour; None if it is none of the kinds."""
    if isinstance(value, int):
        op = step.callee.value if isinstance(step.callee, Literal) else None
        kinds = [each.params[position] for each in op.signatures if position < op.arity] if isinstance(op, Op) else []
        is_flag = isinstance(value, bool) or (Kind.BOOL in kinds and value in (0, 1))
        return ParameterKind.FLAG if is_flag else ParameterKind.NUMBER
    if isinstance(value, tuple) and len(value) == 2 and all(type(each) is int for each in value):
        return ParameterKind.DIRECTION if any(value) and _UNITS.issuperset(value) else ParameterKind.PAIR
    return None


def _params(program: Program, arity: int) -> tuple[str, ...]:
    return (program.params[1],) if arity == 1 else program.params[: len(INPUTS)]


def _rewritten(
    program: Program, inputs: Sequence[Operand], taken: Mapping[OperandPlace, Slot], params: tuple[str, ...]
) -> Program:
    """Return the program with other operands for its parameters and at the places `taken`, and with these params."""
    shift = len(params) - program.arity

    def moved(operand: Operand) -> Operand:
        if isinstance(operand, Literal):
            return operand
        return inputs[operand.index] if operand.index < program.arity else Slot(operand.index + shift)

    steps = []
    for number, step in enumerate(program.steps):
        args = [taken.get(OperandPlace(number, at)) or moved(arg) for at, arg in enumerate(step.args)]
        steps.append(Step(step.callee and moved(step.callee), tuple(args), step.target, step.line))
    return Program(params, len(params), tuple(steps), moved(program.result))
