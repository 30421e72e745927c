from batt.solving import Layer
from batt.solving.search import SearchSettings
from batt.solving.workers import SearchWorkers, TaskFailure

EFFORT = 100_000_000


def test_a_process_that_ends_is_replaced_and_its_task_is_tried_again(easy_tasks, small_library):
    settings = SearchSettings(small_library, EFFORT, None, frozenset(Layer))
    with SearchWorkers(settings, 1) as workers:
        workers._children[0].kill()
        assert [each.task for each in workers.solve([easy_tasks["turned"]])] == ["turned"]


def test_a_task_that_ends_two_processes_is_given_up(easy_tasks, small_library):
    settings = SearchSettings(small_library, EFFORT, None, frozenset(Layer))
    with SearchWorkers(settings, 1) as workers:
        workers._answer = lambda child, task: child.receive() and None
        assert list(workers.solve([easy_tasks["turned"]])) == [TaskFailure("turned")]
