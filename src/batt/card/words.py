"""Spell the operands of a generated file, and note its imports and definitions."""

from __future__ import annotations

import ast
import re
from typing import Any

from batt.card.steps import InputName, Number, Operand
from batt.errors import UsageError, never
from batt.ir import Helper, Literal
from batt.ir.functions import functions_in
from batt.ir.writing import Spelling, Style, constant_text, literal_text
from batt.ops import CONSTANTS, EVERY_OP, OPS, Op


class BattSpelling(Spelling):
    """The spelling of operands in one file, and the words in use.

    A literal that needs a name is `K1`, `K2`, …: a constant of the file, or, if it holds functions, a line before
    the one that uses it. In a batch, callees are words over many samples.
    """

    def __init__(self, batch: bool = False) -> None:
        self.batch = batch
        self.plural = "s" if batch else ""
        self.ops: set[str] = set()
        self.helpers: set[str] = set()
        self.constants: set[str] = set()
        self.batched: set[str] = set()
        self.defined: dict[Any, str] = {}
        self.constant_lines: list[str] = []
        self.lines: list[str] = []

    def text(self, operand: Operand) -> str:
        """Return an operand as an argument."""
        match operand:
            case Number(number):
                return f"t{number}{self.plural}"
            case InputName(name):
                return f"{name}{self.plural}"
            case Literal(value):
                return self._literal(value)
        never(operand)

    def name(self, literal: Literal) -> str:
        """Return the name of a literal, and add the line that defines it."""
        value = literal.value
        if value not in self.defined:
            name = self.defined[value] = f"K{len(self.defined) + 1}"
            if any(functions_in(value)):
                self.lines.append(f"{name} = {literal_text(value)}")
            else:
                self.constant_lines.append(constant_text(name, value))
        return self.defined[value]

    def take_lines(self) -> list[str]:
        """Return the lines that must precede the line written last."""
        taken, self.lines = self.lines, []
        return taken

    def called(self, callee: Operand, args: list[str]) -> tuple[str, list[str]]:
        """Return the callee of a line and its arguments: the function itself, or the word that calls it for a batch."""
        op = callee.value if isinstance(callee, Literal) else None
        if not self.batch:
            return super().called(callee, args)
        if isinstance(op, Op):
            name = f"batch_{check_op(op)}"
        else:
            function, args = super().called(callee, args)
            name, args = "batch_call", [function, *args]
        self.batched.add(name)
        return name, args

    def _literal(self, value: Any) -> str:
        """Return the text of a literal, and note the words in it."""
        text = literal_text(value, Style.NAMES_OUTSIDE_TUPLES)
        for function in functions_in(value):
            if isinstance(function, Helper):
                self.helpers.add(function.name)
            elif check_op(function) in OPS:
                self.ops.add(function.name)
        self.constants.update(CONSTANTS.keys() & re.findall(r"\w+", text))
        return text

    def mention(self, text: str) -> None:
        """Note the words of the language that a definition of the deck uses."""
        named = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
        self.ops |= named & OPS.keys()
        self.constants |= named & CONSTANTS.keys()


def check_op(op: Op) -> str:
    """Return the name of a primitive. Refuse an op of the user's own: a generated file could not import it."""
    if EVERY_OP.get(op.name) is not op:
        raise UsageError(f"{op.name!r} is an op of your own in Python, and a batt stands alone: write it as a `def`")
    return op.name
