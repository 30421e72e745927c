"""Scores, winners, and looking at single results."""

from __future__ import annotations

import re
import sys
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from batt.draw import Picture
from batt.errors import UsageError
from batt.front import Deck
from batt.jobs import Results, evaluate
from batt.jobs.values import Failed
from batt.runtime.records import unfilled
from batt.tasks import tasks_from_dict
from handmade import MIRROR, RAISES, SAME, deck, plain_tasks

MIRRORED_TWICE = ("y = vmirror(I)", "z = vmirror(y)", "x = identity(z)")

DECK = deck(
    solve_mirror=MIRROR,
    solve_same=SAME,
    solve_twin=("mirrored = vmirror(I)", "x = mirrored"),
    solve_raise=RAISES,
    solve_twice=MIRRORED_TWICE,
)


def results_of(tasks: dict[str, Any], solvers: Deck = DECK, **options: Any) -> Results:
    return evaluate(solvers, tasks_from_dict(tasks), workers=1, engine="reference", **options)


@pytest.fixture(scope="module")
def results() -> Results:
    return results_of(plain_tasks(), outputs=True)


@pytest.fixture(scope="module")
def unanswered() -> Results:
    return results_of(plain_tasks(answers=False))


def test_a_solver_fits_where_all_demonstrations_come_out_equal(results: Results):
    assert results.fits.tolist() == [[True, True], [False, True], [True, True], [False, False], [False, True]]


def test_a_solver_may_fit_and_not_be_correct(results: Results):
    assert results.correct.tolist() == [[True, True], [False, False], [True, True], [False, False], [False, False]]


def test_a_solver_may_be_correct_and_not_fit():
    tasks = plain_tasks()
    tasks["mirror"]["train"][0]["output"] = [[9, 9]]
    results = results_of(tasks, deck(solve_mirror=MIRROR))
    assert results.fits.tolist() == [[False, True]]
    assert results.correct.tolist() == [[True, True]]


def test_one_wrong_test_pair_is_not_correct():
    tasks = plain_tasks()
    tasks["trap"]["test"][0]["output"] = [[9, 9]]
    assert results_of(tasks, deck(solve_mirror=MIRROR)).correct.tolist() == [[True, False]]


def test_without_test_outputs_nothing_but_correct_is_refused(results: Results, unanswered: Results):
    assert unanswered.tasks_without_answers == ("mirror", "trap")
    with pytest.raises(UsageError, match=r"^test outputs are unknown for 2 of 2 tasks \(first: mirror\)$"):
        _ = unanswered.correct
    assert unanswered.fits.tolist() == results.fits.tolist()
    assert unanswered.counts == results.counts
    assert unanswered.winners().names == results.winners().names
    assert unanswered.output("solve_mirror", "mirror") == ((7, 6),)
    assert "expected output unknown" in repr(unanswered.show("solve_mirror", "mirror"))


def test_a_task_without_test_pairs_has_no_answers():
    tasks = plain_tasks()
    tasks["trap"]["test"] = []
    results = results_of(tasks, deck(solve_same=SAME))
    assert results.tasks_without_answers == ("trap",)
    assert results.fits.tolist() == [[False, True]]


def test_every_evaluation_is_counted_by_status_and_error(results: Results):
    assert results.counts == {"ok": 28, "raised": 7, "over_budget": 0, "timed_out": 0}
    assert results.error_counts == {"StopIteration": 7}
    assert sum(results.counts.values()) == len(results) == 35
    assert results.steps > 0


def test_what_an_interrupt_left_is_counted_apart_and_fits_nothing(results: Results):
    records = results.records.copy()
    records[:7] = unfilled(7)
    cut = Results(
        results.deck, results.tasks, results.evaluations, records, engine="x", limits=results.limits, interrupted=True
    )
    assert (cut.not_run, results.not_run) == (7, 0)
    assert cut.counts == {"ok": 21, "raised": 7, "over_budget": 0, "timed_out": 0}
    assert cut.fits.tolist() == [[False, False], *results.fits.tolist()[1:]]
    assert cut.correct.tolist() == [[False, False], *results.correct.tolist()[1:]]


def test_winners_are_the_programs_that_fit_each_once(results: Results):
    assert results.winners().names == ("solve_mirror", "solve_same", "solve_twice")


def test_winners_never_depend_on_test_outputs(results: Results):
    tasks = plain_tasks()
    for task in tasks.values():
        for pair in task["test"]:
            pair["output"] = [[0, 0, 0]]
    flipped = results_of(tasks)
    assert not flipped.correct.any()
    assert flipped.winners().names == results.winners().names
    assert flipped.fits.tolist() == results.fits.tolist()


def test_own_results_score_each_solver_on_the_task_in_its_name():
    results = results_of(plain_tasks(), own=True)
    assert len(results) == 3
    assert results.fits.tolist() == [[True, False], *[[False, False]] * 4]
    assert results.correct.tolist() == [[True, False], *[[False, False]] * 4]
    assert results.winners().names == ("solve_mirror",)


def test_an_empty_deck_gives_empty_results():
    results = results_of(plain_tasks(), Deck([]))
    assert len(results) == 0
    assert results.fits.shape == results.correct.shape == (0, 2)
    assert len(results.winners()) == 0


def test_outputs_that_were_kept_are_read_and_others_are_computed_again(
    results: Results, monkeypatch: pytest.MonkeyPatch
):
    others = results_of(plain_tasks())
    asked = [
        ("solve_mirror", "mirror", "test", 0),
        ("solve_mirror", "trap", "test", 1),
        ("solve_same", "mirror", "train", 1),
    ]
    assert [others.output(*each) for each in asked] == [((7, 6),), ((0, 1),), ((3, 4, 5),)]
    monkeypatch.setattr("batt.jobs.tracing.trace_sample", None)
    assert [results.output(*each) for each in asked] == [((7, 6),), ((0, 1),), ((3, 4, 5),)]


def test_values_are_those_of_all_evaluations_in_order(results: Results):
    values = results.values()
    assert values[0] == results.output("solve_mirror", "mirror", "train", 0)
    assert results.values(np.array([3, 0])) == [values[3], values[0]]
    assert sum(isinstance(value, Failed) for value in values) == len(results) - results.counts["ok"] > 0
    with pytest.raises(UsageError, match=r"^outputs were not kept; evaluate with outputs=True$"):
        results_of(plain_tasks()).values()


def test_an_output_of_any_pair_is_found(results: Results):
    assert results.output("solve_mirror", "mirror") == ((7, 6),)
    assert results.output("solve_mirror", "trap", "test", 1) == ((0, 1),)
    assert results.output("solve_same", "mirror", "train", 1) == ((3, 4, 5),)


def test_an_evaluation_without_a_value_has_no_output(results: Results):
    told = "solve_raise gave no value for mirror test 0: raised StopIteration: first of an empty tuple"
    with pytest.raises(UsageError, match=f"^{told}$"):
        results.output("solve_raise", "mirror")


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        (("solve_mirrors", "mirror"), "no solver 'solve_mirrors'"),
        (("solve_mirror", "miror"), "unknown task 'miror'; did you mean mirror"),
        (("solve_mirror", "mirror", "test", 1), "task mirror has no test pair 1"),
        (("solve_mirror", "mirror", "train", -1), "task mirror has no train pair -1"),
        (("solve_mirror", "mirror", "exam", 0), "task mirror has no exam pair 0"),
    ],
)
def test_what_is_not_there_is_named(results: Results, wanted: tuple[Any, ...], message: str):
    with pytest.raises(UsageError, match=message):
        results.output(*wanted)


def test_a_trace_is_of_the_first_demonstration_unless_another_is_named(results: Results):
    assert repr(results.trace("solve_mirror", "trap")) == "<Trace solve_mirror on trap train 0 | 1 of 1 steps | ok>"
    assert results.trace("solve_mirror", "trap", 1, part="test").sample.input == ((1, 0),)


def test_a_picture_shows_every_pair_of_a_task(results: Results):
    picture = results.show("solve_mirror", "trap")
    assert isinstance(picture, Picture)
    assert [row.title for row in picture.scene.rows] == ["train 0", "train 1", "test 0", "test 1"]


def test_the_repr_tells_size_and_engine(results: Results):
    assert repr(results) == "<Results | 35 evaluations | reference>"
    assert repr(results_of(plain_tasks(), Deck([]))) == "<Results | 0 evaluations | reference>"


def test_a_notebook_shows_figures_the_wall_the_matrix_and_a_fit(results: Results):
    html = results._repr_html_()
    assert html.startswith("<p>Results | 35 evaluations | reference</p>")
    cells = [ElementTree.fromstring(row) for row in re.findall("<tr>.*?</tr>", html)]
    assert [tuple(cell.text for cell in row) for row in cells][:-1] == [
        ("ok", "28"),
        ("raised", "7"),
        ("tasks that fit", "2 of 2"),
        ("… and are correct", "2"),
        ("solvers that fit a task", "4 of 5"),
    ]
    assert html.count("<svg") == 1
    assert "solve_mirror on mirror" in html
    assert [f'alt="{name}"' in html for name in ("mirror", "trap", "5 solvers (rows) on 2 tasks (columns)")] == [
        True
    ] * 3


def test_a_notebook_shows_results_without_fits():
    html = results_of(plain_tasks(answers=False), deck(solve_raise=RAISES))._repr_html_()
    assert html.startswith("<p>Results | 7 evaluations | reference</p><table>")
    assert "0 of 2" in html
    assert "are correct" not in html
    assert "<svg" not in html


def test_show_prints_in_a_script_and_leaves_it_to_a_session(
    results: Results, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    picture = results.show("solve_mirror", "mirror")
    assert capsys.readouterr().out.split() == repr(picture).split()
    monkeypatch.setattr(sys, "ps1", ">>> ", raising=False)
    assert results.show("solve_mirror", "mirror") == picture == results.picture("solve_mirror", "mirror")
    results._repr_html_()
    assert capsys.readouterr().out == ""
