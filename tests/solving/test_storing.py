import pytest

from batt.errors import DataError
from batt.solving import Solutions
from batt.solving.candidates import Layer
from batt.solving.solutions import Answer, TaskSolution
from batt.solving.storing import SOLUTIONS, SolutionFolder, SolveRequest

REQUEST = SolveRequest(("tasks.json",), ("turned", "greened"), ("built-in",), None, 5.0)
ANSWER = Answer(((1, 2),), "def solve_turned(I):\n    return I\n", Layer.DECK, 0.9, "fits")
FOUND = TaskSolution("turned", ((ANSWER,),), 17)


def test_a_search_goes_on_with_what_is_stored(tmp_path):
    SolutionFolder.begin(tmp_path, REQUEST).add(FOUND)
    folder = SolutionFolder.resume(tmp_path)
    assert (folder.request, folder.found) == (REQUEST, [FOUND])


def test_a_line_that_a_kill_cut_is_dropped(tmp_path):
    SolutionFolder.begin(tmp_path, REQUEST).add(FOUND)
    path = tmp_path / SOLUTIONS
    path.write_bytes(path.read_bytes() + b'{"task":"gree')
    folder = SolutionFolder.resume(tmp_path)
    folder.add(TaskSolution("greened", ((),)))
    assert [each.task for each in SolutionFolder.resume(tmp_path).found] == ["turned", "greened"]


def test_a_damaged_file_is_refused(tmp_path):
    (tmp_path / SOLUTIONS).write_text('{"format":1}\nnonsense\n')
    with pytest.raises(DataError, match="damaged"):
        SolutionFolder.resume(tmp_path)


def test_programs_and_submission_are_written_at_the_end(tmp_path, easy_tasks):
    folder = SolutionFolder.begin(tmp_path, REQUEST)
    folder.add(FOUND)
    folder.finish(Solutions(easy_tasks, {"turned": FOUND}))
    assert "def solve_turned(I):" in (tmp_path / "solutions.py").read_text()
    assert (tmp_path / "submission.json").exists()
