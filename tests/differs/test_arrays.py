"""Measures on arrays: the same scores as the plain definitions, for real outputs and for odd ones."""

from __future__ import annotations

import random

import pytest

import batt
from batt.bench.frozen import first_132
from batt.differs.arrays import PLAIN, _Group, as_grid, measure, read_grids
from batt.jobs.values import Failed
from batt.runtime.outcome import shape_of
from batt.runtime.outputs import write_output
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
    results = batt.evaluate(first_132()[::7], tasks, outputs=True)
    _, samples = results.evaluations.columns()
    found = [
        (value, results.evaluations.samples[at].expected) for value, at in zip(results.values(), samples, strict=True)
    ]
    assert len(found) > 3000
    return found


def test_every_measure_has_a_form_on_arrays():
    assert all(callable(getattr(_Group, name)) for name in PLAIN)


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


def test_grids_are_read_from_wire_bytes_all_at_once(pairs):
    values = [value for value, _ in pairs if not isinstance(value, Failed)]
    values += [((n % 10,) * (n % 33),) * (n % 31) for n in range(999)]
    found = read_grids([write_output(value, lambda _: 0) for value in values])
    for value, grid in zip(values, found, strict=True):
        is_grid = shape_of(value) != (0, 0) and max(map(max, value)) < 10 and min(map(min, value)) >= 0
        assert as_grid(grid) == (value if is_grid else None)
    assert read_grids([]) == []


@pytest.mark.parametrize("odd", [*[each for each in ODD if not isinstance(each, Failed)], ((1, 2), (3, 2**70))])
def test_what_an_array_cannot_hold_is_not_read_into_one(odd):
    wires = [write_output(each, lambda _: 0) for each in (((1, 2),), odd, ((3,), (4,)))]
    first, second, third = read_grids([*wires[:2], wires[2]])
    assert (as_grid(first), as_grid(third)) == (((1, 2),), ((3,), (4,)))
    assert second is None or odd == ((True, False),)


def test_bytes_of_the_size_of_a_grid_are_not_taken_for_one():
    # As many bytes as a grid of 2 x 1: the second row is one int, the first has nine.
    wire = write_output(((1,), 5, 240 - 1), lambda _: 0)
    fake = bytes([242, 2, 0, 0, 0, 242, 1, 0, 0, 0, 1, 244, 244, 244, 244, 244, 244])
    assert read_grids([wire, fake]) == [None, None]


def test_arrays_are_scored_as_the_grids_that_they_hold(pairs):
    some = pairs[::5]
    grids = read_grids([b"" if isinstance(value, Failed) else write_output(value, lambda _: 0) for value, _ in some])
    read = [(value if grid is None else grid, expected) for (value, expected), grid in zip(some, grids, strict=True)]
    assert measure(NAMES, read) == measure(NAMES, some)
