import numpy as np

from batt.runtime import Limits, evaluate_one
from batt.solving.candidates import Layer
from batt.solving.cells.cells import cell_states, constant_states, features_of
from batt.solving.cells.growing import OUTSIDE, beside, growth_candidates, windows
from batt.solving.expressions import compose
from batt.solving.frame import TaskFrame
from batt.solving.work import Work
from batt.tasks import Pair, Task


def striped(start: int, width: int) -> Pair:
    """Two rows of two colours each that are continued to the right, in turn. A column has no colour of its own."""
    rows = [((start + at) % 9 + 1, (start + at + 1) % 9 + 1) for at in (0, 2)]
    shown = tuple([(*colours, *[0] * (width - 2)) for colours in rows])
    return Pair(shown, tuple([tuple([colours[at % 2] for at in range(width)]) for colours in rows]))


STRIPES = Task("striped", (striped(1, 9), striped(3, 7), striped(5, 12)), (striped(7, 10),))


def grown(task):
    frame, work = TaskFrame(task), Work(10**9)
    sources, marks = cell_states(frame.input, frame, work)
    constants = constant_states(frame.input, frame.target_colours)
    features = features_of(sources, marks, [], constants, frame.train, near=False)
    return frame, list(growth_candidates(features, frame, work, 1.0))


def test_a_window_has_cells_of_one_side_only():
    for offsets in windows():
        # Cells at these offsets come before the cell in some order of all cells.
        assert not {*offsets} & {(-down, -right) for down, right in offsets}
        assert (0, 0) not in offsets


def test_a_cell_beside_the_grid_counts_as_outside():
    grid = np.array([[1, 2], [3, 4]], np.uint8)
    assert beside(grid, (0, -1)).tolist() == [[OUTSIDE, 1], [OUTSIDE, 3]]
    assert beside(grid, (1, 1)).tolist() == [[4, OUTSIDE], [OUTSIDE, OUTSIDE]]
    assert beside(grid, (-5, 0)).tolist() == [[OUTSIDE, OUTSIDE], [OUTSIDE, OUTSIDE]]


def test_a_pattern_is_continued_by_a_tree_that_reads_what_it_has_made():
    _, found = grown(STRIPES)
    right = [each for each in found if each.outputs == (STRIPES.test[0].output,)]
    assert right[0].layer is Layer.GROW
    assert right[0].held_out


def test_a_growing_tree_is_a_program_that_gives_what_it_gave():
    frame, found = grown(STRIPES)
    for each in found:
        program = compose(each.expression)
        for sample, output in zip(frame.samples(), [*frame.outputs, *each.outputs], strict=True):
            assert evaluate_one(program, sample, Limits()).value == output


def test_no_growing_tree_is_fitted_without_work():
    frame, _ = grown(STRIPES)
    features = features_of([frame.input], [], [], [], frame.train, near=False)
    assert list(growth_candidates(features, frame, Work(0), 1.0)) == []
