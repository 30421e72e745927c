"""Invariants: what holds for every demonstration is expected of an answer, and what only some show is not."""

from __future__ import annotations

from batt.solving.answers.choosing import EvidenceWeights, choose
from batt.solving.answers.invariants import Aspect, Invariants
from batt.solving.candidates import Layer, SearchCandidate
from batt.solving.expressions import INPUT
from batt.solving.frame import TaskFrame
from batt.tasks import Pair, Task

RED_BECOMES_GREEN = [
    (((2, 0, 1), (0, 0, 0), (0, 0, 0)), ((3, 0, 1), (0, 0, 0), (0, 0, 0))),
    (((0, 0, 0), (0, 2, 0), (1, 0, 0)), ((0, 0, 0), (0, 3, 0), (1, 0, 0))),
]
TEST_INPUT = ((0, 1, 0), (0, 0, 0), (0, 0, 2))
RIGHT = ((0, 1, 0), (0, 0, 0), (0, 0, 3))


def invariants_of(pairs=RED_BECOMES_GREEN, test_input=TEST_INPUT):
    task = Task("t", tuple([Pair(*pair) for pair in pairs]), (Pair(test_input, None),))
    return Invariants(TaskFrame(task))


def broken(output, **named):
    return {aspect for aspect, count in invariants_of(**named).broken(0, output).items() if count}


def test_the_right_output_breaks_nothing():
    assert broken(RIGHT) == set()


def test_a_colour_that_no_demonstration_adds_is_broken_for_colours_and_cells():
    assert {Aspect.COLOURS, Aspect.CELLS} <= broken(((0, 1, 0), (0, 0, 0), (0, 0, 4)))


def test_cells_of_a_kept_colour_must_stay():
    moved = ((1, 0, 0), (0, 0, 0), (0, 0, 3))
    assert Aspect.CELLS in broken(moved)
    assert Aspect.COLOURS not in broken(moved)


def test_more_cells_and_objects_than_shown_are_broken():
    assert {Aspect.COUNTS, Aspect.OBJECTS} <= broken(((0, 1, 0), (0, 0, 0), (3, 0, 3)))


def test_an_unchanged_input_is_broken_where_all_outputs_differ():
    assert Aspect.CHANGE in broken(TEST_INPUT)


def test_a_symmetry_of_all_outputs_is_expected():
    pairs = [(((1, 0),), ((1, 1),)), (((0, 2),), ((2, 2),))]
    assert Aspect.SYMMETRY in broken(((3, 0),), pairs=pairs, test_input=((3, 0),))
    assert Aspect.SYMMETRY not in broken(((3, 3),), pairs=pairs, test_input=((3, 0),))


def test_what_one_demonstration_does_differently_is_no_invariant():
    pairs = [*RED_BECOMES_GREEN, (((2, 1, 0),), ((4, 1, 0),))]
    recoloured = ((0, 1, 0), (0, 0, 0), (0, 0, 4))
    assert Aspect.COLOURS not in broken(recoloured, pairs=pairs)


def test_sizes_may_differ():
    pairs = [(((1, 0), (0, 0)), ((1,),)), (((0, 2), (0, 0)), ((2,),))]
    assert broken(((3,),), pairs=pairs, test_input=((0, 0), (0, 3))) == set()


def test_an_answer_that_breaks_invariants_is_less_likely():
    wrong = ((1, 0, 0), (0, 0, 0), (0, 0, 3))
    candidates = [SearchCandidate(Layer.TREE, INPUT, (output,), 3, None, 0) for output in (wrong, RIGHT)]
    weights = EvidenceWeights()
    first = choose(candidates, 0, weights=weights)
    assert [each.sure for each in first] == [first[0].sure] * 2
    assert [each.grid for each in choose(candidates, 0, invariants_of(), weights)] == [RIGHT, wrong]
