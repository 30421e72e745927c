import pytest

from batt.runtime import Limits, Sample, Split, evaluate_one
from batt.solving.expressions import compose
from batt.solving.families.figure_families import boxes, falls, panel_images, picks, stacked_figures

GRID = ((0, 1, 0, 0), (0, 0, 0, 2), (0, 0, 0, 2))


def made_by(maker, name, grid=GRID, parameter=None):
    program = compose(dict(maker())[name])
    sample = Sample("t", Split.TRAIN, 0, ((grid, grid),), grid, None, (parameter,))
    return evaluate_one(program, sample, Limits()).value


@pytest.mark.parametrize(
    ("maker", "name", "expected"),
    [
        (picks, "argmax size of one", ((0, 0, 0, 0), (0, 0, 0, 2), (0, 0, 0, 2))),
        (picks, "box of argmax size of one", ((2,), (2,))),
        (picks, "dots of one", ((0, 1, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0))),
        (falls, "one fall down", ((0, 0, 0, 0), (0, 0, 0, 2), (0, 1, 0, 2))),
        (stacked_figures, "one in the corner by size", ((2,), (2,))),
    ],
)
def test_figures_are_picked_moved_and_stacked(maker, name, expected):
    assert made_by(maker, name) == expected


def test_boxes_are_drawn_in_the_colour_of_the_parameter():
    corner = ((0, 1, 0, 0), (1, 1, 0, 0))
    assert made_by(boxes, "delta of one PAINT", corner, 4) == ((4, 0, 0, 0), (0, 0, 0, 0))


def test_panels_are_cut_and_laid_on_one_another():
    grid = ((1, 0, 5, 0, 0), (0, 0, 5, 2, 0))
    assert made_by(panel_images, "last panel", grid) == ((0, 0), (2, 0))
    assert made_by(panel_images, "panels on one another", grid) == ((1, 0), (2, 0))
