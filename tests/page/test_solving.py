import json

import pytest

from batt.page.document import page_file
from batt.page.solving import (
    UNIT,
    SearchMonitor,
    SearchSource,
    StoredSearchView,
    found_results,
    search_info,
)
from batt.solving import Answer, Layer, Solutions, TaskSolution
from batt.solving.searches.storing import SolutionFolder, SolveRequest
from batt.tasks import tasks_from_dict

SOURCE = "def solve_{}(I):\n    x1 = rot90(I)\n    return x1\n"


@pytest.fixture
def plain():
    turned = [{"input": [[at, 2], [3, 4]], "output": [[3, at], [4, 2]]} for at in range(3)]
    return {name: {"train": turned[:2], "test": turned[2:]} for name in ("aaaaaaaa", "bbbbbbbb")}


@pytest.fixture
def tasks(plain):
    return tasks_from_dict(plain)


def solution(tasks, task):
    output = tasks[task].test[0].output
    return TaskSolution(task, ((Answer(output, SOURCE.format(task), Layer.DECK, 0.9, "fits"),),))


@pytest.fixture
def monitor(tasks):
    return SearchMonitor(tasks, {})


def test_there_is_no_overview_before_a_program_is_found(monitor):
    source = SearchSource(monitor.look)
    assert source.overview() is None
    assert source.event()["figures"]["done"] == 0
    source.close()


def test_a_page_can_be_read_while_a_search_goes_on(monitor, tasks):
    source = SearchSource(monitor.look)
    monitor.add(solution(tasks, "bbbbbbbb"))
    event, shown = source.event(), source.overview()
    assert event["state"] == shown["state"] == "running"
    assert (event["figures"]["unit"], event["figures"]["done"], event["figures"]["total"]) == (UNIT, 1, 2)
    assert event["figures"]["solved"] == [1]
    assert event["log"][0][1].startswith("bbbbbbbb: a solver of a deck")
    assert shown["figures"]["correct"] == 1
    assert source.task(1)["candidates"][0]["source"].startswith("def solve_bbbbbbbb(I):")
    monitor.end(interrupted=False)
    assert source.overview()["state"] == "finished"
    source.close()


def test_a_stored_search_is_looked_at_and_becomes_a_page(plain, tasks, tmp_path):
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps(plain))
    request = SolveRequest((str(path),), tasks.ids, (), "t", "d", 1, None)
    with SolutionFolder.begin(tmp_path / "out", request) as folder:
        folder.add(solution(tasks, "aaaaaaaa"))
        assert StoredSearchView(tmp_path / "out").look().state == "running"
    view = StoredSearchView(tmp_path / "out").look()
    assert view.state == "unfinished"
    results = found_results(view.solutions)
    assert results is not None
    assert results.fits.sum() == 1
    assert ("Searched", "1 of 2 tasks") in search_info(view).rows
    assert "the programs found" in page_file(results, search_info(view))


def test_a_search_without_a_program_has_no_results(tasks):
    assert found_results(Solutions(tasks, {})) is None
