"""What a list of runs tells is what the records of each run say."""

from __future__ import annotations

from pathlib import Path

import pytest

import batt
from batt.cli.runs import solved_by
from batt.front import Deck
from batt.jobs import Results
from batt.jobs.keeping import Keep
from batt.store import merge_runs, open_run, state_of
from batt.store.manifest import Choices
from batt.tasks import Tasks
from handmade import plain_tasks, source
from stored_runs import cut, resumed, stored


def check(folder: Path, results: Results) -> None:
    found = state_of(folder).found
    assert found.counts == results.counts
    assert found.done == len(results) - results.not_run
    assert found.solved == len(solved_by(results))


@pytest.mark.parametrize("choices", [Choices(), Choices(keep=Keep.HITS), Choices(own=True)], ids=["all", "hits", "own"])
def test_a_run_that_is_cut_and_goes_on_counts_what_it_has_found(
    deck: Deck, tasks: Tasks, tmp_path: Path, many_blocks: None, choices: Choices
):
    stored(tmp_path, deck, tasks, choices, on_block=cut(2))
    check(tmp_path, open_run(tmp_path))
    results = resumed(tmp_path)
    check(tmp_path, results)
    assert len(solved_by(results)) > 3


def test_merged_runs_count_what_they_have_found(deck: Deck, tasks: Tasks, tmp_path: Path):
    stored(tmp_path / "a", deck[:10], tasks)
    stored(tmp_path / "b", deck[10:], tasks)
    check(tmp_path / "c", merge_runs([tmp_path / "a", tmp_path / "b"], tmp_path / "c"))


def test_without_a_test_output_a_task_that_is_fitted_counts_as_solved(tmp_path: Path):
    deck = batt.Deck.from_sources({"solve_a": source("solve_a", "x = identity(I)")})
    for answers, solved in ((True, 0), (False, 1)):
        folder = tmp_path / str(answers)
        check(folder, stored(folder, deck, batt.load_tasks(plain_tasks(answers))))
        assert state_of(folder).found.solved == solved
