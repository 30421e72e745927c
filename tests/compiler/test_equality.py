"""Every solver in the batt of all of them, alone, and on the reference engine: one outcome, the same steps."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import batt
from batt.bench.frozen import first_132
from batt.codegen.plan import plan
from batt.compiler import compile_programs
from batt.front import Solver
from batt.ir.graph import Level
from batt.ir.interpreter import Interpreter
from batt.jobs import own_task, samples_of
from batt.runtime import Limits, Outcome, Sample, Status, evaluate_one, outcome_of
from rearc import verifiers
from staged import Stages

LIMITS = Limits(steps=300_000, max_items=200_000)
TIGHT = Limits(steps=2_000, max_items=300)


@pytest.fixture(scope="module")
def solvers() -> list[Solver]:
    return [*first_132(), *verifiers()]


def stated(outcome: Outcome) -> tuple[object, ...]:
    """An outcome without the steps of what was over budget: where it stopped is not part of the meaning."""
    steps = None if outcome.status is Status.OVER_BUDGET else outcome.steps
    return outcome.status, outcome.error, outcome.value, steps


def run(interpreter: Interpreter, name: str, limits: Limits) -> tuple[object, ...]:
    return stated(outcome_of(lambda: interpreter.run_slice(interpreter.graph.slice_of(name)), limits))


def chosen(solvers: list[Solver], each: int, seed: int) -> dict[Sample, list[Solver]]:
    """Own samples first and then foreign ones, for every solver, by sample."""
    tasks = batt.load_tasks("arc1-training")
    samples, chooser = samples_of(tasks), random.Random(seed)
    found: dict[Sample, list[Solver]] = {}
    for solver in solvers:
        own = [sample for sample in samples if sample.task == own_task(solver.name, tasks.ids)]
        for sample in (own[: each // 2] + chooser.sample(samples, each))[:each]:
            found.setdefault(sample, []).append(solver)
    return found


def differences(solvers: list[Solver], each: int, seed: int) -> Iterator[str]:
    everything = compile_programs([(solver.name, solver.program) for solver in solvers])
    alone = {s.name: compile_programs([(s.name, s.program)]).graph for s in solvers}
    staged = plan(everything.graph)
    assert any(entry.level is Level.SAMPLE for entry in staged.entries), (
        "nothing is materialised: the test would show nothing"
    )
    chooser = random.Random(seed)
    for sample, meeting in chosen(solvers, each, seed).items():
        inputs = sample.demonstrations, sample.input, None
        limits = chooser.choice([LIMITS, LIMITS, LIMITS, TIGHT])
        shared = Stages(everything.graph, staged, limits.steps, limits.max_items).interpreter(inputs)
        for solver in meeting:
            if solver.name in everything.left_out:
                continue
            wanted = stated(evaluate_one(solver.program, sample, limits))
            runs = {
                "in the batt of all": run(Interpreter(everything.graph, inputs), solver.name, limits),
                "with materialised steps": run(shared, solver.name, limits),
                "alone": run(Interpreter(alone[solver.name], inputs), solver.name, limits),
            }
            for where, got in runs.items():
                if got != wanted:
                    yield f"{solver.name} on {sample.task} {sample.part.value} {sample.index} {where}: {got} {wanted}"


def test_sharing_changes_no_outcome(solvers):
    assert list(differences(solvers, each=1, seed=1)) == []


@pytest.mark.slow
def test_sharing_changes_no_outcome_on_sixty_samples_for_each_solver(solvers):
    assert list(differences(solvers, each=60, seed=2)) == []


def test_all_but_two_verifiers_become_first_order(solvers):
    left_out = compile_programs([(solver.name, solver.program) for solver in solvers]).left_out
    assert set(left_out) == {"verify_6aa20dc0", "verify_73251a56"}
