"""Measures on arrays: the same scores as the plain definitions, for real outputs and for odd ones."""

from __future__ import annotations

import random

import pytest

import batt
from batt.differs.arrays import GROUPED, PLAIN, measure
from batt.differs.results import _candidates
from batt.jobs.values import Failed
from batt.types import OrderedSet

NAMES = tuple(PLAIN)
ODD = [
    None,
    (),
    ((),),
    3,
    ((10, 1),),
    ((-1,),),
    ((2**70,),),
    ((True, False),),
    ((1, 2), (3,)),
    OrderedSet([1]),
    ((1,) * 2000,),
    ((4,),) * 1500,
    Failed("ValueError"),
]


@pytest.fixture(scope="module")
def pairs():
    """Outputs of twenty solvers on the pairs of fifty tasks, with what was expected."""
    tasks = batt.load_tasks("arc1-training").select(count=50)
    results = batt.evaluate(batt.load_deck()[::7], tasks, outputs=True)
    found = [(each.value, each.sample.expected) for _, each in _candidates(results)]
    assert len(found) > 3000
    return found


def test_every_measure_has_a_form_on_arrays():
    assert GROUPED.keys() == PLAIN.keys()


@pytest.mark.parametrize("name", NAMES)
def test_scores_of_real_outputs_are_those_of_the_definition(name, pairs):
    (scores,) = measure([name], pairs)
    assert scores == [PLAIN[name](*pair) for pair in pairs]
    assert len(set(scores)) > 1


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: repr(odd)[:30])
def test_what_an_array_cannot_hold_is_scored_all_the_same(odd):
    grid = ((0, 1), (2, 2))
    pairs = [(grid, grid), (odd, grid), (grid, odd), (odd, odd), (grid, None)]
    assert measure(NAMES, pairs) == [[PLAIN[name](*pair) for pair in pairs] for name in NAMES]


def test_grids_of_all_sizes_and_colours_are_scored_alike():
    chooser = random.Random(5)

    def grid(most):
        colours = chooser.sample(range(10), chooser.randint(1, 10))
        height, width = chooser.randint(1, most), chooser.randint(1, most)
        return tuple([tuple(chooser.choices(colours, k=width)) for _ in range(height)])

    pairs = [(grid(most), grid(most)) for most in (1, 2, 3, 5, 30, 70) * 40]
    pairs += [(a, tuple([row[::-1] for row in a])) for a, _ in pairs]
    assert measure(NAMES, pairs) == [[PLAIN[name](*pair) for pair in pairs] for name in NAMES]


def test_nothing_gives_nothing():
    assert measure(NAMES, []) == [[], [], [], []]
    assert measure([], [(1, 2)]) == []
