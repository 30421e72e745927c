"""The scores of a run: of every evaluation, in figures, and as JSON."""

from __future__ import annotations

import json

import pytest

import batt
import handmade
from batt.differs import BUILT_IN, differs_named, score_results
from batt.differs.arrays import PLAIN
from batt.errors import UsageError
from batt.jobs.values import Failed, read_output
from batt.runtime import Equality, Status
from native_library import needs_library

DECK = handmade.deck(solve_m=handmade.MIRROR, solve_s=handmade.SAME, solve_r=handmade.RAISES)
TASKS = batt.tasks_from_dict(handmade.plain_tasks(answers=False))


@pytest.fixture(scope="module")
def results():
    return batt.evaluate(DECK, TASKS, outputs=True)


def test_every_evaluation_has_the_scores_of_its_output(results):
    scores = score_results(results, list(BUILT_IN.values()))
    assert len(scores) == len(results)
    for number in range(len(results)):
        solver, at = results.evaluations.pair(number)
        expected = results.evaluations.samples[at].expected
        raised = DECK[solver].name == "solve_r"
        value = Failed("StopIteration") if raised else read_output(results.outputs[number])
        assert scores[number] == tuple([PLAIN[name](value, expected) for name in PLAIN])


def test_the_records_of_the_run_say_the_same(results):
    scores = score_results(results, differs_named("equal,cells"))
    for (equal, cells), record in zip(scores.scores, results.records, strict=True):
        if equal[0] is not None:
            assert equal[0] == (record["equal"] == Equality.NO)
            assert cells[0] == record["differing"]


def test_the_summary_counts_scores_zeros_and_reasons(results):
    assert score_results(results, differs_named("equal")).summary["equal"] == {
        "scored": 10,
        "zero": 7,
        "mean": 0.3,
        "without": {"StopIteration": 7, "unknown": 4},
    }


def test_texts_are_json_of_score_and_detail(results):
    texts = score_results(results, differs_named("equal,colours")).texts()
    assert json.loads(texts[0]) == {"equal": [0, [[1, 2], [1, 2]]], "colours": [0, [[], []]]}
    assert len(texts) == len(results)


@needs_library
def test_engines_give_the_same_scores(results, tmp_path):
    path = tmp_path / "own.py"
    path.write_text("def differ_size(S, I, C, E):\n    x = size(difference(C, E))\n    return x\n")
    differs = differs_named(f"cells,{path}")
    found = [score_results(results, differs, engine=engine).scores for engine in ("cpu", "reference")]
    assert found[0] == found[1]


def test_what_was_not_run_has_no_scores():
    results = batt.evaluate(DECK, TASKS, outputs=True)
    results.records["status"][1:] = Status.NOT_RUN
    scores = score_results(results, differs_named("equal"))
    assert scores[0] == ((0, ((1, 2), (1, 2))),)
    assert scores.scores[1:] == [None] * (len(results) - 1)
    assert scores.texts()[-1] == "null"
    results.records["status"] = Status.NOT_RUN
    assert score_results(results, differs_named("equal")).summary["equal"]["scored"] == 0


def test_a_run_without_outputs_cannot_be_scored():
    with pytest.raises(UsageError, match="outputs were not kept"):
        score_results(batt.evaluate(DECK, TASKS), differs_named("equal"))
