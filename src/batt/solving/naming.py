"""Name the programs of many answers so that one file can hold them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable


def named_sources(texts: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return programs, given with their tasks, by name: `solve_ID`, and `solve_ID_2` for the next one of a task.

    Where two programs have different helpers of one name, the later one gets a number.
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
        for helper in list(_helpers(text, plain)):
            there = _helpers(text, plain)
            other, number = helper, 1
            while bodies.get(other, there[helper]) != there[helper] or (other in there and other != helper):
                number += 1
                other = f"{helper}_{number}"
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
