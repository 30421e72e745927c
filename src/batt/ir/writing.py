"""Write programs as source text: literals, steps, helpers and definitions.

The text reads back as the same program: the same steps, the same literals. A program that no text can express is
refused. A lambda is written as a helper. Callers choose names, and which constants are written by name.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from enum import Enum, auto
from keyword import iskeyword, kwlist
from typing import Any, NamedTuple, Protocol

from batt.errors import InternalError
from batt.ir.functions import all_helpers, functions_of, words_lines
from batt.ir.program import Helper, Literal, Operand, Program, Slot, Step
from batt.ops import CONSTANTS, OPS, PYTHON, Op
from batt.ops.python import PART
from batt.types import form

INDENT = "    "
MAX_PARTS = 200
"""The most parts that a value may have to be written in place of the steps that make it."""
INTEGERS = range(-(2**63), 2**63)
"""Integers that a source can hold."""

_NAMES = {(type(value), value): name for name, value in CONSTANTS.items()}
_UNREAD = re.compile(r"_\d*")
_RESERVED = frozenset([*OPS, *CONSTANTS, *kwlist])
"""Names that slots never get."""


class Style(Enum):
    """The integers and pairs that are written by name. Booleans are T and F in every style."""

    DIGITS = auto()
    """None."""
    NAMES_OUTSIDE_TUPLES = auto()
    """Those that are not items of a tuple."""
    NAMES = auto()
    """All integers, and pairs that are not items of a tuple."""


class Numbering:
    """Makes names unique: the second use of a name gets the number 2, and so on."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._given = set(taken)
        self._last: dict[str, int] = {}

    def free(self, name: str) -> str:
        """Return `name`, with a number if it was given before."""
        free = name
        while free in self._given:
            self._last[name] = self._last.get(name, 1) + 1
            free = f"{name}_{self._last[name]}"
        self._given.add(free)
        return free


def literal_text(value: Any, style: Style = Style.DIGITS) -> str:
    """Return the text of a value in a source."""
    name = constant_name(value) if style is not Style.DIGITS else None
    return name or _spelled(value, style is Style.NAMES)


def constant_name(value: Any) -> str | None:
    """Return the language's name for a boolean, an integer or a pair of integers, or None."""
    # True equals 1, but has another name.
    is_plain = type(value) in (bool, int) or (type(value) is tuple and all(type(each) is int for each in value))
    return _NAMES.get((type(value), value)) if is_plain else None


def _spelled(value: Any, by_name: bool) -> str:
    """Return a value written out. A tuple inside it is never a name: that would make a step of the tuple around it."""
    if isinstance(value, tuple):
        items = [_spelled(each, by_name) for each in value]
        return f"({', '.join(items)}{_end_of_display(items)}"
    if isinstance(value, bool) or (by_name and isinstance(value, int)):
        return constant_name(value) or str(value)
    if value is None or (isinstance(value, int) and value in INTEGERS):
        return str(value)
    if isinstance(value, Op | Helper):
        return value.name
    raise InternalError(f"no source text stands for this {type(value).__name__}")


def constant_text(name: str, value: Any) -> str:
    """Return the line that defines a constant at the top level of a text; it holds no functions."""
    return f"{name} = {value!r}"


def is_writable(value: Any) -> bool:
    """Tell whether a source can hold `value`: an int, None, an op, or a tuple of such, not too large."""
    stack, parts = [value], 0
    while stack:
        top = stack.pop()
        parts += 1
        if isinstance(top, tuple):
            stack.extend(top[: MAX_PARTS + 1])
        elif not (top is None or isinstance(top, Op) or (isinstance(top, int) and top in INTEGERS)):
            return False
        if parts > MAX_PARTS:
            return False
    return True


class StepLike(Protocol):
    """A step of any kind: its callee, or None for a tuple, and its arguments. Each is a Literal or has a name."""

    @property
    def callee(self) -> Any:
        """The callee."""
        ...

    @property
    def args(self) -> tuple[Any, ...]:
        """The arguments, or the items of the tuple."""
        ...


class Phrase(NamedTuple):
    """A step as text: its target, and its value as an opening, items between commas, and a closing."""

    target: str
    opening: str
    items: list[str]
    closing: str

    def __str__(self) -> str:
        return f"{self.target} = {self.opening}{', '.join(self.items)}{self.closing}"


class Spelling(ABC):
    """The spelling of operands and steps in one text."""

    @abstractmethod
    def text(self, operand: Any) -> str:
        """Return an operand as an argument."""

    @abstractmethod
    def name(self, literal: Literal) -> str:
        """Return a name for a literal, which the text then has to define."""

    def called(self, callee: Any, args: list[str]) -> tuple[str, list[str]]:
        """Return the name of the callee of a line, and its arguments."""
        return self._as_name(callee), args

    def phrase(self, step: StepLike, target: str) -> Phrase:
        """Return a step as text. A literal that would mean something else in its place gets a name."""
        op = called_op(step)
        if op is not None and op.name == PART:
            return Phrase(_unpacking(target, step), self.text(step.args[0]), [], "")
        args = [self._as_name(arg) if _must_be_named(step, at) else self.text(arg) for at, arg in enumerate(step.args)]
        if step.callee is None:
            return Phrase(target, "(", args, _end_of_display(args))
        if op is None or op.group != PYTHON or len(args) != op.arity:
            name, args = self.called(step.callee, args)
            return Phrase(target, f"{name}(", args, ")")
        return Phrase(target, op.written.format(*args), [], "")

    def _as_name(self, operand: Any) -> str:
        text = self.text(operand)
        is_name = text.isidentifier() and not iskeyword(text)
        return text if is_name or not isinstance(operand, Literal) else self.name(operand)


def called_op(step: StepLike) -> Op | None:
    """Return the op that a step calls by name, or None."""
    function = _function(step.callee)
    return function if isinstance(function, Op) else None


def _function(operand: Any) -> Op | Helper | None:
    return operand.value if isinstance(operand, Literal) and isinstance(operand.value, Op | Helper) else None


def _must_be_named(step: StepLike, place: int) -> bool:
    """Tell whether a literal argument would mean something else if written in its place."""
    if step.callee is None:
        # A display of literals is a value itself; a display with a named tuple is a step.
        literals = [arg.value for arg in step.args if isinstance(arg, Literal)]
        return len(literals) == len(step.args) and isinstance(literals[place], tuple)
    op = called_op(step)
    arg = step.args[place]
    # `-3` is a number, and `-3[0]` negates an item.
    is_first = op is not None and op.name in ("py_neg", "py_item") and place == 0
    return is_first and isinstance(arg, Literal) and not isinstance(arg.value, tuple)


def _end_of_display(items: Sequence[str]) -> str:
    return ",)" if len(items) == 1 else ")"


def _unpacking(target: str, step: StepLike) -> str:
    """Return the targets that unpack a value, all but `target` unread: `_, b`."""
    parts = [arg.value for arg in step.args[1:] if isinstance(arg, Literal) and type(arg.value) is int]
    if len(parts) != 2 or not 0 <= parts[0] < parts[1]:
        raise InternalError("no source text unpacks a value in this way")
    names = ["_"] * parts[1]
    names[parts[0]] = target
    return ", ".join(names) + "," * (len(names) == 1)


class _Described(Spelling):
    """Operands as a person reads them: by their names in the source, or by the printed form of their value."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def text(self, operand: Operand) -> str:
        return self.program.slot_name(operand)

    def name(self, literal: Literal) -> str:
        return form(literal.value)


def describe(program: Program, step: Step) -> str:
    """Return one step as a line for a person: `x3 = fill(I, 2, x1)`."""
    return str(_Described(program).phrase(step, step.target))


class _DefinitionLines(Spelling):
    """The lines of one definition. A literal that needs a name gets a separate line."""

    def __init__(self, program: Program, wanted: Iterable[str], style: Style) -> None:
        taken = [each.name for each in functions_of(program)]
        self.used = Numbering(_RESERVED.union(taken))
        # An unread `_` takes no part of a value, so no slot may have that name.
        self.names = [self.used.free(f"x{each[1:]}" if _UNREAD.fullmatch(each) else each) for each in wanted]
        self.style = style
        self.lines: list[str] = []
        self.target = ""

    def text(self, operand: Operand) -> str:
        return self.names[operand.index] if isinstance(operand, Slot) else literal_text(operand.value, self.style)

    def name(self, literal: Literal) -> str:
        name = self.used.free(self.target)
        self.lines.append(f"{name} = {self.text(literal)}")
        return name

    def add(self, step: Step, target: str) -> None:
        """Add the line of a step, after lines for the literals that it needs by name."""
        function = _function(step.callee)
        if function is not None and len(step.args) != function.arity:
            raise InternalError(f"no source text calls {function.name} with {len(step.args)} arguments")
        if step.callee is None and is_literal(step.args):
            raise InternalError("no source text makes a step of a tuple of plain literals")
        self.target = target
        self.lines.append(str(self.phrase(step, target)))


def is_literal(items: Iterable[Operand]) -> bool:
    """Tell whether a tuple display of `items` is itself a literal, however it is written."""
    return all(isinstance(each, Literal) and not isinstance(each.value, tuple) for each in items)


def definition_text(
    program: Program, name: str, names: Sequence[str] | None = None, doc: str = "", style: Style = Style.DIGITS
) -> str:
    """Return a program as a definition, a line for each step, without the helpers that it calls.

    `names` are the names of the slots; the default is plain names. A name with another meaning there, or one that an
    earlier slot has, gets a number.
    """
    wanted = _plain_names(program, name) if names is None else names
    lines = _DefinitionLines(program, wanted, style)
    for target, step in zip(lines.names[program.arity :], program.steps, strict=True):
        lines.add(step, target)
    head = [f"def {name}({', '.join(lines.names[: program.arity])}):"]
    said = [f'{INDENT}"""{in_docstring(doc)}"""'] if doc else []
    body = [f"{INDENT}{line}" for line in [*lines.lines, f"return {lines.text(program.result)}"]]
    return "\n".join([*head, *said, *body, ""])


def names_of(program: Program) -> list[str]:
    """Return the names that the slots of a program had in its source."""
    return [*program.params, *[step.target for step in program.steps]]


def _plain_names(program: Program, name: str) -> list[str]:
    params = [f"a{number}" for number in range(1, program.arity + 1)]
    if name.startswith("solve") and program.arity in (1, 3):
        params = ["I"] if program.arity == 1 else ["S", "I", "C"]
    return [*params, *[f"x{number}" for number in range(1, len(program.steps) + 1)]]


def source_text(program: Program, name: str = "solve") -> str:
    """Return a program with plain names as a self-contained text: the line of new words, helpers, its definition."""
    helpers = all_helpers(program)
    if name in [each.name for each in helpers]:
        raise InternalError(f"{name!r} is the name of a helper of the program")
    texts = [definition_text(helper.program, helper.name) for helper in helpers]
    return "\n\n".join([*words_lines([program]), *texts, definition_text(program, name)])


def in_docstring(text: str) -> str:
    """Escape a text for use between triple quotes."""
    text = text.replace("\\", "\\\\")
    return text.replace('"', '\\"') if '"""' in text or text.endswith('"') else text
