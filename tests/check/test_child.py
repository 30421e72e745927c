"""The process that compares: it answers, crashes, gets stuck, and is closed."""

from __future__ import annotations

import pytest

from batt.check.child import Closed, ComparingChild, Lost
from batt.check.compare import EngineComparison
from batt.check.engines import Reference
from batt.check.failures import difference_in
from batt.check.shrink import FailingCase
from batt.errors import UsageError
from batt.runtime import Limits
from handmade import MIRROR, SAME, deck, program, sample
from planted import BROKEN_DECK, Planted, Refusing

SAMPLES = (sample(), sample(((3, 4, 5),), None))
PAIRS = [(solver, position) for position in range(2) for solver in range(3)]


@pytest.fixture
def child():
    made = ComparingChild(wall_s=1.0)
    yield made
    made.close()
    made.stop()


def bench(*planted: str) -> EngineComparison:
    given = deck(same=SAME, mirror=MIRROR, trims=("x = trim(I)",))
    return EngineComparison(given, SAMPLES, (Limits(),) * 2, (Planted(*planted), Reference()))


def test_it_tells_what_is_ready_and_what_it_found(child):
    limits, digests = child.open(bench("vmirror", "upside down"))
    assert limits == (Limits(),) * 2
    assert len(set(digests)) == 3
    assert [(each.solver, each.sample) for each in child.compare(PAIRS).found] == [(1, 0), (1, 1)]


def test_a_crash_is_told_with_the_evaluation_that_was_under_way(child):
    child.open(bench("vmirror", "crash"))
    with pytest.raises(Lost) as lost:
        child.compare(PAIRS)
    assert (lost.value.phase, lost.value.number, lost.value.timed_out) == (1, 1, False)


def test_evaluations_that_crash_are_differences_and_the_others_are_compared(child):
    crashing = bench("vmirror", "crash")
    child.open(crashing)
    tally = child.compare_safely(PAIRS, crashing, crashing.engines)
    assert [(each.solver, each.sample, each.what) for each in tally.found] == [
        (1, 0, "the process ended"),
        (1, 1, "the process ended"),
    ]
    assert (tally.evaluations, tally.compared, tally.lost) == (6, 4, {1: 2})


def test_evaluations_that_do_not_end_are_timed_out(child):
    stuck = bench("vmirror", "stuck")
    child.open(stuck)
    tally = child.compare_safely(PAIRS, stuck, stuck.engines)
    assert (tally.found, tally.timed_out, tally.compared) == ([], 2, 4)


def test_the_program_that_cannot_be_made_ready_is_found(child):
    broken = EngineComparison(BROKEN_DECK, SAMPLES[:1], (Limits(),), (Refusing(), Reference()))
    with pytest.raises(Lost) as lost:
        child.open(broken)
    assert (lost.value.phase, lost.value.why) == (0, "refused: trim")
    assert BROKEN_DECK[child.unopenable_program(broken) or 0].name == "trims"


def test_a_mistake_of_the_user_is_raised_as_it_is(child):
    with pytest.raises(UsageError, match="not today"):
        child.open(EngineComparison(deck(same=SAME), SAMPLES[:1], (Limits(),), (Refusing(politely=True), Reference())))


def test_a_case_differs_by_its_first_program(child):
    engines = Planted("vmirror", "upside down"), Reference()
    wrong, right = program(*MIRROR), program(*SAME)
    assert difference_in(FailingCase(wrong, sample(), Limits(), (right,)), *engines, child)
    assert not difference_in(FailingCase(right, sample(), Limits(), (wrong,)), *engines, child)
    assert difference_in(FailingCase(wrong, sample(), Limits()), Planted("vmirror", "crash"), Reference(), child)


def test_one_that_is_closed_starts_nothing_more(child):
    child.close()
    with pytest.raises(Closed):
        child.open(bench("vmirror", "upside down"))
