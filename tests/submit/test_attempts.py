"""Two attempts for every test input: what they are, and in what form."""

from __future__ import annotations

import json

import numpy as np
import pytest

import batt
from batt.errors import UsageError
from batt.front import Deck
from batt.jobs import Results, evaluate
from batt.runtime.options import Options
from batt.runtime.records import unfilled
from batt.submit.attempts import Attempts, Why
from batt.submit.making import attempts_of
from batt.tasks import Tasks, load_tasks
from handmade import MIRROR, RAISES, SAME, deck, pairs
from submit_tasks import FLIP, chosen, with_other_answers


def test_the_best_two_different_outputs_are_the_attempts():
    assert chosen({"a": SAME, "b": MIRROR, "c": ("x = rot180(I)",), "d": ("x = hmirror(I)",)}) == [
        [[[9, 8, 7]], [[7, 8, 9]]],
        [[[0, 1]], [[1, 0]]],
    ]


def test_near_misses_with_the_output_of_another_attempt_are_passed_over():
    solvers = {"a": MIRROR, **{f"b{n}": ("y = vmirror(I)", f"x = replace(y, 6, {n})") for n in range(5)}}
    assert chosen(solvers)[0] == [[[9, 8, 7]], [[7, 8, 9]]]


def test_without_an_output_the_input_itself_is_handed_in():
    assert chosen({"a": RAISES}) == [[[[7, 8, 9]]] * 2, [[[1, 0]]] * 2]


def test_values_beyond_the_colours_are_not_handed_in():
    solvers = {"a": ("y = vmirror(I)", "x = replace(y, 7, 10)"), "b": ("x = replace(I, 9, -1)",)}
    assert chosen(solvers)[0] == [[[7, 8, 9]], [[7, 8, 9]]]


def test_every_task_is_there_in_order_with_two_legal_attempts(some_results: Results):
    made = batt.submission(some_results)
    assert list(made) == list(some_results.tasks.ids)
    for task in some_results.tasks:
        assert len(made[task.id]) == len(task.test)
        for attempts in made[task.id]:
            assert list(attempts) == ["attempt_1", "attempt_2"]
            assert all(
                0 < len(grid) <= 30 and {len(row) for row in grid} == {len(grid[0])} for grid in attempts.values()
            )


def test_what_fits_is_handed_in(some_results: Results):
    made = batt.submission(some_results)
    for at in np.flatnonzero((some_results.fits & some_results.correct).any(axis=0)):
        task = some_results.tasks[int(at)]
        for attempts, pair in zip(made[task.id], task.test, strict=True):
            assert [list(row) for row in pair.output or ()] in attempts.values()


def test_the_text_is_json_with_a_line_for_each_task(some_results: Results):
    made = attempts_of(some_results)
    assert json.loads(made.text) == batt.submission(some_results)
    assert len(made.text.splitlines()) == len(some_results.tasks) + 2


def test_test_outputs_decide_nothing(some_deck: Deck, some_tasks: Tasks, some_results: Results):
    changed = evaluate(some_deck, with_other_answers(some_tasks), workers=1)
    assert batt.submission(changed) == batt.submission(some_results)


def test_first_attempts_are_counted_by_their_reason(some_results: Results):
    counts = attempts_of(some_results).counts
    fit = some_results.fits.any(axis=0)
    tests = [len(task.test) for task in some_results.tasks]
    assert counts[Why.FITS] == sum([count for count, fits in zip(tests, fit, strict=True) if fits])
    assert sum(counts.values()) == sum(tests)


@pytest.mark.parametrize("seed", range(3))
def test_attempts_do_not_depend_on_the_order_in_which_results_come(some_results: Results, seed: int):
    whole = attempts_of(some_results)
    records = unfilled(len(some_results))
    made = Attempts(some_results.deck.programs, some_results.evaluations, Options(limits=some_results.limits))
    for numbers in np.array_split(np.random.default_rng(seed).permutation(len(records)), 3):
        records[numbers] = some_results.records[numbers]
        made.choose(np.unique(made.tasks_of(numbers)).tolist(), records)
    assert made.text == whole.text


def test_transforms_of_a_task_answer_the_task_itself():
    tasks = load_tasks(FLIP).augmented(symmetries=True)
    assert len(tasks) == 8
    results = evaluate(deck(a=MIRROR, b=SAME), tasks, workers=1)
    made = batt.submission(results)
    assert list(made) == ["flip"]
    assert made["flip"][0]["attempt_1"] == [[9, 8, 7]]


def test_votes_of_transforms_add_up():
    # Upside down fits four of the eight transforms, the identity all of them.
    task = {"t": {"train": pairs(([[1, 2], [1, 2]], [[1, 2], [1, 2]])), "test": pairs(([[1, 2], [3, 4]], None))}}
    solvers = deck(a=("x = hmirror(I)",), b=SAME)
    turned, same = [[3, 4], [1, 2]], [[1, 2], [3, 4]]
    plain, counted = [
        batt.submission(evaluate(solvers, tasks, workers=1))["t"]
        for tasks in (load_tasks(task), load_tasks(task).augmented(symmetries=True))
    ]
    assert plain == [{"attempt_1": turned, "attempt_2": same}]
    assert counted == [{"attempt_1": same, "attempt_2": turned}]


def test_a_task_whose_id_looks_like_that_of_a_transform_is_one_of_its_own():
    other = {"flip.rot90": {"train": pairs(([[1]], [[1]])), "test": pairs(([[5]], None))}}
    results = evaluate(deck(a=MIRROR), load_tasks(FLIP | other), workers=1)
    assert {name: len(tests) for name, tests in batt.submission(results).items()} == {"flip": 2, "flip.rot90": 1}


def test_every_engine_gives_the_same_submission(some_deck: Deck, some_tasks: Tasks):
    results = [evaluate(some_deck[:8], some_tasks[:3], engine=engine) for engine in ("reference", "auto")]
    assert batt.submission(results[0]) == batt.submission(results[1])


def test_a_file_that_cannot_be_written_is_refused(some_results: Results, tmp_path: object):
    with pytest.raises(UsageError, match="cannot be written"):
        batt.submission(some_results, f"{tmp_path}/no/submission.json")
