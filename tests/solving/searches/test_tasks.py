import json

import pytest

import batt
from batt.errors import UsageError
from batt.solving import Layer, solve
from batt.solving.searches.search import SearchSettings
from batt.solving.searches.tasks import solve_all
from batt.tasks import Tasks

EFFORT = 2_000_000_000


@pytest.fixture(scope="module")
def solutions(easy_tasks, small_deck):
    return solve(easy_tasks, [small_deck], effort=EFFORT, workers=1)


def test_tasks_are_solved_by_decks_and_by_trees(solutions, easy_tasks):
    assert [solution.is_right(task) for solution, task in zip(solutions, easy_tasks, strict=True)] == [True, True]
    assert solutions["greened"].answers[0][0].layer in (Layer.TREE, Layer.STATE_TREE)
    assert solutions["turned"].answers[0][0].source.startswith("def solve_turned(I):")


def test_every_answer_is_what_its_program_gives_in_a_run(solutions, easy_tasks):
    results = batt.evaluate(solutions.deck(), easy_tasks, outputs=True)
    for solution in solutions:
        name = f"solve_{solution.task}"
        assert results.output(name, solution.task) == solution.answers[0][0].grid
        assert results.fits[results.deck.names.index(name), easy_tasks.ids.index(solution.task)]


def test_two_workers_give_the_answers_of_one(solutions, easy_tasks, small_deck):
    again = solve(easy_tasks, [small_deck], effort=EFFORT, workers=2)
    assert list(again) == list(solutions)


@pytest.mark.parametrize("name", ["solve_007bbfb7", "verify_007bbfb7"])
def test_a_tasks_own_solvers_are_left_out(name):
    lines = ["x1 = rot90(I)", "x2 = hconcat(x1, I)", "x3 = vmirror(x2)", "x4 = vconcat(x2, x3)", "x5 = rot270(x4)"]
    text = "\n    ".join([f"def {name}(I):", *lines, "return x5"])
    deck = batt.Deck.from_sources({name: text})
    plain = {
        each: [{"input": [[at, 2], [3, 4]], "output": deck[0].program.run((((at, 2), (3, 4)),))} for at in range(3)]
        for each in ("007bbfb7", "00d62c1b")
    }
    tasks = batt.tasks_from_dict({name: {"train": pairs[:2], "test": pairs[2:]} for name, pairs in plain.items()})
    found = solve(tasks, [deck], effort=EFFORT, workers=1, layers=[Layer.DECK])
    assert [bool(each.answers[0]) for each in found] == [False, True]


def test_test_outputs_decide_nothing(solutions, easy_tasks, small_deck):
    blind = Tasks(
        tuple([batt.Task(t.id, t.train, tuple([batt.Pair(p.input, None) for p in t.test])) for t in easy_tasks]), ""
    )
    assert list(solve(blind, [small_deck], effort=EFFORT, workers=1)) == list(solutions)


def test_attempts_are_the_answers_and_then_the_input(solutions, easy_tasks, tmp_path):
    solutions.save_submission(tmp_path / "submission.json")
    made = json.loads((tmp_path / "submission.json").read_text())
    assert tuple(map(tuple, made["turned"][0]["attempt_1"])) == easy_tasks["turned"].test[0].output
    assert set(made["turned"][0]) == {"attempt_1", "attempt_2"}


def test_solutions_are_drawn_with_their_programs(solutions):
    assert "def solve_turned" in str(solutions.show("turned"))


def test_an_effort_and_seconds_together_are_refused(easy_tasks):
    with pytest.raises(UsageError, match="either an effort or seconds"):
        solve(easy_tasks, effort=1, seconds=1.0)


def test_no_effort_left_gives_no_answer_rather_than_an_error(easy_tasks, small_library):
    settings = SearchSettings(small_library, 1, None, frozenset({Layer.TREE}))
    assert [each.answers for each in solve_all(settings, [easy_tasks["greened"]], 1)] == [((),)]


def test_an_interrupt_returns_what_was_found(easy_tasks, small_deck):
    def interrupt(solution):
        raise KeyboardInterrupt

    found = solve(easy_tasks, [small_deck], effort=EFFORT, workers=1, on_solution=interrupt)
    assert found.interrupted
    assert found.done == 1
    assert "1 with an answer" in repr(found)
