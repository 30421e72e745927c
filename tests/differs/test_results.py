"""The scores of a run: of every evaluation, in figures, and as JSON."""

from __future__ import annotations

import json

import pytest

import batt
import handmade
from batt.differs import BUILT_IN, differs_named, score_results
from batt.differs.arrays import PLAIN
from batt.errors import UsageError
from batt.jobs.values import Failed
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
    for number, value in enumerate(results.values()):
        solver, at = results.evaluations.pair(number)
        expected = results.evaluations.samples[at].expected
        assert (value == Failed("StopIteration")) == (DECK[solver].name == "solve_r")
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


@pytest.mark.parametrize("engine", ["auto", "reference"])
def test_outputs_with_helpers_and_long_functions_have_scores(engine):
    twice = "def twice(g):\n    return hconcat(g, g)\n\n\n"
    long = "".join([f"    x{n + 1} = compose(x{n}, x{n})\n" for n in range(8)])
    deck = batt.Deck.from_sources(
        {
            "solve_a": f"{twice}def solve_a(I):\n    return astuple(twice, I)\n",
            "solve_b": f"def solve_b(I):\n    x0 = compose(size, first)\n{long}    return x8\n",
        }
    )
    scores = score_results(batt.evaluate(deck, TASKS, outputs=True, engine=engine), differs_named("equal"))
    assert {score if score is not None else reason for ((score, reason),) in scores.scores} == {1, ("unknown",)}


def test_scores_do_not_depend_on_how_many_are_made_at_once(results, monkeypatch):
    whole = score_results(results, list(BUILT_IN.values()))
    for at_once in (1, 3, 7):
        monkeypatch.setattr("batt.differs.results.AT_ONCE", at_once)
        assert score_results(results, list(BUILT_IN.values())).scores == whole.scores
