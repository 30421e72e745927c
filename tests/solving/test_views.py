import numpy as np

from batt.runtime import Limits, evaluate_one
from batt.solving.expressions import INPUT, compose
from batt.solving.frame import TaskFrame
from batt.solving.views import views_of
from batt.tasks import tasks_from_dict


def frame_of(pairs):
    made = [{"input": one, "output": other} for one, other in pairs]
    return TaskFrame(tasks_from_dict({"t": {"train": made[:-1], "test": made[-1:]}})["t"])


def expect_programs_do_as_the_tables(view, frame):
    """Entering a view gives what its tables give, and leaving it gives the inputs again."""
    inputs = frame.input.values
    for expression, expected in (
        (view.enter(INPUT), view.entered(inputs)),
        (view.leave(view.enter(INPUT)), inputs),
    ):
        values = [evaluate_one(compose(expression), sample, Limits()).value for sample in frame.samples()]
        assert all(np.array_equal(a, b) for a, b in zip(values, expected, strict=True))


def test_a_task_with_a_black_ground_is_a_view_of_itself():
    frame = frame_of([([[0, 0, 1]], [[1, 0, 0]]), ([[0, 0, 1]], [[1, 0, 0]])])
    (view,) = views_of(frame)
    assert view.is_plain
    expect_programs_do_as_the_tables(view, frame)


def test_another_ground_becomes_black():
    frame = frame_of([([[3, 3, 1]], [[1, 3, 3]]), ([[4, 4, 0, 1]], [[1, 4]])])
    view = next(views_of(frame))
    assert [each.tolist() for each in view.entered(frame.input.values)] == [[[0, 0, 1]], [[0, 0, 4, 1]]]
    expect_programs_do_as_the_tables(view, frame)


def test_colours_that_differ_between_inputs_become_their_rank():
    frame = frame_of([([[0, 0, 0, 2, 2, 1]], [[1, 2]]), ([[0, 0, 0, 3, 4, 4]], [[3, 4]])])
    plain, ranked = views_of(frame)
    assert plain.is_plain
    first, second = ranked.entered(frame.input.values)
    assert np.array_equal(first[0, [3, 5]], second[0, [4, 3]])
    assert np.array_equal(ranked.left(ranked.entered(frame.targets))[0], frame.targets[0])
    expect_programs_do_as_the_tables(ranked, frame)


def test_inputs_with_different_numbers_of_colours_have_no_ranks():
    frame = frame_of([([[0, 0, 0, 2, 2, 1]], [[1, 2]]), ([[0, 0, 0, 4, 4, 4]], [[3, 4]])])
    assert len(list(views_of(frame))) == 1
