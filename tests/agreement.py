"""Compiled programs against the reference engine: outcomes compared, steps included, and counterexamples made small."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

import handmade
from batt.errors import BattError
from batt.front import Deck
from batt.ir import Program
from batt.ir.graph import Graph
from batt.ir.interpreter import Interpreter
from batt.passes.specialize import specialize
from batt.runtime import Limits, Outcome, Sample, Status, evaluate_one, outcome_of

GRIDS = (((0, 2, 2), (0, 0, 2), (1, 0, 0)), ((5,),), ((1, 2, 3, 4), (4, 3, 2, 1)))
BUDGETS = (Limits(20_000, 5_000), Limits(60, 5_000), Limits(20_000, 1), Limits(20_000, 2), Limits(150, 3))


def read(text: str) -> Program:
    """The program `solve` of a text."""
    return Deck.from_sources({"solve": text})["solve"].program


def compiled(graph: Graph, name: str, sample: Sample, limits: Limits) -> Outcome:
    """The outcome of a slice, as the reference engine would state it."""
    interpreter = Interpreter(graph, (sample.demonstrations, sample.input, None))
    return outcome_of(lambda: interpreter.run_slice(graph.slice_of(name)), limits)


def difference(graph: Graph, name: str, program: Program, sample: Sample, limits: Limits) -> str:
    """What a slice does otherwise than the reference engine, in words; empty where they agree."""
    got, expected = compiled(graph, name, sample, limits), evaluate_one(program, sample, limits)
    shown = [f"{each.status.word} {each.error} in {each.steps} steps" for each in (got, expected)]
    if (got.status, got.error) != (expected.status, expected.error):
        return f"{shown[0]}, expected {shown[1]}"
    if got.value != expected.value:
        return f"{got.value}, expected {expected.value}"
    if got.status is not Status.OVER_BUDGET and got.steps != expected.steps:
        return f"{shown[0]}, expected {shown[1]}"
    return ""


def first_order(*lines: str, helpers: str = "", params: str = "I") -> Graph:
    """The graph of these lines, which does what the reference engine does with them."""
    program = read(helpers + handmade.source("solve", *lines, params=params))
    found = specialize([("solve", program)])
    assert not found.left_out
    for grid in GRIDS:
        for limits in BUDGETS:
            assert not difference(found.graph, "solve", program, handmade.sample(grid), limits)
    return found.graph


def reason(*lines: str, helpers: str = "") -> str:
    """Why these lines are left to the reference engine."""
    return specialize([("solve", read(helpers + handmade.source("solve", *lines)))]).left_out["solve"]


def shrunk(source: str, still_fails: Callable[[str], bool]) -> str:
    """A smaller source that still fails: lines dropped, expressions replaced by parts of them."""
    while True:
        for smaller in _smaller(source):
            try:
                found = still_fails(smaller)
            except BattError:
                continue
            if found:
                source = smaller
                break
        else:
            return source


def _smaller(source: str) -> Iterator[str]:
    module = ast.parse(source)
    for at in range(len(module.body) - 1):
        yield ast.unparse(ast.Module([*module.body[:at], *module.body[at + 1 :]], []))
    for definition in module.body:
        assert isinstance(definition, ast.FunctionDef)
        body = definition.body
        for at in reversed(range(len(body) - 1)):
            definition.body = [*body[:at], *body[at + 1 :]]
            yield ast.unparse(module)
        definition.body = body
        for statement in body:
            yield from _with_simpler_parts(module, statement)


def _with_simpler_parts(module: ast.Module, statement: Any) -> Iterator[str]:
    """The text with one expression of a statement replaced by a part of it, or by something plain."""
    for parent in list(ast.walk(statement)):
        for name, child in list(ast.iter_fields(parent)):
            children = child if isinstance(child, list) else [child]
            for at, node in enumerate(children):
                if not isinstance(node, ast.Call | ast.Tuple):
                    continue
                parts = [*node.args, node.func] if isinstance(node, ast.Call) else node.elts
                for part in [*parts, ast.Name("I"), ast.Name("ONE"), ast.Name("identity")]:
                    _set(parent, name, at, part)
                    yield ast.unparse(module)
                    _set(parent, name, at, node)


def _set(parent: ast.AST, name: str, at: int, node: ast.AST) -> None:
    field = getattr(parent, name)
    if isinstance(field, list):
        field[at] = node
    else:
        setattr(parent, name, node)
