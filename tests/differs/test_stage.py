"""Scoring as a stage: all differs on all candidates, the same on every engine as run directly."""

from __future__ import annotations

import pytest

import batt
from batt.differs import BUILT_IN, Candidate, read_differs, score
from batt.differs.stage import score_of
from batt.jobs import samples_of
from batt.jobs.values import Failed
from batt.ops import METER, RAISABLE
from batt.runtime import Limits, Sample, Split
from batt.types import OrderedSet
from native_library import needs_library

OWN = """
def gaps(a, b):
    return difference(palette(a), palette(b))


def differ_hues(S, I, C, E):
    return gaps(E, C)


def differ_new(S, I, C):
    shown = apply(last, S)
    known = mapply(palette, shown)
    colours = totuple(palette(C))
    extra = difference(colours, known)
    return (size(extra), extra)


def differ_moved(S, I, C):
    return size(difference(asobject(C), asobject(I)))


def differ_first(S, I, C, E):
    return (index(E, ORIGIN), index(C, LEFT))


def differ_fails(S, I, C):
    return first(difference(C, C))


def differ_grid(S, I, C):
    return C
"""
DIFFERS = (BUILT_IN["cells"], *read_differs(OWN, "own.py"), BUILT_IN["equal"])
SAMPLES = samples_of(batt.load_tasks("arc1-training").select(count=8))


def candidates():
    """Grids of the task and others, values that are no grids, and failures."""
    found = []
    for sample in SAMPLES:
        values = [sample.expected, sample.input, sample.input[::-1], ((10, 300),), (), 3, OrderedSet([(1, (0, 0))])]
        values += [None, Failed("ValueError"), batt_function(), ((2**70,),), sample.input]
        found += [Candidate(sample, value) for value in values]
    unknown = Sample("t", Split.TEST, 0, SAMPLES[0].demonstrations, ((1, 2),), None)
    return [*found, Candidate(unknown, ((1,),))]


def batt_function():
    from batt.dsl import compose, first, last

    return compose(first, last)


def directly(differ, candidate):
    """The score by a differ that is run by itself, as it was written."""
    program, sample, value = differ.solver.program, candidate.sample, candidate.value
    if isinstance(value, Failed):
        return None, (value.kind,)
    if differ.takes_expected and sample.expected is None:
        return None, ("unknown",)
    METER.reset()
    try:
        made = program.run((sample.demonstrations, sample.input, value, sample.expected)[: program.arity])
    except RAISABLE as raised:
        made = Failed(type(raised).__name__)
    finally:
        METER.reset()
    return score_of(made)


@pytest.fixture(scope="module")
def scores():
    return score(DIFFERS, candidates(), engine="reference", workers=2)


def test_user_differs_score_as_when_run_directly(scores):
    for at, differ in enumerate(DIFFERS[1:-1], 1):
        wanted = [directly(differ, each) for each in candidates()]
        assert [each[at] for each in scores] == wanted
        assert any(number is not None for number, _ in wanted) == (differ.name != "fails")


@needs_library
def test_the_cpu_engine_gives_the_same_scores(scores):
    assert score(DIFFERS, candidates(), engine="cpu", workers=2) == scores


def test_candidates_that_are_no_values_say_how_they_ended(scores):
    failed = [each for each, given in zip(scores, candidates(), strict=True) if isinstance(given.value, Failed)]
    assert failed == [((None, ("ValueError",)),) * len(DIFFERS)] * len(SAMPLES)


def test_a_differ_that_needs_the_expected_output_is_unknown_without_it(scores):
    by_name = dict(zip([differ.name for differ in DIFFERS], scores[-1], strict=True))
    assert by_name["hues"] == by_name["equal"] == (None, ("unknown",))
    assert by_name["moved"] == (0, ())


def test_a_differ_beyond_the_budget_gives_no_score():
    (moved,) = [differ for differ in DIFFERS if differ.name == "moved"]
    (made,) = score([moved], [Candidate(SAMPLES[0], SAMPLES[0].expected)], limits=Limits(steps=20))
    assert made == ((None, ("differ", "over_budget")),)


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (5, (5, ())),
        (True, (1, ())),
        ((2, (1, 3)), (2, (1, 3))),
        ((2, 7), (2, (7,))),
        ((2, OrderedSet([1])), (2, (OrderedSet([1]),))),
        (OrderedSet([4, 2]), (2, (2, 4))),
        (OrderedSet(), (0, ())),
        ((), (None, ("differ", "no score"))),
        ((1, 2, 3), (None, ("differ", "no score"))),
        (None, (None, ("differ", "no score"))),
        (Failed("IndexError"), (None, ("differ", "IndexError"))),
    ],
    ids=repr,
)
def test_a_value_of_a_differ_is_a_score_or_says_that_it_is_none(value, wanted):
    assert score_of(value) == wanted


def test_the_order_of_candidates_and_differs_is_kept(scores):
    given = candidates()
    backwards = score(DIFFERS[::-1], given[::-1])
    assert [each[::-1] for each in backwards[::-1]] == scores


def test_without_differs_or_candidates_nothing_is_scored():
    assert score((), candidates()[:2]) == [(), ()]
    assert score(DIFFERS, []) == []
