import numpy as np
import pytest

from batt.runtime import Limits, evaluate_one
from batt.runtime.native import missing
from batt.solving.cells.sizes import predict_size
from batt.solving.expressions import compose
from batt.solving.frame import TaskFrame
from batt.solving.states.images import ImageMaker
from batt.solving.views import views_of
from batt.solving.work import Work

pytestmark = pytest.mark.skipif(bool(missing()), reason="images need native code")
ENOUGH = 10**12


@pytest.fixture(scope="module")
def maker():
    return ImageMaker()


@pytest.fixture
def frame(easy_tasks):
    return TaskFrame(easy_tasks["turned"])


def test_images_are_distinct_and_their_programs_give_them(maker, frame):
    with maker.images(frame, next(views_of(frame)), predict_size(frame), Work(ENOUGH), 1.0) as images:
        handles = images.order[1::200]
        states = [images.state(each) for each in handles]
        assert len({state.key for state in states}) == len(states)
        for handle, state in zip(handles, states, strict=True):
            program = compose(state.expression)
            assert images.depth(handle) in (1, 2)
            values = [evaluate_one(program, sample, Limits()).value for sample in frame.samples()]
            assert all(np.array_equal(a, b) for a, b in zip(values, state.values, strict=True))


def test_images_of_three_steps_are_new_and_made_by_their_programs(maker, frame):
    with maker.images(frame, next(views_of(frame)), predict_size(frame), Work(ENOUGH), 0.0001) as images:
        known = len(images.order)
        count = maker.deepen(images, frame, Work(20_000_000), 1.0)
        assert count == len(images.order) - known > 0
        states = [images.state(each) for each in images.order]
        assert len({state.key for state in states}) == len(states)
        for handle, state in list(zip(images.order, states, strict=True))[known :: count // 20]:
            assert images.depth(handle) == 3
            values = [evaluate_one(compose(state.expression), sample, Limits()).value for sample in frame.samples()]
            assert all(np.array_equal(a, b) for a, b in zip(values, state.values, strict=True))


def test_rows_of_cells_hold_the_images_of_one_size(maker, frame):
    size = predict_size(frame)
    with maker.images(frame, next(views_of(frame)), size, Work(ENOUGH), 1.0) as images:
        handles = images.of_size(size.sizes)[:50]
        rows = images.cells(handles)
        for handle, row in zip(handles.tolist(), rows, strict=True):
            assert np.array_equal(np.concatenate([value.ravel() for value in images.state(handle).values]), row)


def test_work_bounds_the_images_and_decides_them(maker, frame):
    size = predict_size(frame)
    counts = []
    for effort in (1, 3_000_000, 3_000_000):
        with maker.images(frame, next(views_of(frame)), size, Work(effort), 1.0) as images:
            counts.append(len(images.order))
    assert counts[0] < counts[1] == counts[2]
