"""A run that is stored, cut short and gone on with gives what an unbroken run gives, byte for byte."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import batt
from batt.errors import UsageError
from batt.front import Deck
from batt.jobs import Results, evaluate
from batt.jobs.keeping import Keep
from batt.runtime import Limits, Status
from batt.runtime.tier import REFERENCE
from batt.store import RUN, Session, open_run, state_of
from batt.store.lock import LOCK
from batt.store.manifest import Choices
from batt.store.session import Given
from batt.tasks import Tasks
from handmade import STUCK, plain_tasks, source
from stored_runs import cut, resumed, stored

Rows = Callable[..., bytes]


@pytest.mark.parametrize("keep", Keep)
@pytest.mark.parametrize("outputs", [False, True])
def test_a_run_that_was_cut_three_times_exports_what_an_unbroken_one_does(
    deck: Deck, tasks: Tasks, rows: Rows, tmp_path: Path, many_blocks: None, keep: Keep, outputs: bool
):
    choices = Choices(keep=keep, outputs=outputs)
    whole = stored(tmp_path / "whole", deck, tasks, choices)
    partial = stored(tmp_path / "cut", deck, tasks, choices, on_block=cut(1))
    assert partial.interrupted
    assert 0 < partial.not_run < len(partial)
    for parts in (1, 2):
        with Session.resume(tmp_path / "cut") as session:
            session.evaluate(workers=1, on_block=cut(parts))
    again = resumed(tmp_path / "cut")
    assert not again.interrupted
    assert rows(again, outputs) == rows(whole, outputs) == rows(open_run(tmp_path / "cut"), outputs)
    assert (again.steps, again.tiers.finished, again.fallbacks) == (
        whole.steps,
        whole.tiers.finished,
        whole.fallbacks,
    )


def test_with_all_rows_kept_the_export_is_that_of_a_run_in_memory(deck: Deck, tasks: Tasks, rows: Rows, tmp_path: Path):
    plain = evaluate(deck, tasks, outputs=True)
    kept = stored(tmp_path / "run", deck, tasks, Choices(outputs=True))
    assert rows(kept, True) == rows(plain, True)
    assert rows(open_run(tmp_path / "run"), True) == rows(plain, True)
    assert kept.counts == plain.counts
    assert kept.steps == plain.steps


def test_hits_hold_every_row_of_a_fit_and_every_output_that_is_near(
    deck: Deck, tasks: Tasks, rows: Rows, tmp_path: Path
):
    plain = evaluate(deck, tasks, outputs=True)
    hits = stored(tmp_path / "run", deck, tasks, Choices(keep=Keep.HITS, outputs=True))
    every = {line.partition(b',"run"')[0] for line in rows(plain, True).splitlines()}
    kept = {line.partition(b',"run"')[0] for line in rows(hits, True).splitlines()}
    assert kept < every
    assert {line for line in every if b'"equal":true' in line} <= kept
    fitted = [(deck.names[s], tasks.ids[t]) for s, t in np.argwhere(plain.fits).tolist()]
    assert fitted
    for solver, task in fitted:
        of_pair = f'"solver":"{solver}","task":"{task}"'.encode()
        assert {line for line in every if of_pair in line} <= kept
    assert (hits.fits == plain.fits).all()
    assert (hits.correct == plain.correct).all()
    assert (hits.counts, hits.error_counts) == (plain.counts, plain.error_counts)


def test_nothing_is_run_twice(deck: Deck, tasks: Tasks, tmp_path: Path, many_blocks: None):
    stored(tmp_path / "run", deck, tasks, on_block=cut(2))
    done = state_of(tmp_path / "run").done
    numbers: list[int] = []
    again = resumed(tmp_path / "run", on_block=lambda part: numbers.extend(part.numbers.tolist()))
    assert len(numbers) == len(set(numbers)) == len(again) - done
    resumed(tmp_path / "run", on_block=lambda part: pytest.fail("it ran again"))


def test_what_timed_out_is_run_again(tmp_path: Path):
    deck = Deck.from_sources({"solve_stuck": source("solve_stuck", *STUCK)})
    tasks = batt.load_tasks(plain_tasks()).select(["mirror"])
    choices = Choices(limits=Limits(wall_s=0.5))
    first = stored(tmp_path / "run", deck, tasks, choices, engine="reference")
    assert first.counts["timed_out"] == len(first)
    numbers: list[int] = []
    again = resumed(tmp_path / "run", engine="reference", on_block=lambda part: numbers.extend(part.numbers.tolist()))
    assert sorted(numbers) == list(range(len(first)))
    assert again.tiers.finished == first.tiers.finished
    assert state_of(tmp_path / "run").done == len(first)


def test_another_engine_may_go_on(deck: Deck, tasks: Tasks, rows: Rows, tmp_path: Path, many_blocks: None):
    choices = Choices(own=True)
    whole = evaluate(deck, tasks, own=True)
    partial = stored(tmp_path / "run", deck, tasks, choices, on_block=cut(3), engine="reference")
    assert partial.interrupted
    again = resumed(tmp_path / "run")
    assert rows(again) == rows(whole)
    assert again.engine != "reference"
    assert again.tiers.finished[REFERENCE] == len(partial) - partial.not_run


def test_an_unfinished_run_is_not_replaced_but_a_finished_one_is(
    deck: Deck, tasks: Tasks, tmp_path: Path, many_blocks: None
):
    stored(tmp_path, deck, tasks, on_block=cut(1))
    with pytest.raises(UsageError, match=r"holds an unfinished run, .* go on with it: batt run --resume"):
        Session.begin(tmp_path, deck, tasks)
    resumed(tmp_path)
    stored(tmp_path, deck[:2], tasks)
    assert open_run(tmp_path).deck.names == deck.names[:2]


def test_a_second_owner_is_refused_with_the_pid_of_the_first(deck: Deck, tasks: Tasks, tmp_path: Path):
    with Session.begin(tmp_path, deck, tasks) as session:
        session.evaluate(workers=1)
        with pytest.raises(UsageError, match=r"another process writes this run: process \d+, started"):
            Session.resume(tmp_path)
        assert state_of(tmp_path).word == "running"
    assert sorted(path.name for path in tmp_path.iterdir()) == [RUN]
    (tmp_path / LOCK).write_text("what a process that was killed leaves behind")
    assert not resumed(tmp_path).interrupted


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"own": True}, "the run began with --own False, not True"),
        ({"keep": Keep.HITS}, "the run began with --keep all, not hits"),
        ({"outputs": True}, "the run began with --outputs False, not True"),
        ({"limits": {"steps": 7}}, "the run began with --steps 100000000, not 7"),
        ({"limits": {"wall_s": 7.0}}, "the run began with -t 30.0, not 7.0"),
        ({"deck": {"solve_a": source("solve_a", "x = vmirror(I)")}}, "the run began with another deck"),
        ({"tasks": plain_tasks()}, "the run began with other tasks: 12, now 2"),
    ],
)
def test_what_is_given_again_must_agree(deck: Deck, tasks: Tasks, tmp_path: Path, given: dict[str, Any], message: str):
    stored(tmp_path, deck, tasks)
    with pytest.raises(UsageError, match=message):
        Session.resume(tmp_path, Given(**given))
    resumed(tmp_path)
    with Session.resume(tmp_path, Given(deck, tasks, None, Keep.ALL, None, {"steps": Limits().steps})) as session:
        assert not session.evaluate().interrupted


def test_a_task_that_changed_is_named_and_the_run_goes_on_with_it_as_it_was(
    tmp_path: Path, rows: Rows, many_blocks: None
):
    plain = plain_tasks()
    deck = {"solve_a": source("solve_a", "x = vmirror(I)"), "solve_b": source("solve_b", "x = hmirror(I)")}
    whole = stored(tmp_path / "whole", batt.as_deck(deck), batt.load_tasks(plain))
    stored(tmp_path / "run", batt.as_deck(deck), batt.load_tasks(plain), on_block=cut(1))
    plain["trap"]["train"][0]["output"] = [[5, 5]]
    with pytest.raises(UsageError, match=r"1 of them changed \(first: trap\); begin another run, or leave out --tasks"):
        Session.resume(tmp_path / "run", Given(tasks=plain))
    assert rows(resumed(tmp_path / "run")) == rows(whole)


def test_other_semantics_are_refused(deck: Deck, tasks: Tasks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    stored(tmp_path, deck, tasks)
    monkeypatch.setattr("batt.store.reading.semantics_version", lambda: "another")
    with pytest.raises(UsageError, match="whose primitives may give other outcomes"):
        Session.resume(tmp_path)
    assert open_run(tmp_path).deck.names == deck.names


def test_a_clock_that_is_set_back_changes_no_duration(
    deck: Deck, tasks: Tasks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("time.time", lambda: 4e9)
    results = stored(tmp_path, deck, tasks)
    monkeypatch.undo()
    assert 0 < results.wall_s < 1e6
    state = state_of(tmp_path)
    assert (state.age_s, state.word) == (0.0, "finished")
    assert state.wall_s == pytest.approx(results.wall_s, abs=0.01)


def test_results_of_a_run_that_runs_now_hold_what_is_stored(
    deck: Deck, tasks: Tasks, tmp_path: Path, many_blocks: None
):
    seen: list[Results] = []

    def look(part: object) -> None:
        seen.append(open_run(tmp_path))

    whole = stored(tmp_path, deck, tasks, on_block=look)
    assert seen[0].interrupted
    for each in seen:
        ran = each.records["status"] != Status.NOT_RUN
        assert (each.records[ran] == whole.records[ran]).all()


def test_a_deck_with_own_ops_is_opened_with_them_only(own_ops: Path, tmp_path: Path):
    ops = own_ops / "my_ops.py"
    deck = batt.load_deck(_own_deck(tmp_path), ops=ops)
    tasks = batt.load_tasks(plain_tasks())
    with Session.begin(tmp_path / "run", deck, tasks, ops=ops) as session:
        session.evaluate(workers=1)
    with pytest.raises(UsageError, match="its deck uses your own ops; give their file, too"):
        open_run(tmp_path / "run")
    assert open_run(tmp_path / "run", ops=ops).deck.names == deck.names
    other = tmp_path / "other.py"
    other.write_text(ops.read_text() + "\n# changed\n")
    with pytest.raises(UsageError, match="the run began with other own ops"):
        open_run(tmp_path / "run", ops=other)


def _own_deck(folder: Path) -> Path:
    path = folder / "deck.py"
    path.write_text(source("solve_x", "x = vmirror(I)"))
    return path
