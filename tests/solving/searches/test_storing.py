from importlib import resources

import pytest

from batt.errors import DataError, UsageError
from batt.solving import Solutions
from batt.solving.answers.solutions import Answer, TaskSolution
from batt.solving.candidates import Layer
from batt.solving.searches.storing import (
    SOLUTIONS,
    SolutionFolder,
    SolveRequest,
    decks_hash,
    is_search,
    read_search,
    search_version,
    state_word,
)
from batt.store.folder import RUN
from batt.store.manifest import tasks_hash

REQUEST = SolveRequest(("tasks.json",), ("turned", "greened"), ("built-in",), "t", "d", None, 5.0)
ANSWER = Answer(((1, 2),), "def solve_turned(I):\n    return I\n", Layer.DECK, 0.9, "fits")
FOUND = TaskSolution("turned", ((ANSWER,),), 17)
OTHER = TaskSolution("greened", ((),))


def begun(folder, *solutions):
    with SolutionFolder.begin(folder, REQUEST) as begun:
        for each in solutions:
            begun.add(each)
    return folder


def test_a_search_goes_on_with_what_is_stored(tmp_path):
    with SolutionFolder.resume(begun(tmp_path, FOUND)) as folder:
        assert (folder.request, folder.found) == (REQUEST, [FOUND])


def test_a_line_that_a_kill_cut_is_dropped(tmp_path):
    path = begun(tmp_path, FOUND) / SOLUTIONS
    path.write_bytes(path.read_bytes() + b'{"task":"gree')
    with SolutionFolder.resume(tmp_path) as folder:
        folder.add(OTHER)
    assert [each.task for each in read_search(tmp_path).found] == ["turned", "greened"]


@pytest.mark.parametrize("text", ['{"format":2}\nnonsense\n', '{"format":2}\n', "[]\n"])
def test_a_damaged_file_is_refused(tmp_path, text):
    (tmp_path / SOLUTIONS).write_text(text)
    with pytest.raises(DataError, match="damaged"):
        SolutionFolder.resume(tmp_path)


def test_a_file_of_another_format_is_refused(tmp_path):
    (tmp_path / SOLUTIONS).write_text('{"format":1}\n')
    with pytest.raises(DataError, match="no solutions that this version of batt reads"):
        read_search(tmp_path)


def test_one_process_at_a_time_writes_to_a_folder(tmp_path):
    with SolutionFolder.begin(tmp_path, REQUEST):
        assert state_word(tmp_path, read_search(tmp_path)) == "running"
        with pytest.raises(UsageError, match="another process writes this run"):
            SolutionFolder.resume(tmp_path)


def test_the_state_is_known_by_the_lines(tmp_path):
    assert state_word(tmp_path, read_search(begun(tmp_path, FOUND))) == "unfinished"
    with SolutionFolder.resume(tmp_path) as folder:
        folder.add(OTHER)
    assert state_word(tmp_path, read_search(tmp_path)) == "finished"


def test_a_finished_search_is_replaced_and_another_is_not(tmp_path):
    begun(begun(tmp_path, FOUND, OTHER), FOUND)
    with pytest.raises(UsageError, match="unfinished search"):
        SolutionFolder.begin(tmp_path, REQUEST)


def test_a_folder_of_a_run_is_left_alone(tmp_path):
    (tmp_path / RUN).touch()
    with pytest.raises(UsageError, match="holds a run"):
        SolutionFolder.begin(tmp_path, REQUEST)
    assert not is_search(tmp_path)


def test_what_decides_the_answers_must_be_the_same(tmp_path, easy_tasks, small_deck):
    same = {"tasks_hash": tasks_hash(easy_tasks), "decks_hash": decks_hash([small_deck]), "version": search_version()}
    asked = {"tasks": (), "ids": (), "decks": (), "effort": 1, "seconds": None}
    SolveRequest(**asked, **same).check(easy_tasks, [small_deck], tmp_path)
    for name, what in (("tasks_hash", "tasks"), ("decks_hash", "decks"), ("version", "version of batt")):
        with pytest.raises(UsageError, match=f"the {what} (are|is) not the same"):
            SolveRequest(**asked, **same | {name: "other"}).check(easy_tasks, [small_deck], tmp_path)


def test_programs_and_submission_are_written_at_the_end(tmp_path, easy_tasks):
    with SolutionFolder.begin(tmp_path, REQUEST) as folder:
        folder.finish(Solutions(easy_tasks, {"turned": FOUND}))
    assert "def solve_turned(I):" in (tmp_path / "solutions.py").read_text()
    assert (tmp_path / "submission.json").exists()


@pytest.mark.parametrize("name", ["search.py", "decks/scenes/stamps.py", "decks/pictures/changed.py", "evidence.json"])
def test_the_version_of_the_search_depends_on_all_its_code_decks_and_weights(tmp_path, monkeypatch, name):
    monkeypatch.setattr(resources, "files", lambda package: tmp_path)
    before = search_version.__wrapped__()
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("x = 1")
    added = search_version.__wrapped__()
    path.write_text("x = 2")
    assert len({before, added, search_version.__wrapped__()}) == 3
