"""A run with the cache gives what a run without it gives, and computes only what is new."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import batt
from batt.cache import ResultCache, reuse
from batt.front import Deck
from batt.jobs import Results, evaluate
from batt.runtime import Limits
from batt.store import Session
from batt.store.manifest import Choices
from batt.tasks import Tasks
from handmade import MIRROR, RAISES, SAME, STUCK, plain_tasks, source
from handmade import deck as deck_of
from rearc import verifiers
from stored_runs import cut

Rows = Callable[[Results], bytes]


def run(deck: Deck, tasks: Any, cache: ResultCache | bool = False, **options: Any) -> Results:
    return evaluate(deck, tasks, workers=1, cache=cache, **options)


def check(rows: Rows, deck: Deck, tasks: Any, cache: ResultCache, cached: int, **options: Any) -> None:
    """The outcomes with and without the cache are the same, and so many come from the cache."""
    plain, found = run(deck, tasks, **options), run(deck, tasks, cache, **options)
    assert (found.cached, found.notes) == (cached, plain.notes)
    assert rows(found) == rows(plain)
    assert (found.records == plain.records).all()
    assert found.steps == plain.steps
    assert found.native + found.cached + found.tiers.finished[3] == len(found)


@pytest.mark.parametrize("outputs", [False, True])
def test_a_second_run_computes_nothing(deck: Deck, tasks: Tasks, cache: ResultCache, rows: Rows, outputs: bool):
    total = len(run(deck, tasks))
    check(rows, deck, tasks, cache, 0, outputs=outputs)
    check(rows, deck, tasks, cache, total, outputs=outputs)
    check(rows, deck, tasks, cache, total, outputs=outputs, share=False)
    check(rows, deck[:3], tasks[2:4], cache, len(run(deck[:3], tasks[2:4])), outputs=outputs, engine="reference")


@pytest.mark.parametrize("outputs", [False, True])
def test_a_grown_deck_and_grown_tasks_compute_what_is_new(
    deck: Deck, tasks: Tasks, cache: ResultCache, rows: Rows, outputs: bool
):
    sizes = [len(run(some, others)) for some, others in ((deck[:8], tasks[:3]), (deck, tasks[:3]), (deck, tasks))]
    check(rows, deck[:8], tasks[:3], cache, 0, outputs=outputs)
    check(rows, deck, tasks[:3], cache, sizes[0], outputs=outputs)
    check(rows, deck, tasks, cache, sizes[1], outputs=outputs)
    check(rows, deck, tasks, cache, sizes[2], outputs=outputs)


def test_verifiers_of_re_arc_are_cached(tasks: Tasks, cache: ResultCache, rows: Rows):
    deck = verifiers()[:10]
    total = len(run(deck, tasks))
    check(rows, deck[:5], tasks, cache, 0, outputs=True)
    check(rows, deck, tasks, cache, total // 2, outputs=True)
    check(rows, deck, tasks, cache, total, outputs=True)


def test_outcomes_without_outputs_do_not_serve_a_run_that_keeps_them(tasks: Tasks, cache: ResultCache, rows: Rows):
    deck = deck_of(solve_a=SAME, solve_b=RAISES)
    total = len(run(deck, tasks))
    check(rows, deck, tasks, cache, 0)
    # What raises has no output.
    check(rows, deck, tasks, cache, total // 2, outputs=True)
    check(rows, deck, tasks, cache, total, outputs=True)
    check(rows, deck, tasks, cache, total)


def test_names_and_ids_do_not_matter(cache: ResultCache, rows: Rows):
    tasks = batt.load_tasks(plain_tasks())
    renamed = batt.load_tasks({f"other-{name}": each for name, each in plain_tasks().items()})
    check(rows, deck_of(solve_a=("y = vmirror(I)", "x = y")), tasks, cache, 0)
    check(rows, deck_of(solve_b=("z = vmirror(I)", "x = z")), renamed, cache, 7)
    # A step more is another program: it takes more steps.
    check(rows, deck_of(solve_b=("z = vmirror(I)", "x = identity(z)")), renamed, cache, 0)


def test_other_limits_are_other_outcomes(deck: Deck, tasks: Tasks, cache: ResultCache, rows: Rows):
    total = len(run(deck, tasks))
    check(rows, deck, tasks, cache, 0)
    check(rows, deck, tasks, cache, 0, limits=Limits(steps=300))
    check(rows, deck, tasks, cache, 0, limits=Limits(max_items=50))
    check(rows, deck, tasks, cache, total, limits=Limits(wall_s=29, memory_bytes=3 << 30))


def test_samples_that_are_alike_are_one(deck: Deck, cache: ResultCache, rows: Rows):
    twice = batt.load_tasks({f"{name}{n}": each for name, each in plain_tasks().items() for n in (1, 2)})
    check(rows, deck, twice, cache, 0, outputs=True)
    check(rows, deck, twice, cache, len(run(deck, twice)), outputs=True)
    assert cache.figures().evaluations == len(run(deck, twice)) // 2


def test_solvers_on_their_own_tasks_and_on_all_share_outcomes(deck: Deck, cache: ResultCache, rows: Rows):
    loaded = batt.load_tasks("arc1-training")
    tasks = loaded.select([name.removeprefix("solve_") for name in deck.names])
    own = len(run(deck, tasks, own=True))
    check(rows, deck, tasks, cache, 0, own=True)
    check(rows, deck, tasks, cache, own, own=True)
    check(rows, deck, tasks, cache, own)


def test_what_a_guard_stopped_is_run_again(cache: ResultCache):
    deck, pair = deck_of(solve_a=SAME, solve_stuck=STUCK), {"input": [[1]], "output": [[1]]}
    for _ in range(2):
        results = run(deck, {"t": {"train": [pair], "test": []}}, cache, limits=Limits(wall_s=0.2), engine="reference")
        assert results.counts["timed_out"] == 1
    assert results.cached == 1


def test_own_ops_are_run_again(tmp_path: Path, cache: ResultCache, rows: Rows):
    ops = tmp_path / "ops.py"
    ops.write_text(
        "from batt.own import GRID, op\n\n\n@op(GRID, result=GRID)\ndef turned(grid):\n    return grid[::-1]\n"
    )
    sources = {"solve_a": source("solve_a", "x = turned(I)"), "solve_b": source("solve_b", *SAME)}
    deck = Deck.from_sources(sources, ops=ops)
    check(rows, deck, plain_tasks(), cache, 0, outputs=True)
    check(rows, deck, plain_tasks(), cache, 7, outputs=True)


def test_a_function_of_the_deck_in_an_output_is_computed_again(cache: ResultCache, rows: Rows):
    text = "def turned(x):\n    return vmirror(x)\n\n\ndef solve_f(I):\n    return compose(turned, first)\n"
    deck = Deck.from_sources({"solve_f": text})
    check(rows, deck, plain_tasks(), cache, 0, outputs=True)
    check(rows, deck, plain_tasks(), cache, 0, outputs=True)
    check(rows, deck, plain_tasks(), cache, 0)
    check(rows, deck, plain_tasks(), cache, 7)


def test_an_interrupted_run_leaves_what_it_has_found(deck: Deck, tasks: Tasks, cache: ResultCache, rows: Rows):
    half = run(deck, tasks, cache, on_block=cut(1))
    assert half.interrupted
    check(rows, deck, tasks, cache, len(half) - half.not_run)


def test_many_evaluations_are_looked_up_and_written_in_parts(
    deck: Deck, tasks: Tasks, cache: ResultCache, rows: Rows, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(reuse, "AT_ONCE", 40)
    monkeypatch.setattr(reuse, "PART", 7)
    monkeypatch.setattr(reuse, "WRITE_EVALUATIONS", 30)
    monkeypatch.setattr("batt.cache.chunks.CHUNK", 5)
    check(rows, deck[:8], tasks, cache, 0, outputs=True)
    check(rows, deck, tasks, cache, len(run(deck[:8], tasks)), outputs=True)
    check(rows, deck, tasks, cache, len(run(deck, tasks)), outputs=True)


def test_a_stored_run_takes_from_the_cache_what_is_not_stored(
    deck: Deck, tasks: Tasks, cache: ResultCache, rows: Rows, tmp_path: Path
):
    run(deck[:6], tasks, cache, outputs=True)
    plain = run(deck, tasks, outputs=True)
    with Session.begin(tmp_path / "run", deck, tasks, Choices(outputs=True)) as session:
        results = session.evaluate(cache=cache, workers=1)
    assert results.cached == len(plain) // 2
    assert rows(results) == rows(plain)
    with Session.resume(tmp_path / "run") as session:
        again = session.evaluate(cache=cache, workers=1)
    assert (again.cached, again.steps) == (len(plain) // 2, plain.steps)
    assert rows(again) == rows(plain)


@pytest.mark.parametrize("table", ["columns", "chunks"])
def test_damaged_rows_are_computed_again_and_replaced(
    deck: Deck, tasks: Tasks, cache: ResultCache, rows: Rows, table: str
):
    check(rows, deck, tasks, cache, 0, outputs=True)
    name = {"columns": "outputs", "chunks": "samples"}[table]
    cache.database._db.execute(f"UPDATE {table} SET {name} = substr({name}, 1, length({name}) - 1) || x'77'")
    check(rows, deck, tasks, cache, 0, outputs=True)
    check(rows, deck, tasks, cache, len(run(deck, tasks)), outputs=True)


def test_a_file_that_is_no_database_is_removed_and_said(deck: Deck, tasks: Tasks, cache: ResultCache, rows: Rows):
    assert cache.path is not None
    cache.path.parent.mkdir(mode=0o700)
    cache.path.write_bytes(b"no database" * 1000)
    cache.path.chmod(0o600)
    results = run(deck, tasks, cache)
    assert results.notes == (f"the cache is not used: {cache.path}: file is not a database; the file was removed",)
    assert rows(results) == rows(run(deck, tasks))
    check(rows, deck, tasks, ResultCache(cache.path), 0)


def test_a_cache_that_others_can_write_to_is_not_used(deck: Deck, tasks: Tasks, cache: ResultCache):
    assert cache.path is not None
    cache.path.parent.mkdir()
    cache.path.parent.chmod(0o777)
    results = run(deck, tasks, cache)
    assert "other users can write to" in results.notes[0]
    assert results.not_run == 0


SCRIPT = """
import sys
from pathlib import Path
import batt
from batt.cache import ResultCache
from handmade import MIRROR, SAME, deck, plain_tasks
results = batt.evaluate(deck(solve_a=MIRROR, solve_b=SAME), plain_tasks(), cache=ResultCache(Path(sys.argv[1])))
print(results.notes, results.records.tobytes().hex())
"""


def test_several_processes_may_use_it_at_once(cache: ResultCache):
    command, tests = [sys.executable, "-c", SCRIPT, str(cache.path)], Path(__file__).parents[1]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tests) for _ in range(2)]
    found = [each.communicate()[0].strip() for each in started]
    deck = deck_of(solve_a=MIRROR, solve_b=SAME)
    plain, again = run(deck, plain_tasks()), run(deck, plain_tasks(), cache)
    assert found == [f"() {plain.records.tobytes().hex()}"] * 2
    assert again.cached == len(again)
    assert np.array_equal(again.records, plain.records)
