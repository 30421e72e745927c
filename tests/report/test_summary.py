"""The figures of a run, as data and as a table."""

from __future__ import annotations

import json
from collections import Counter
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from batt.front import Deck
from batt.jobs import Results, evaluate
from batt.report import summary, summary_table
from batt.runtime.counts import Counts
from batt.runtime.records import unfilled
from batt.runtime.tier import CPU
from batt.tasks import Tasks, tasks_from_dict
from handmade import MIRROR, RAISES, SAME, deck, plain_tasks

DECK = deck(solve_mirror=MIRROR, solve_same=SAME, solve_raise=RAISES)
KEYS = [
    *["deck", "solvers", "tasks", "tasks_source", "engine", "own", "interrupted", "evaluations", "not_run", "native"],
    *["cached", "fallbacks", "statuses", "errors", "crashed", "out_of_memory", "limits"],
    *["steps", "wall_s", "evaluations_per_s", "solvers_that_fit", "tasks_fitted", "tasks_correct"],
    *["tasks_undecided", "hits", "misses"],
]


def run(answers: bool = True, solvers: Deck = DECK, tasks: Tasks | None = None) -> Results:
    return evaluate(solvers, tasks or tasks_from_dict(plain_tasks(answers)), workers=1, engine="reference")


@pytest.fixture(scope="module")
def results() -> Results:
    return run()


def printed(results: Results, width: int = 100) -> str:
    file = StringIO()
    Console(file=file, width=width, color_system=None).print(summary_table(results))
    return file.getvalue()


def test_the_figures_are_plain_json(results: Results):
    figures = summary(results)
    assert list(figures) == KEYS
    assert json.loads(json.dumps(figures)) == figures


def test_the_figures_of_a_run(results: Results):
    figures = summary(results)
    expected: dict[str, Any] = {
        "deck": "sources",
        "solvers": 3,
        "tasks": 2,
        "engine": "reference",
        "evaluations": 21,
        "statuses": {"ok": 14, "raised": 7, "over_budget": 0, "timed_out": 0},
        "errors": {"StopIteration": 7},
        "crashed": 0,
        "out_of_memory": 0,
        "limits": {"steps": 100_000_000, "items": 2_000_000, "wall_s": 30.0, "memory_bytes": 4 << 30},
        "solvers_that_fit": 2,
        "tasks_fitted": 2,
        "tasks_correct": 2,
    }
    assert {key: figures[key] for key in expected} == expected
    assert figures["tasks_source"] == results.tasks.source


def test_hits_tell_fits_and_whether_each_is_correct(results: Results):
    assert summary(results)["hits"] == [
        {"solver": "solve_mirror", "task": "mirror", "correct": True},
        {"solver": "solve_mirror", "task": "trap", "correct": True},
        {"solver": "solve_same", "task": "trap", "correct": False},
    ]


def test_a_task_is_correct_where_a_solver_that_fits_it_is():
    # The mirror is correct on both tasks, but with this demonstration it fits only one.
    plain = plain_tasks()
    plain["mirror"]["train"][0]["output"] = [[9, 9]]
    figures = summary(run(tasks=tasks_from_dict(plain)))
    assert (figures["tasks_fitted"], figures["tasks_correct"]) == (1, 1)


def test_correct_is_none_where_test_outputs_are_unknown():
    results = run(answers=False)
    figures = summary(results)
    assert figures["tasks_correct"] is None
    assert [hit["correct"] for hit in figures["hits"]] == [None] * 3
    assert "test outputs unknown" in printed(results)
    assert "  trap  solve_mirror (unknown), solve_same (unknown)" in printed(results)


def test_the_table_tells_the_figures(results: Results):
    lines = printed(results).splitlines()
    told = dict(line.strip().split(maxsplit=1) for line in lines[: lines.index("")])
    assert told["deck"] == "sources: 3 solvers"
    assert told["tasks"] == f"2 ({results.tasks.source})"
    assert told["evaluations"] == "21 on the reference engine"
    assert told["outcomes"] == "14 ok, 7 raised an error"
    assert told["errors"] == "7 StopIteration"
    assert told["fit"] == "2 of 2 tasks, by 2 solvers: all demonstrations come out equal"
    assert told["correct"] == "2 of the fitted tasks: the test outputs come out equal, too"
    assert "crashed" not in told


def test_the_table_shows_fits_beyond_a_solvers_own_task(results: Results):
    text = printed(results)
    assert "tasks fitted by solvers of other tasks, correct unless noted: 1\n" in text
    assert "  trap  solve_mirror, solve_same (not correct)\n" in text
    assert "  mirror  " not in text


def test_a_task_whose_id_is_only_part_of_a_name_is_not_the_solvers_own():
    plain = {"a": plain_tasks()["trap"]}
    assert "  a  solve_mirror, solve_same (not correct)\n" in printed(run(tasks=tasks_from_dict(plain)))


def test_the_table_shows_the_first_solvers_that_fit_a_task_and_counts_the_rest():
    many = deck(**{f"solve_{n}": MIRROR for n in range(10)})
    text = printed(run(solvers=many))
    assert "correct unless noted: 2\n" in text
    assert "  trap  solve_0, solve_1, solve_2, solve_3 and 6 more\n" in text


def test_the_table_shows_the_first_tasks_and_counts_the_rest():
    tasks = tasks_from_dict({f"task{n:02}": plain_tasks()["mirror"] for n in range(15)})
    text = printed(run(tasks=tasks))
    assert "correct unless noted: 15\n" in text
    assert "  task11  solve_mirror\n  … and 3 more (--all)\n" in text


def test_the_table_without_fits_ends_with_the_figures():
    text = printed(run(solvers=deck(solve_raise=RAISES)))
    assert "0 of 2 tasks, by 0 solvers" in text
    assert "fitted by" not in text


def test_crashed_evaluations_are_told(results: Results):
    crashed = Results(
        results.deck,
        results.tasks,
        results.evaluations,
        results.records,
        engine="x",
        limits=results.limits,
        tiers=Counts(crashed=3),
    )
    assert summary(crashed)["crashed"] == 3
    assert "3 of those timed out ended their worker process" in printed(crashed)
    assert summary(crashed)["evaluations_per_s"] is None


def test_evaluations_without_enough_memory_are_told(results: Results):
    some = remade(results, tiers=Counts(out_of_memory=3))
    assert summary(some)["out_of_memory"] == 3
    assert "3 of those timed out needed more memory than a worker may use; allow more with --memory" in " ".join(
        printed(some).split()
    )


def remade(results: Results, **changes: Any) -> Results:
    options = {"engine": "cpu", "limits": results.limits, "records": results.records, **changes}
    return Results(results.deck, results.tasks, results.evaluations, **options)


def test_what_ran_on_the_reference_engine_is_told_with_its_causes(results: Results):
    some = remade(
        results,
        tiers=Counts(Counter({CPU: 9}), deferred_to_reference=Counter({"stack full": 2, "arena full": 10})),
    )
    assert summary(some)["fallbacks"] == {"arena full": 10, "stack full": 2}
    assert summary(some)["native"] == 9
    told = "12 of 21 evaluations ran on the reference engine: arena full 10, stack full 2"
    assert told in printed(some, width=120)
    many = remade(results, tiers=Counts(deferred_to_reference=Counter({f"cause {n}": 1 for n in range(7)})))
    assert "cause 4 1, 2 other causes" in printed(many, width=160)
    assert "fallback" not in printed(results)


def test_what_an_interrupt_left_is_told_and_in_no_other_figure(results: Results):
    records = results.records.copy()
    records[:6] = unfilled(6)
    counts = Counts(deferred_to_reference=Counter({"arena full": 3}))
    cut = remade(results, records=records, interrupted=True, tiers=counts, wall_s=1.0)
    figures = summary(cut)
    assert (figures["evaluations"], figures["not_run"], figures["evaluations_per_s"]) == (15, 6, 15.0)
    assert sum(figures["statuses"].values()) == 15
    assert "6: the run was interrupted" in printed(cut)
    assert "3 of 21 evaluations were left to the reference engine: arena full 3" in printed(cut, width=120)


@pytest.mark.parametrize("name", ["[/bold]", "[red]", ":smile:", "a [b] c"])
def test_names_are_not_taken_for_markup(name: str):
    tasks = Tasks(tasks_from_dict(plain_tasks()).tasks, f"folder {name}")
    results = run(solvers=Deck(DECK, name), tasks=tasks)
    assert f"{name}: 3 solvers" in printed(results)
    assert f"2 (folder {name})" in printed(results)


def test_a_hit_whose_test_pairs_were_not_run_is_neither_correct_nor_wrong(results: Results):
    # The second test pair of `trap` was not run: the mirror may be correct there, the identity is wrong on the first.
    records = results.records.copy()
    for solver in range(3):
        records[solver * 7 + 6] = unfilled(1)[0]
    cut = remade(results, records=records, interrupted=True)
    figures = summary(cut)
    assert figures["interrupted"]
    assert figures["hits"] == [
        {"solver": "solve_mirror", "task": "mirror", "correct": True},
        {"solver": "solve_mirror", "task": "trap", "correct": None},
        {"solver": "solve_same", "task": "trap", "correct": False},
    ]
    assert (figures["tasks_fitted"], figures["tasks_correct"], figures["tasks_undecided"]) == (2, 1, 1)
    assert "  trap  solve_mirror (not run), solve_same (not correct)\n" in printed(cut)
    assert (
        "1 of the fitted tasks: the test outputs come out equal, too; not known for 1 more, whose test pairs were"
        in printed(cut, 160)
    )


def test_a_task_that_one_solver_gets_right_is_not_undecided(results: Results):
    both = run(solvers=deck(solve_a=MIRROR, solve_b=MIRROR))
    records = both.records.copy()
    records[13] = unfilled(1)[0]
    figures = summary(remade(both, records=records, interrupted=True))
    assert (figures["tasks_correct"], figures["tasks_undecided"]) == (2, 0)


def test_one_of_a_thing_is_not_many(results: Results):
    one = run(solvers=deck(solve_same=SAME))
    assert "sources: 1 solver" in [line.partition(" ")[2].strip() for line in printed(one).splitlines()]
    assert "1 of 2 tasks, by 1 solver:" in printed(one)


def test_a_transform_of_a_solvers_own_task_is_its_own():
    tasks = tasks_from_dict(plain_tasks()).augmented(["vmirror"])
    results = evaluate(deck(solve_mirror=MIRROR), tasks, own=True, workers=1, engine="reference")
    assert results.fits.sum() == 2
    assert "beyond" not in printed(results)


def test_a_miss_names_a_task_that_the_solvers_name_does_not():
    tasks = tasks_from_dict(plain_tasks()).augmented(["rot90"])
    found = printed(evaluate(deck(solve_mirror=MIRROR), tasks, own=True, workers=1, engine="reference"))
    assert "solve_mirror on mirror.rot90: " in found
    found = printed(evaluate(deck(solve_mirror=SAME), tasks, own=True, workers=1, engine="reference"))
    assert "solve_mirror: " in found
