"""Comparing on decks and tasks."""

from __future__ import annotations

import numpy as np
import pytest

import batt.check.deck
from batt.bench.frozen import first_132
from batt.check.deck import check_deck, drawn
from batt.check.engines import Reference, engines_named
from batt.errors import UsageError
from batt.jobs import own_task
from batt.runtime import Limits
from batt.tasks import Pair, Task, Tasks, load_tasks
from handmade import MIRROR, SAME, deck
from native_library import needs_library
from planted import Planted


def small_tasks() -> Tasks:
    pairs = tuple([Pair(((1, 2, number),), ((number, 2, 1),)) for number in range(3, 7)])
    return Tasks((Task("mirror", pairs[:3], pairs[3:]), Task("same", pairs[2:], pairs[:2])), "made")


DECK = deck(
    solve_same=SAME,
    solve_mirror=("a = trim(I)", *MIRROR, "y = hconcat(x, I)", "x = identity(x)"),
    solve_dead=("y = identity(I)", "x = first(())"),
)


def test_a_planted_difference_is_told_for_each_sample_and_made_small_once():
    bench, checked = check_deck(DECK, small_tasks(), (Planted("vmirror", "upside down"), Reference()))
    assert (checked.total, checked.tally.compared) == (24, 24)
    assert {bench.deck[each.solver].name for each in checked.tally.found} == {"solve_mirror"}
    assert len(checked.tally.found) == 8
    ((found, failure),) = checked.failures
    assert bench.deck[found.solver].name == "solve_mirror"
    assert [step.callee.value.name for step in failure.case.program.steps] == ["vmirror"]


def test_own_tasks_only():
    _, checked = check_deck(DECK, small_tasks(), (Planted("vmirror", "upside down"), Reference()), own=True)
    assert checked.total == 8
    assert len(checked.tally.found) == 4


def test_a_solver_that_gets_stuck_again_and_again_is_given_up(monkeypatch):
    monkeypatch.setattr(batt.check.deck, "BLOCK", 3)
    stuck = Planted("vmirror", "stuck"), Reference()
    _, checked = check_deck(DECK, small_tasks(), stuck, limits=Limits(wall_s=0.7))
    assert (checked.tally.found, checked.tally.timed_out, checked.tally.evaluations) == ([], 8, 24)


@needs_library
def test_all_engines_agree_on_the_built_in_deck():
    tasks = load_tasks("arc1-training").select(count=12)
    engines = engines_named("cpu,cpu-noshare,cpu-direct,reference")
    reported: list[tuple[int, int]] = []
    _, checked = check_deck(
        first_132(), tasks, engines, sample=300, limits=Limits(steps=200_000), workers=2,
        progress=lambda *counts: reported.append(counts),
    )  # fmt: skip
    assert (checked.tally.evaluations, checked.tally.found) == (300, [])
    assert checked.tally.compared + sum(checked.tally.unsupported.values()) + checked.tally.timed_out == 900
    assert reported[-1] == (300, 300)


def test_a_sample_is_drawn_evenly_from_foreign_tasks():
    evaluations = drawn(DECK, small_tasks(), 8, seed=1)
    assert evaluations.solver_of is not None
    assert evaluations.sample_of is not None
    assert np.bincount(evaluations.solver_of).tolist() == [3, 3, 2]
    pairs = list(zip(evaluations.solver_of.tolist(), evaluations.sample_of.tolist(), strict=True))
    assert len(set(pairs)) == 8
    for solver, position in pairs:
        assert evaluations.samples[position].task != own_task(DECK.names[solver], small_tasks().ids)
    again = drawn(DECK, small_tasks(), 8, seed=1)
    assert again.sample_of is not None
    assert again.sample_of.tolist() == evaluations.sample_of.tolist()
    with pytest.raises(UsageError):
        drawn(DECK, small_tasks(), 0, seed=1)
