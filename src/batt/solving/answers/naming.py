"""Name programs and their helpers so that one text, or one file of many programs, can hold them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from batt.front.naming import LAMBDA_NAME, lambda_of
from batt.ir import Literal, Operand, Program
from batt.ir.program import Helper


def named_sources(texts: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return programs, given with their tasks, by name: `solve_ID`, and `solve_ID_2` for the next one of a task.

    Where two programs have different helpers of one name, the later one gets a number. A lambda that calls one of these
    gets another name: that of a lambda is a digest of its body.
    """
    named: dict[str, str] = {}
    bodies: dict[str, str] = {}
    for task, text in texts:
        plain = f"solve_{task}"
        name, number = plain, 1
        while name in named:
            number += 1
            name = f"{plain}_{number}"
        # A helper comes after those that it calls, so its text has their final names.
        for helper, body in _helpers(text, plain).items():
            there = _helpers(text, plain)
            is_changed = LAMBDA_NAME.fullmatch(helper) and there[helper] != body
            base = helper.replace("lambda", "function") if is_changed else helper
            other, number = base, 1
            while bodies.get(other, there[helper]) != there[helper] or (other in there and other != helper):
                number += 1
                other = f"{base}_{number}"
            bodies[other] = there[helper]
            text = _renamed(text, helper, other)
        named[name] = _renamed(text, plain, name)
    return named


def _helpers(text: str, solver: str) -> dict[str, str]:
    """Return the bodies of the functions beside the solver by their names."""
    found = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef) and node.name != solver]
    return {node.name: "\n".join(map(ast.unparse, [node.args, *node.body])) for node in found}


def _renamed(text: str, name: str, other: str) -> str:
    return text if name == other else re.sub(rf"\b{name}\b", other, text)


def distinct_helpers(program: Program) -> Program:
    """Return a program whose helpers have different names: parts of several decks may have several of one name."""
    return _HelperNames().program(program)


class _HelperNames:
    """Renames helpers, those of equal digest alike."""

    def __init__(self) -> None:
        self._made: dict[str, Helper] = {}
        self._taken: set[str] = set()

    def program(self, program: Program) -> Program:
        steps = []
        for step in program.steps:
            callee = None if step.callee is None else self._operand(step.callee)
            steps.append(replace(step, callee=callee, args=tuple(map(self._operand, step.args))))
        return replace(program, steps=tuple(steps), result=self._operand(program.result))

    def _operand(self, operand: Operand) -> Operand:
        return Literal(self._value(operand.value)) if isinstance(operand, Literal) else operand

    def _value(self, value: Any) -> Any:
        if isinstance(value, Helper):
            return self._helper(value)
        return tuple(map(self._value, value)) if isinstance(value, tuple) else value

    def _helper(self, helper: Helper) -> Helper:
        if helper.digest not in self._made:
            inner = self.program(helper.program)
            base = lambda_of(inner).name if LAMBDA_NAME.fullmatch(helper.name) else helper.name
            name, number = base, 1
            while name in self._taken:
                number += 1
                name = f"{base}_{number}"
            self._taken.add(name)
            self._made[helper.digest] = Helper(name, inner)
        return self._made[helper.digest]
