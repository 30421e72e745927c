"""Which solvers are dealt."""

from __future__ import annotations

import pytest

from batt.card.dealing import deal, source_task, source_word
from batt.errors import UsageError
from batt.front.naming import solver_name
from handmade import MIRROR, SAME, deck
from rearc import whole_deck

SOLVERS = deck(solve_a=MIRROR, solve_b=MIRROR, solve_007bbfb7=SAME, solve_007bbfb7_twice=MIRROR)


@pytest.mark.parametrize(
    ("name", "task"),
    [
        ("solve_007bbfb7", "007bbfb7"),
        ("verify_007bbfb7", "007bbfb7"),
        ("solve_007bbfb7_3iz", "007bbfb7"),
        ("mirror", "mirror"),
        ("solve_my_task", "my_task"),
    ],
)
def test_a_solver_names_its_task(name: str, task: str):
    assert source_task(name) == task


@pytest.mark.parametrize("name", ["solve_007bbfb7", "verify_007bbfb7", "solve_solve_x", "solve_", "solve", "solve_a_b"])
def test_the_word_for_a_solver_tells_its_whole_name(name: str):
    assert solver_name(source_word(name)) == name


def test_without_a_seed_the_first_tasks_are_dealt_with_all_their_solvers():
    assert deal(SOLVERS, 3).names == ("solve_a", "solve_b", "solve_007bbfb7", "solve_007bbfb7_twice")
    assert deal(SOLVERS, 2).names == ("solve_a", "solve_b")


def test_a_seed_always_draws_the_same_tasks_and_another_seed_others():
    drawn = [deal(whole_deck("first-132"), 20, seed=seed).names for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert len(drawn[0]) == 20


def test_ids_are_tasks_or_solvers_in_the_order_asked_for():
    assert deal(SOLVERS, ids=["007bbfb7", "solve_a"]).names == ("solve_007bbfb7", "solve_007bbfb7_twice", "solve_a")


def test_an_unknown_id_is_refused_with_what_is_close():
    with pytest.raises(UsageError, match=r"no solver or task '007bbfb8' in sources; did you mean 007bbfb7 or "):
        deal(SOLVERS, ids=["007bbfb8"])


@pytest.mark.parametrize("count", [0, -1])
def test_no_tasks_are_no_choice(count: int):
    with pytest.raises(UsageError, match="at least 1"):
        deal(SOLVERS, count)


def test_more_tasks_than_there_are_are_refused():
    with pytest.raises(UsageError, match="cannot take 4 tasks: sources has solvers of 3"):
        deal(SOLVERS, 4)
