from dataclasses import replace

import pytest

from batt.solving import Layer
from batt.solving.searches.child import SearchRequest
from batt.solving.searches.search import SearchSettings
from batt.solving.searches.workers import SearchWorkers, TaskFailure, WaitingSearches

EFFORT = 100_000_000


def test_a_process_that_ends_is_replaced_and_its_task_is_tried_again(easy_tasks, small_library):
    settings = SearchSettings(small_library, EFFORT, None, frozenset(Layer))
    with SearchWorkers(settings, 1) as workers:
        workers._children[0].kill()
        assert [each.task for each in workers.solve([easy_tasks["turned"]])] == ["turned"]


def test_a_task_that_ends_two_processes_is_given_up(easy_tasks, small_library):
    settings = SearchSettings(small_library, EFFORT, None, frozenset(Layer))
    with SearchWorkers(settings, 1) as workers:
        workers._answer = lambda child: child.receive() and None
        assert list(workers.solve([easy_tasks["turned"]])) == [TaskFailure("turned")]


@pytest.fixture
def requests(easy_tasks):
    return [SearchRequest(task) for task in easy_tasks]


def test_states_are_asked_for_from_the_last_task_on(requests):
    first, last = requests
    waiting = WaitingSearches(requests)
    assert waiting.ask(1) == [last.task]
    waiting.add({last.task.id: b"states"})
    assert waiting.ask(1) == [], "enough are made"
    assert waiting.take() == (1, replace(last, states=b"states"))
    assert waiting.take() == (0, first)
    assert (len(waiting), waiting.handed_out) == (0, 1)


def test_no_search_waits_for_states(requests):
    first, last = requests
    waiting = WaitingSearches(requests)
    assert waiting.ask(2) == [last.task, first.task]
    assert waiting.take() == (0, first)
    waiting.add({first.task.id: b"late", last.task.id: b"states"})
    assert waiting.take() == (1, replace(last, states=b"states"))


def test_a_search_that_waits_again_makes_its_states_itself(requests):
    waiting = WaitingSearches(requests)
    waiting.ask(2)
    waiting.add({requests[1].task.id: b"states"})
    number, request = waiting.take()
    waiting.put_back(number, request)
    waiting.forget()
    assert [waiting.take() for _ in range(2)] == [(0, requests[0]), (1, requests[1])]


def test_a_request_may_name_its_layers(easy_tasks, small_library):
    settings = SearchSettings(small_library, EFFORT, None, frozenset(Layer))
    asked = [SearchRequest(easy_tasks["greened"], frozenset({layer})) for layer in (Layer.TREE, Layer.DECK)]
    with SearchWorkers(settings, 1) as workers:
        found = dict(workers.search(asked))
    assert [bool(found[number].answers[0]) for number in (0, 1)] == [True, False]
