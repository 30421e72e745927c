"""Solvers as one list of steps: what is shared, and what is not."""

from __future__ import annotations

import pytest

from batt.card.steps import InputName, Number, SharedStep, SharedSteps, merge_steps
from batt.errors import UsageError
from batt.front import Deck
from batt.ir import Literal
from batt.ir.graph import Level
from batt.ops import OPS
from dealt import deck_of
from handmade import deck, source


def steps_of(**solvers: tuple[str, ...]) -> SharedSteps:
    return merge_steps(deck(**solvers))


def test_equal_steps_of_two_solvers_are_one():
    steps = steps_of(solve_a=("x = vmirror(I)", "x = hmirror(x)"), solve_b=("y = vmirror(I)", "x = rot90(y)"))
    assert [step.callee for step in steps.steps] == [Literal(OPS[name]) for name in ("vmirror", "hmirror", "rot90")]
    assert [each.entries for each in steps.dealt] == [(1, 2), (1, 3)]
    assert steps.before == 4
    assert steps.holders() == {1: 2, 2: 1, 3: 1}


def test_nested_calls_are_steps_of_their_own_in_the_order_of_evaluation():
    steps = steps_of(solve_a=("x = vconcat(hmirror(I), vmirror(I))",))
    assert steps[3] == SharedStep(Literal(OPS["vconcat"]), (Number(1), Number(2)))


def test_a_step_that_a_solver_repeats_is_one_step_that_it_goes_through_twice():
    assert steps_of(solve_a=("y = vmirror(I)", "x = vmirror(I)")).dealt[0].entries == (1, 1)


def test_a_solver_of_one_parameter_shares_steps_with_one_of_three():
    found = Deck.from_sources(
        {
            "solve_a": source("solve_a", "x = vmirror(I)"),
            "solve_b": source("solve_b", "x = vmirror(I)", params="S, I, C"),
        }
    )
    assert merge_steps(found).steps == (SharedStep(Literal(OPS["vmirror"]), (InputName("I"),)),)


def test_a_constant_is_no_step_and_a_number_no_constant():
    assert len({Literal(1), Number(1)}) == 2
    assert steps_of(solve_a=("x = FIVE",)).dealt[0].result == Literal(5)


def test_levels_tell_what_a_step_needs():
    lines = ("f = compose(first, last)", "g = apply(first, S)", "x = first(g)", "y = vmirror(I)", "x = hconcat(x, y)")
    steps = merge_steps(Deck.from_sources({"solve_a": source("solve_a", *lines, params="S, I, C")}))
    assert list(steps.levels().values()) == [Level.CONSTANT, Level.TASK, Level.TASK, Level.SAMPLE, Level.SAMPLE]


def test_two_solvers_that_a_batt_would_call_alike_are_refused():
    both = Deck.from_sources({"a": source("solve_a", "x = I"), "solve_a": source("solve_a", "x = vmirror(I)")})
    with pytest.raises(UsageError, match="a second solver 'solve_a'"):
        merge_steps(both)


@pytest.mark.parametrize("size", [10, 50, 132, 400])
def test_a_whole_deck_keeps_all_its_steps(size: int):
    steps = merge_steps(deck_of(size))
    assert [len(each.entries) for each in steps.dealt] == [len(solver.program.steps) for solver in deck_of(size)]
    assert {number for each in steps.dealt for number in each.entries} == set(steps.numbers)
    assert len(set(steps.steps)) == len(steps.steps)
