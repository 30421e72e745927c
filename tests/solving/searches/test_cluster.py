import pytest

from batt.errors import UsageError
from batt.runtime.cluster.choice import read_cluster
from batt.runtime.cluster.local import LocalCluster
from batt.solving import Layer, solve
from batt.solving.searches import cluster
from batt.solving.searches.cluster import ClusterSearch, connected, end_there, search_there
from batt.solving.searches.search import SearchSettings
from batt.solving.searches.storing import search_version

pytest.importorskip("distributed")

EFFORT = 100_000_000


@pytest.fixture(scope="module")
def settings(small_library):
    return SearchSettings(small_library, EFFORT, None, frozenset(Layer))


def test_a_cluster_gives_the_answers_of_one_process(easy_tasks, small_deck):
    told = []
    here = solve(easy_tasks, [small_deck], effort=EFFORT, workers=1)
    there = solve(easy_tasks, [small_deck], effort=EFFORT, cluster="local:2", tell=told.append)
    assert list(there) == list(here)
    assert sum("searches" in line for line in told) == 2


def test_a_worker_that_is_killed_costs_no_task(easy_tasks, settings, monkeypatch):
    made = []
    monkeypatch.setattr(cluster, "LocalCluster", lambda *args: made.append(LocalCluster(*args)) or made[-1])
    told = []
    with connected(read_cluster("local:2")) as client:
        found = []
        for solution in ClusterSearch(client, settings, told.append).solve([*easy_tasks] * 3):
            if not found:
                made[0].children[1].kill()
            found.append(solution.task)
    assert sorted(found) == sorted([task.id for task in easy_tasks] * 3)


def test_an_answer_that_is_lost_with_its_worker_is_not_waited_for(easy_tasks, settings, monkeypatch):
    monkeypatch.setattr(cluster, "FETCH_S", 2.0)
    made, killed, fetch = [], [], ClusterSearch._fetched
    monkeypatch.setattr(cluster, "LocalCluster", lambda *args: made.append(LocalCluster(*args)) or made[-1])

    def kill_and_fetch(future):
        if not killed:
            # One of both has made this answer. The other one takes its tasks, if it is that one's.
            killed.append(made[0].children[1])
            killed[0].kill()
        return fetch(future)

    monkeypatch.setattr(ClusterSearch, "_fetched", staticmethod(kill_and_fetch))
    with connected(read_cluster("local:2")) as client:
        found = [solution.task for solution in ClusterSearch(client, settings).solve([*easy_tasks])]
    assert sorted(found) == sorted([task.id for task in easy_tasks])


def test_a_worker_of_another_version_is_refused(easy_tasks, settings):
    answer = search_there("digest", settings, "other", easy_tasks["turned"])
    assert isinstance(answer, UsageError)
    assert "another version of batt" in str(answer)


def test_a_worker_keeps_its_process_until_it_is_told_to_end_it(easy_tasks, settings):
    answers = [search_there("digest", settings, search_version(), easy_tasks["turned"]) for _ in range(2)]
    assert answers[0] == answers[1]
    assert cluster._Here.free.qsize() == 1
    end_there("digest")
    assert cluster._Here.free.qsize() == 0


def test_a_scheduler_that_does_not_answer_is_bad_input(easy_tasks, small_deck, monkeypatch):
    monkeypatch.setattr(cluster, "CONNECT_S", 0.5)
    with pytest.raises(UsageError, match="does not answer"):
        solve(easy_tasks, [small_deck], effort=EFFORT, cluster="tcp://127.0.0.1:9")
