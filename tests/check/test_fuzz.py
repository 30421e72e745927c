"""Fuzzing: what is found, kept and counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from batt.check.batches import WordsBatch
from batt.check.engines import Reference
from batt.check.fuzz import Fuzzed, Request, fuzz
from batt.errors import UsageError
from batt.front import load_deck
from batt.ops import NEW_WORDS, OPS
from batt.tasks import load_tasks
from native_library import needs_library
from planted import Planted, Refusing


def run(folder: Path, *engines, count: int = 60, seed: int = 3) -> tuple[Fuzzed, list[str]]:
    told: list[str] = []
    done = fuzz(Request(seed, count, workers=1, folder=folder, engines=engines), told.append)
    return done, told


@needs_library
def test_native_engines_agree_on_random_programs(tmp_path):
    told: list[str] = []
    done = fuzz(Request(seed=900, count=600, workers=2, folder=tmp_path), told.append)
    assert told == []
    assert (done.differences, done.programs, done.batches, done.tally.evaluations) == (0, 600, 3, 1_800)
    assert done.distinct > 550
    assert done.tally.statuses["ok"] > 0.25 * done.tally.evaluations
    assert done.tally.compared > 3_500
    assert len(done.tally.executed) > 0.9 * len(OPS)
    assert [path.name for path in tmp_path.iterdir()] == ["seeds.log"]
    lines = (tmp_path / "seeds.log").read_text().splitlines()
    assert sorted(lines)[0] == "seed 900: 200 programs, 600 evaluations, 0 differences"


@needs_library
def test_most_programs_for_new_words_call_one_before_they_end(tmp_path):
    told: list[str] = []
    done = fuzz(Request(seed=40, count=400, workers=1, folder=tmp_path, make=WordsBatch), told.append)
    assert (done.differences, told) == (0, [])
    assert 0.85 * done.distinct < done.distinct_callers < done.distinct
    assert done.least_of(NEW_WORDS)[1] > 10


def test_a_planted_difference_is_made_small_and_kept(tmp_path):
    # Enough programs for some to hold it, whatever ops the table has.
    done, told = run(tmp_path, Planted("vmirror", "upside down"), Reference(count_ops=True), count=200)
    assert done.failures
    for number, failure in enumerate(done.failures):
        assert failure.is_alone
        assert "vmirror" in failure.case.source
        assert len(failure.case.program.steps) <= 4
        path = tmp_path / f"3-{number}"
        assert load_deck(path.with_suffix(".py"))["solve_it"].program == failure.case.program
        (task,) = load_tasks(path.with_suffix(".json"))
        assert task.test[0].input == failure.case.sample.input
        assert json.loads(path.with_suffix(".json").read_text())["failure"]["train"]
    assert told[0].startswith(f"seed 3: 200 programs, 600 evaluations, {done.differences} differences")


def test_a_program_that_cannot_be_made_ready_is_a_failure(tmp_path):
    # Enough programs for some to hold it, whatever ops the table has.
    done, _ = run(tmp_path, Refusing(), Reference(), count=400)
    assert done.failures
    for failure in done.failures:
        assert failure.what == "refused: trim"
        assert "trim" in failure.case.source


def test_counts_and_seeds_must_make_sense(tmp_path):
    for wrong in ({"count": 0}, {"minutes": 0.0}, {"workers": 0}, {"seed": -1}):
        with pytest.raises(UsageError):
            Request(folder=tmp_path, **wrong)


def test_batches_end_with_the_count_or_the_time():
    assert [batch.count for batch in Request(5, count=450).batches(0.0)] == [200, 200, 50]
    assert [batch.seed for batch in Request(5, count=450).batches(0.0)] == [5, 6, 7]
    assert list(Request(minutes=1.0).batches(-1e9)) == []
