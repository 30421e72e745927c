import pytest

from batt.runtime import Limits, Sample, Split, evaluate_one
from batt.solving.expressions import INPUT, Expression, compose
from batt.solving.figures.figures import SEGMENTS, derived, functions, segments

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


def made_of(kind, name, grid, segment=0):
    figures = Expression(segments()[segment], (INPUT,))
    function = next(each for each in functions(kind) if each.name == name).of(figures, INPUT)
    sample = Sample("t", Split.TRAIN, 0, (), grid, None)
    found, made = [evaluate_one(compose(each), sample, Limits()).value for each in (figures, function)]
    return {min(cell[1] for cell in figure): made(figure) for figure in found}


def test_a_figure_is_compared_with_a_source_of_colours():
    largest = next(each for each in functions("colour") if each.name == "of_largest")
    same = value_of(derived("same_colour", FIGURES, INPUT, largest.of(FIGURES, INPUT)))
    assert sorted((len(figure), same(figure)) for figure in value_of(FIGURES)) == [(1, 0), (2, 0), (3, 1)]


def test_a_key_gives_the_colour_of_a_figure():
    grid = ((1, 4, 0, 0), (0, 0, 0, 0), (0, 1, 1, 0), (0, 0, 0, 2))
    assert made_of("colour", "key", grid)[2, 1] == 4
    assert made_of("colour", "key_right", grid)[2, 1] == 4
    assert made_of("colour", "key_below", ((1, 0, 0), (4, 0, 0), (0, 0, 1)))[2, 2] == 4


def test_a_figure_sees_the_next_colour():
    grid = ((0, 0, 3), (0, 0, 0), (5, 0, 1), (0, 0, 0))
    assert made_of("colour", "seen_up", grid)[2, 2] == 3
    assert made_of("colour", "seen_left", grid)[2, 2] == 5
    assert made_of("colour", "seen_down", grid)[2, 2] == 10


def test_a_figure_has_edges_and_a_middle():
    grid = ((1, 0, 0), (0, 2, 0), (0, 0, 3))
    assert made_of("measure", "edges", grid) == {(0, 0): 5, (1, 1): 0, (2, 2): 10}
    assert made_of("measure", "is_central", grid) == {(0, 0): 0, (1, 1): 1, (2, 2): 0}


def test_the_corners_and_lines_around_a_figure_are_patches_of_their_own():
    grid = ((0, 0, 0, 0), (0, 1, 1, 0), (0, 0, 0, 0))
    assert made_of("patch", "corner_above_right", grid)[1, 1] == {(0, 3)}
    assert made_of("patch", "corner_below_left", grid)[1, 1] == {(2, 0)}
    assert made_of("patch", "line_above", grid)[1, 1] == {(0, 1), (0, 2)}
    assert made_of("patch", "line_right", grid)[1, 1] == {(1, 3)}


def test_a_figure_is_completed_by_its_mirror_images():
    grid = ((1, 0, 0, 0), (1, 2, 2, 0), (0, 0, 0, 0))
    made = made_of("edit", "with_mirror", grid, segment=5)[0, 0]
    assert {(cell[1], cell[0]) for cell in made} == {((0, 0), 1), ((0, 2), 1), ((1, 0), 1), ((1, 1), 2), ((1, 2), 2)}


def test_a_figure_of_several_colours_is_placed_on_a_cell_of_its_colour():
    grid = ((1, 2, 0, 0, 0), (0, 0, 0, 0, 0), (0, 0, 0, 2, 0), (0, 0, 0, 0, 0))
    made = made_of("edit", "holder_joined", grid, segment=5)[2, 3]
    assert made == {(1, (2, 2)), (2, (2, 3))}


def test_a_ray_leaves_the_opening_of_a_box_whatever_its_sides():
    grid = ((0, 0, 0, 0, 0), (0, 0, 0, 0, 0), (1, 1, 1, 0, 1), (1, 0, 0, 0, 1), (1, 0, 0, 0, 1), (1, 1, 1, 1, 1))
    made = made_of("patch", "opening_ray", grid)[2, 0]
    assert {place for place in made if place[0] >= 0} == {(0, 3), (1, 3), (2, 3)}
    assert {place[1] for place in made} == {3}


def test_a_figure_has_the_colour_of_the_next_one_or_of_the_opposite_one():
    grid = ((1, 0, 0, 0), (0, 2, 2, 0), (3, 0, 0, 0), (3, 3, 0, 0))
    assert made_of("colour", "next_larger", grid) == {(0, 0): 2, (1, 1): 3, (2, 0): 1}
    assert made_of("colour", "next_smaller", grid) == {(0, 0): 3, (1, 1): 1, (2, 0): 2}
    assert made_of("colour", "opposite_size", grid) == {(0, 0): 3, (1, 1): 2, (2, 0): 1}


def test_a_box_reaches_to_the_nearest_corner_of_the_grid():
    grid = ((0, 0, 0, 0), (0, 0, 1, 0), (0, 0, 0, 0), (0, 0, 0, 0))
    assert sorted(made_of("patch", "to_nearest_corner", grid)[1, 2]) == [(0, 2), (0, 3), (1, 2), (1, 3)]
    assert len(made_of("patch", "to_corner_below_left", grid)[1, 2]) == 9


def test_a_figure_moves_as_far_as_it_is_wide_or_has_cells():
    grid = ((0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0), (1, 1, 0, 0), (1, 0, 0, 0))
    assert min(cell[1] for cell in made_of("edit", "up_by_width", grid)[3, 0]) == (1, 0)
    assert min(cell[1] for cell in made_of("edit", "up_by_size", grid)[3, 0]) == (0, 0)


def test_figures_lie_between_lines_that_cross_the_grid():
    grid = ((1, 2, 5, 0, 0), (0, 0, 5, 0, 0), (0, 0, 5, 3, 0))
    number = len(segments()) - 1
    assert {*made_of("colour", "own", grid, number)} == {(0, 0), (2, 3)}


def test_a_holder_is_mirrored_onto_a_figure():
    grid = ((1, 2, 0, 0, 0), (0, 0, 0, 0, 0), (0, 0, 0, 0, 1))
    assert made_of("edit", "holder_mirrored", grid, 5)[2, 4] == {(2, (2, 3)), (1, (2, 4))}
