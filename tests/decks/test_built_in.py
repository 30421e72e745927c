"""Facts of the built-in deck: right on every pair, general, and broad enough to exercise the language."""

from __future__ import annotations

import ast
import dataclasses
from functools import cache
from importlib import resources

import numpy as np
import pytest

import batt
from batt.bytecode.abi import Equality
from batt.front import Solver
from batt.ir import Literal, Operand, Program, Step
from batt.jobs import own_task, samples_of
from batt.ops import NEW_WORDS, OPS, Op
from batt.runtime import Limits, Sample, Status, evaluate_one
from batt.tasks import Tasks
from generated import COUNT, generated, generators
from generated_rates import RATES
from native_library import needs_library

DECK = batt.load_deck()
TASKS = batt.load_tasks("arc1-training")
LIMITS = Limits(steps=10_000_000)
LEAST = 0.9
"""The share of generated samples that a solver must get right, unless `RATES` lists it."""


@cache
def samples(solver: str) -> tuple[Sample, ...]:
    own = own_task(solver, TASKS.ids)
    assert own is not None
    return samples_of(TASKS.select([own]))


def outcomes(program: Program, solver: str) -> list[object]:
    found = [evaluate_one(program, sample, LIMITS) for sample in samples(solver)]
    return [outcome.value if outcome.status is Status.OK else (outcome.status, outcome.error) for outcome in found]


def without(step: Step, operand: Operand) -> Step:
    """The step with a primitive taken out: its first argument passes through, as a function it does nothing."""
    if operand is step.callee:
        return dataclasses.replace(step, callee=Literal(OPS["identity"]), args=step.args[:1])
    args = tuple([Literal(OPS["identity"]) if arg is operand else arg for arg in step.args])
    return dataclasses.replace(step, args=args)


def ops_that_matter(solver: Solver, known: set[str]) -> set[str]:
    """Primitives not known yet whose removal from some step changes an output on the solver's own task."""
    program, found = solver.program, set()
    expected = outcomes(program, solver.name)
    for position, step in enumerate(program.steps):
        for operand in (step.callee, *step.args):
            if not (isinstance(operand, Literal) and isinstance(operand.value, Op)):
                continue
            if operand.value.name in {"identity", *known, *found}:
                continue
            steps = (*program.steps[:position], without(step, operand), *program.steps[position + 1 :])
            if outcomes(dataclasses.replace(program, steps=steps), solver.name) != expected:
                found.add(operand.value.name)
    return found


@needs_library
def test_every_solver_is_right_on_all_pairs_of_its_task():
    results = batt.evaluate(DECK, TASKS, own=True, limits=LIMITS)
    right = (results.fits & results.correct).any(axis=1)
    assert [DECK.names[at] for at in np.flatnonzero(~right)] == []


@pytest.mark.parametrize("solver", DECK[::20], ids=DECK.names[::20])
def test_the_reference_engine_agrees(solver: Solver):
    assert outcomes(solver.program, solver.name) == [sample.expected for sample in samples(solver.name)]


@needs_library
def test_solvers_that_read_demonstrations_fit_without_seeing_their_answer():
    readers = DECK.select([solver.name for solver in DECK if solver.takes_demonstrations])
    results = batt.evaluate(readers, TASKS, own=True, leave_out=True, limits=LIMITS)
    assert len(readers) >= 7
    assert (results.fits & results.correct).any(axis=1).all()


def test_there_is_a_solver_for_all_training_tasks_but_one():
    solved = {own_task(solver.name, TASKS.ids) for solver in DECK}
    assert set(TASKS.ids) - solved == {"e5062a87"}
    assert len(DECK) == len(solved) == 399


def test_its_solvers_use_at_least_110_primitives_in_steps_that_matter():
    found: set[str] = set()
    for solver in DECK:
        found |= ops_that_matter(solver, found)
        if len(found) >= 110:
            return
    pytest.fail(f"only {len(found)} primitives matter")


@pytest.mark.slow
def test_every_primitive_but_identity_is_used_in_a_step_that_matters():
    found: set[str] = set()
    for solver in DECK:
        found |= ops_that_matter(solver, found)
    assert OPS.keys() - found == {"identity"}


@pytest.mark.parametrize("word", NEW_WORDS)
def test_a_new_word_is_used_where_its_removal_changes_an_output(word: str):
    used = [solver for solver in DECK if uses(solver.program, word)]
    assert used
    for solver in used:
        steps = solver.program.steps
        for operand in [each for step in steps for each in (step.callee, *step.args) if is_op(each, word)]:
            steps = tuple([without(step, operand) if operand in (step.callee, *step.args) else step for step in steps])
        removed = dataclasses.replace(solver.program, steps=steps)
        assert outcomes(removed, solver.name) != outcomes(solver.program, solver.name)


def uses(program: Program, word: str) -> bool:
    return any(is_op(operand, word) for step in program.steps for operand in (step.callee, *step.args))


def is_op(operand: Operand | None, name: str) -> bool:
    return isinstance(operand, Literal) and isinstance(operand.value, Op) and operand.value.name == name


def test_no_two_solvers_are_the_same_program():
    assert len({solver.program for solver in DECK}) == len(DECK)


def test_a_file_has_its_solvers_from_short_to_long():
    for entry in files():
        lengths = [len(node.body) for node in entry.body if is_definition(node) and node.name.startswith("solve_")]
        assert lengths == sorted(lengths)


def test_every_definition_says_in_one_sentence_what_the_task_asks():
    for entry in files():
        assert (ast.get_docstring(entry) or "").endswith(".")
        for node in filter(is_definition, entry.body):
            doc = ast.get_docstring(node) or ""
            assert doc.endswith("."), node.name
            assert "\n" not in doc.strip(), node.name


def files() -> list[ast.Module]:
    found = [each for each in resources.files("batt.decks").iterdir() if each.name.endswith(".py")]
    return [ast.parse(each.read_text("utf-8")) for each in found if each.name != "__init__.py"]


def is_definition(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef)


@pytest.mark.slow
@needs_library
@pytest.mark.skipif(generators() is None, reason="reasoning-gym is not installed: pip install --no-deps reasoning-gym")
def test_every_solver_is_right_on_generated_samples_at_its_rate():
    made = {solver.name: generated(solver.name.removeprefix("solve_")) for solver in DECK}
    results = batt.evaluate(DECK, Tasks(tuple(made.values()), "generated"), own=True, limits=Limits(steps=10_000_000))
    rates = {}
    for position, name in enumerate(DECK.names):
        numbers, _ = results.evaluations.of_solver(position)
        assert len(numbers) == COUNT
        rates[name.removeprefix("solve_")] = int((results.records[numbers]["equal"] == Equality.YES).sum())
    assert {name: right for name, right in rates.items() if right < LEAST * COUNT} == RATES
