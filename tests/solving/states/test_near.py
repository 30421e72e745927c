import numpy as np
import pytest

from batt.solving.expressions import INPUT
from batt.solving.frame import GridState, TaskFrame
from batt.solving.states.near import near_misses
from batt.tasks import tasks_from_dict


@pytest.fixture
def frame():
    pairs = [{"input": [[at]], "output": [[9 - at]]} for at in range(5)]
    return TaskFrame(tasks_from_dict({"nine": {"train": pairs[:4], "test": pairs[4:]}})["nine"])


def state(*cells):
    return GridState(INPUT, tuple([np.array([[cell]], np.uint8) for cell in cells]), 3)


def test_a_state_that_misses_one_demonstration_is_a_last_resort(frame):
    found = near_misses([state(9, 8, 7, 6, 5), state(9, 8, 7, 0, 5), state(9, 8, 0, 0, 4)], frame)
    assert [(each.outputs, each.missed) for each in found] == [((((5,),),), 1)]


def test_each_output_is_there_once(frame):
    assert len(near_misses([state(9, 8, 7, 0, 5), state(0, 8, 7, 6, 5)], frame)) == 1


def test_two_demonstrations_are_too_few():
    pairs = [{"input": [[at]], "output": [[9 - at]]} for at in range(3)]
    few = TaskFrame(tasks_from_dict({"nine": {"train": pairs[:2], "test": pairs[2:]}})["nine"])
    assert near_misses([state(9, 0, 7)], few) == []
