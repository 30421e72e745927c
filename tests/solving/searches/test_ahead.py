import numpy as np
import pytest

from batt.solving import Layer
from batt.solving.frame import TaskFrame
from batt.solving.searches.ahead import StatesAhead, TogetherFunctions
from batt.solving.searches.search import SearchSettings
from batt.solving.searches.workers import SearchWorkers
from batt.solving.states.packed_states import unpack_states
from batt.solving.states.states import StateMakers
from batt.solving.work import Work

EFFORT = 100_000_000


@pytest.fixture(scope="module")
def settings(small_library):
    return SearchSettings(small_library, EFFORT, None, frozenset(Layer))


@pytest.fixture(scope="module")
def alone(settings, easy_tasks):
    with SearchWorkers(settings, 1) as workers:
        return {each.task: each for each in workers.solve(list(easy_tasks))}


def test_states_of_tasks_that_are_made_together_are_those_of_each_alone(small_library, easy_tasks):
    makers = StateMakers(small_library)
    ahead = TogetherFunctions(small_library, "cpu").make(list(easy_tasks))
    for task in easy_tasks:
        work, found = Work(EFFORT), unpack_states(ahead.states[task.id])
        made = makers.make(TaskFrame(task), work)
        assert found.origins == made.origins
        assert found.runs == made.runs
        for values, others in zip(found.values, made.values, strict=True):
            assert all(np.array_equal(one, other) for one, other in zip(values, others, strict=True))
        again = Work(EFFORT)
        states = makers.states(TaskFrame(task), again, found).states
        assert [state.key for state in states] == [b"".join(map(_key, values)) for values in made.values]
        assert again.done == work.done
    assert ahead.on_gpus == 0
    assert not ahead.notes


def _key(grid):
    return bytes(grid.shape) + grid.tobytes()


def test_searches_that_get_states_ahead_give_the_same_answers(settings, easy_tasks, alone):
    told = []
    with SearchWorkers(settings, 1, told.append) as workers:
        workers.ahead = StatesAhead()
        workers.ahead.begin(settings)
        workers.ahead.ask(list(easy_tasks))
        assert set(workers.ahead.receive().states) == set(easy_tasks.ids)
        assert {each.task: each for each in workers.solve(list(easy_tasks))} == alone


def test_a_search_goes_on_if_the_process_that_makes_states_ends(settings, easy_tasks, alone):
    told = []
    with SearchWorkers(settings, 1, told.append) as workers:
        workers.ahead = StatesAhead()
        workers.ahead.begin(settings)
        workers.ahead.child.kill()
        assert {each.task: each for each in workers.solve(list(easy_tasks))} == alone
    assert "Continuing on the CPU" in told[0]
