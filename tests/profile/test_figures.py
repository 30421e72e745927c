"""Sums of a profile: calls are those of the reference, steps add up to the results', shares to the whole."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from batt.bytecode.image import NOTHING
from batt.bytecode.opcodes import CALLERS, Code
from batt.front import Deck
from batt.profile.code import ImageCode
from batt.profile.figures import MACHINE, STAGE, Figures, figures
from batt.profile.run import Run, profile
from batt.runtime import Limits, Status
from counting import DECK, PLAIN, evaluations, reference_calls, samples
from native_library import needs_library

pytestmark = needs_library


def told(deck: Deck, count: int = 12, **options: object) -> Figures:
    return figures(profile(deck, evaluations(deck, count), **options))  # type: ignore[arg-type]


@pytest.mark.parametrize("deck", [DECK, PLAIN], ids=["all", "plain"])
def test_calls_by_op_are_those_of_the_reference(deck: Deck):
    expected = reference_calls(deck, samples(), Limits())
    found = {row.op: row.spent.calls for row in told(deck).by_op if row.op != MACHINE}
    assert found == {name: count for name, count in expected.items() if name not in CALLERS}


@pytest.mark.parametrize("deck", [DECK, PLAIN], ids=["all", "plain"])
def test_a_call_that_is_refused_for_its_cost_may_count(deck: Deck):
    run = profile(deck, evaluations(deck), limits=Limits(steps=25))
    expected = reference_calls(deck, samples(), run.limits)
    found = {row.op: row.spent.calls or 0 for row in figures(run).by_op if row.op != MACHINE}
    surplus = {name: count - expected[name] for name, count in found.items()}
    assert min(surplus.values()) >= 0
    assert sum(surplus.values()) <= (run.timed.records["status"] == Status.OVER_BUDGET).sum()


def test_calls_of_loops_are_those_of_the_reference():
    expected = reference_calls(DECK, samples(), Limits())
    found: Counter[str] = Counter()
    for row in told(DECK).by_pattern:
        found[row.pattern.partition("[")[0]] += row.spent.calls or 0
    assert found == {name: count for name, count in expected.items() if name in CALLERS}


def test_steps_of_kernels_are_all_steps_where_there_is_nothing_else():
    found = told(PLAIN)
    machine = next(row for row in found.by_op if row.op == MACHINE)
    assert (machine.spent.steps, machine.spent.calls) == (0, None)
    assert sum(row.spent.steps or 0 for row in found.by_op) == found.steps


def charged_outside(run: Run, code: ImageCode, routine: int, evaluations: int) -> int:
    """Steps that a solver's own CHARGE and RECHARGE instructions take, the latter those of their counter's writer."""
    by_word, writers, steps = run.instructions.counted.tallies.by_word, dict[int, int](), 0
    for each in code.listing.instructions(routine):
        if each.opcode == Code.CHARGE:
            assert not each.operands
            steps += evaluations * each.immediates[0]
        elif each.opcode == Code.RECHARGE:
            steps += int(by_word["steps"][writers[each.counter] - code.layout.code_at])
        elif each.counter != NOTHING:
            writers[each.counter] = each.at
    return steps


def test_steps_of_a_solvers_own_instructions_and_charges_are_those_of_its_results():
    run = profile(DECK, evaluations(DECK))
    code = ImageCode(run.image)
    by_word = run.instructions.counted.tallies.by_word["steps"]
    by_routine: Counter[int] = Counter()
    for place in code.places():
        by_routine[place.routine] += int(by_word[place.word])
    rows = {row.solver: row.spent.steps for row in figures(run).by_solver}
    for name, routine in zip(code.names, code.layout.slices, strict=True):
        assert by_routine[routine] + charged_outside(run, code, routine, 12) == rows[name], name


def test_ops_and_solvers_add_up_to_the_whole():
    found = told(DECK, 200)
    for rows in (found.by_op, found.by_solver):
        assert sum(row.spent.steps or 0 for row in rows) == found.steps
    assert sum(row.spent.time_s for row in found.by_solver) == pytest.approx(found.time_s)
    assert sum(row.spent.share for row in found.by_solver) == pytest.approx(1)
    assert sum(row.spent.time_s for row in found.by_op) >= 0.999 * found.ops_s
    assert sum(row.spent.time_s for row in found.by_evaluation[:1_000]) <= found.time_s * 1.001


def test_what_is_shared_is_a_row_of_its_own():
    found = told(DECK, share=True)
    ahead = next(row for row in found.by_solver if row.solver == STAGE)
    assert ahead.spent.time_s == found.ahead_s > 0
    (row,) = [row for row in found.by_step if row.step == "objects(I, #1, #0, #0)"]
    assert (row.ahead, row.held_by, row.spent.calls) == (True, ("solve_loops", "solve_best"), 12)
    assert STAGE not in [row.solver for row in told(DECK).by_solver]


def test_a_step_that_solvers_share_is_one_row_that_names_them():
    (row,) = [row for row in told(DECK).by_step if row.step == "objects(I, #1, #0, #0)"]
    assert (row.ahead, row.solvers, row.held_by) == (False, 2, ("solve_loops", "solve_best"))
    assert row.spent.calls == 24


def test_evaluations_are_told_by_name_the_costliest_first():
    found = told(DECK)
    times_s = [row.spent.time_s for row in found.by_evaluation]
    assert times_s == sorted(times_s, reverse=True)
    assert len({(row.solver, row.task, row.part, row.index) for row in found.by_evaluation}) == 96
    assert {(row.task, row.part) for row in found.by_evaluation} == {("t", "train")}


def test_what_went_over_its_budget_is_noted_and_no_step_counts_more_than_it():
    found = told(DECK, limits=Limits(steps=10))
    assert any("over their budget" in note for note in found.notes)
    for row in (*found.by_step, *found.by_op):
        assert (row.spent.steps or 0) <= 10 * (row.spent.calls or 0)
    assert next(row for row in found.by_op if row.op == MACHINE).spent.steps is None


def test_all_of_it_is_plain_data():
    plain = json.loads(json.dumps(told(DECK).as_json()))
    assert plain["by_op"][0].keys() == {"op", "family", "calls", "steps", "time_s", "share"}
    assert plain["by_step"][0].keys() == {
        *("step", "ahead", "solvers", "held_by"),
        *("calls", "steps", "time_s", "share"),
    }
    assert {len(plain[f"by_{view}"]) > 0 for view in ("op", "step", "solver", "pattern", "evaluation")} == {True}


def test_nothing_gives_empty_figures():
    found = told(DECK, 0)
    assert (found.evaluations, found.time_s, found.by_solver, found.by_evaluation) == (0, 0.0, (), ())
