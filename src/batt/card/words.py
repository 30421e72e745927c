"""Values and names as a generated file spells them. Owns which words it uses, and so what it has to import."""

from __future__ import annotations

import ast
from typing import Any

from batt.card.steps import Constant, Input, Number, Operand
from batt.errors import InternalError, UsageError
from batt.ir import Helper
from batt.ops import CONSTANTS, EVERY_OP, OPS, Op

_BY_VALUE = {value: name for name, value in CONSTANTS.items() if name not in ("T", "F")}
"""0 and 1 by their names as numbers; T and F are written for truths alone."""


class Words:
    """The spelling of operands in one file, and the words that were used.

    A tuple that stands as an item of a tuple display has to be given by name; where the language has none, the file
    defines `K1`, `K2`, …
    """

    def __init__(self, plural: str = "") -> None:
        self.plural = plural
        self.ops: set[str] = set()
        self.helpers: dict[str, Helper] = {}
        self.constants: set[str] = set()
        self.defined: dict[Any, str] = {}

    def operand(self, operand: Operand) -> str:
        """An operand as an argument."""
        match operand:
            case Number(number):
                return f"t{number}{self.plural}"
            case Input(name):
                return f"{name}{self.plural}"
            case Constant(value):
                return self._named(value) or self._spelled(value)

    def item(self, operand: Operand) -> str:
        """An operand as an item of a tuple display."""
        if isinstance(operand, Constant) and isinstance(operand.value, tuple):
            return self._named(operand.value) or self._define(operand.value)
        return self.operand(operand)

    def callee(self, operand: Operand) -> str:
        """An operand as what is called, be it a function or not."""
        if isinstance(operand, Constant) and not isinstance(operand.value, Op | Helper):
            return self._named(operand.value) or self._define(operand.value)
        return self.operand(operand)

    def _named(self, value: Any) -> str | None:
        """The language's own name for a value, where it has one."""
        if isinstance(value, bool):
            name = "T" if value else "F"
        elif isinstance(value, int | tuple) and _is_plain(value) and value in _BY_VALUE:
            name = _BY_VALUE[value]
        else:
            return None
        self.constants.add(name)
        return name

    def _spelled(self, value: Any) -> str:
        """A value written out; numbers within tuples as digits, since a tuple's own name would mean another thing."""
        match value:
            case None:
                return "None"
            case bool():
                return self._named(value) or ""
            case int():
                return str(value)
            case tuple():
                items = [self._spelled(item) for item in value]
                return f"({', '.join(items)}{',' if len(items) == 1 else ''})"
            case Op():
                if check_op(value) in OPS:
                    self.ops.add(value.name)
                return value.name
            case Helper():
                self.helpers[value.name] = value
                return value.name
        raise InternalError(f"no source text stands for a {type(value).__name__}")

    def mention(self, text: str) -> None:
        """Note the words of the language that a definition of the deck uses."""
        named = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
        self.ops |= named & OPS.keys()
        self.constants |= named & CONSTANTS.keys()

    def _define(self, value: Any) -> str:
        return self.defined.setdefault(value, f"K{len(self.defined) + 1}")

    def definitions(self) -> list[str]:
        """The lines that define the file's own constants."""
        return [f"{name} = {self._spelled(value)}" for value, name in self.defined.items()]


def check_op(op: Op) -> str:
    """The name of a primitive; an op of the user's own is refused, as a generated file could not import it."""
    if EVERY_OP.get(op.name) is not op:
        raise UsageError(f"{op.name!r} is an op of your own in Python, and a batt stands alone: write it as a `def`")
    return op.name


def _is_plain(value: Any) -> bool:
    """Whether no part of a value is a truth, which is spelled otherwise than the number it equals."""
    return not isinstance(value, bool) and (not isinstance(value, tuple) or all(map(_is_plain, value)))
