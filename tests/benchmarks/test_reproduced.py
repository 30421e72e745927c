"""Programs of a search give their answers again on every engine, and one that does not is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from batt.solving import Answer, Layer, TaskSolution
from batt.solving.searches.storing import SolutionFolder, SolveRequest
from batt.tasks import load_tasks
from reproduced import main

FIVE = Path(__file__).parents[2] / "docs" / "solve"


def test_the_programs_of_the_page_give_their_answers_on_both_engines(capsys: pytest.CaptureFixture[str]):
    assert main([str(FIVE), "--engines", "reference,cpu"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == ["reference", "cpu"]


def test_a_program_that_does_not_give_its_answer_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    task = load_tasks("arc1-training")["007bbfb7"]
    request = SolveRequest(("arc1-training",), (task.id,), (), "t", "d", 1, None)
    answer = Answer(task.test[0].input, f"def solve_{task.id}(I):\n    return rot90(I)\n", Layer.DECK, 0.5, "fits")
    with SolutionFolder.begin(tmp_path, request) as folder:
        folder.add(TaskSolution(task.id, ((answer,),)))
    assert main([str(tmp_path), "--engines", "reference"]) == 1
    assert "solve_007bbfb7 on test input 0" in capsys.readouterr().out
