import pytest

from batt.runtime import Limits, Sample, Split, evaluate_one
from batt.solving.expressions import INPUT, Expression, compose
from batt.solving.figures import SEGMENTS, derived, functions, segments

GRID = ((1, 1, 0, 0), (0, 0, 0, 2), (0, 3, 0, 2), (0, 0, 0, 2))
FIGURES = Expression(segments()[0], (INPUT,))


def value_of(expression):
    sample = Sample("t", Split.TRAIN, 0, (), GRID, None)
    return evaluate_one(compose(expression), sample, Limits()).value


def test_there_are_as_many_segments_as_stated():
    assert len(segments()) == SEGMENTS


def test_a_segment_is_a_set_of_figures():
    assert sorted(map(len, value_of(FIGURES))) == [1, 2, 3]


@pytest.mark.parametrize("kind", ["measure", "colour", "patch", "edit"])
def test_every_function_has_a_name_of_its_own(kind):
    names = [each.name for each in functions(kind)]
    assert len(names) == len(set(names)) > 20


@pytest.mark.parametrize(("kind", "expected"), [("rank_down", 0), ("rank_up", 2), ("equal_count", 1)])
def test_a_derived_measure_is_a_function_of_a_figure(kind, expected):
    size = next(each for each in functions("measure") if each.name == "size")
    function = value_of(derived(kind, FIGURES, INPUT, size.of(FIGURES, INPUT)))
    assert function(max(value_of(FIGURES), key=len)) == expected
