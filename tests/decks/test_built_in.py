"""Facts of the built-in deck: right on every pair, and broad enough to exercise the language."""

from __future__ import annotations

import ast
import dataclasses
from functools import cache
from importlib import resources

import pytest

import batt
from batt.front import Solver
from batt.ir import Literal, Operand, Program, Step
from batt.jobs import own_task, samples_of
from batt.ops import OPS, Op
from batt.runtime import Limits, Sample, Status, evaluate_one

DECK = batt.load_deck()
TASKS = batt.load_tasks("arc1-training")


@cache
def samples(solver: str) -> tuple[Sample, ...]:
    own = own_task(solver, TASKS.ids)
    assert own is not None
    return samples_of(TASKS.select([own]))


def outcomes(program: Program, solver: str) -> list[object]:
    found = [evaluate_one(program, sample, Limits(steps=1_000_000)) for sample in samples(solver)]
    return [outcome.value if outcome.status is Status.OK else (outcome.status, outcome.error) for outcome in found]


def without(step: Step, operand: Operand) -> Step:
    """The step with a primitive taken out: its first argument passes through, as a function it does nothing."""
    if operand is step.callee:
        return dataclasses.replace(step, callee=Literal(OPS["identity"]), args=step.args[:1])
    args = tuple([Literal(OPS["identity"]) if arg is operand else arg for arg in step.args])
    return dataclasses.replace(step, args=args)


def ops_that_matter(solver: Solver) -> set[str]:
    """Primitives whose removal from some step changes an output on the solver's own task."""
    program, found = solver.program, set()
    expected = outcomes(program, solver.name)
    for position, step in enumerate(program.steps):
        for operand in (step.callee, *step.args):
            if not (isinstance(operand, Literal) and isinstance(operand.value, Op)):
                continue
            if operand.value.name in {"identity", *found}:
                continue
            steps = (*program.steps[:position], without(step, operand), *program.steps[position + 1 :])
            if outcomes(dataclasses.replace(program, steps=steps), solver.name) != expected:
                found.add(operand.value.name)
    return found


@pytest.mark.parametrize("solver", DECK, ids=DECK.names)
def test_every_solver_is_right_on_all_pairs_of_its_task(solver):
    assert outcomes(solver.program, solver.name) == [sample.expected for sample in samples(solver.name)]


def test_at_least_sixty_solvers_use_at_least_110_primitives_in_steps_that_matter():
    assert len(DECK) >= 60
    assert len(set().union(*[ops_that_matter(solver) for solver in DECK])) >= 110


def test_no_two_solvers_are_the_same_program():
    assert len({solver.program for solver in DECK}) == len(DECK)


def test_every_definition_says_in_one_sentence_what_the_task_asks():
    for entry in resources.files("batt.decks").iterdir():
        if entry.name.endswith(".py") and entry.name != "__init__.py":
            for node in ast.parse(entry.read_text("utf-8")).body:
                if isinstance(node, ast.FunctionDef):
                    doc = ast.get_docstring(node) or ""
                    assert doc.endswith("."), node.name
                    assert "\n" not in doc.strip(), node.name
