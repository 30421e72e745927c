"""Runs that go together become one, and a run that was split becomes what it would have been as a whole."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import batt
from batt.errors import UsageError
from batt.front import Deck
from batt.jobs.keeping import Keep
from batt.runtime import Limits
from batt.store import merge_runs, open_run, state_of
from batt.store.manifest import Choices
from batt.tasks import Tasks
from handmade import plain_tasks, source
from stored_runs import cut, resumed, stored

Rows = Callable[..., bytes]


@pytest.mark.parametrize("keep", Keep)
def test_two_unfinished_runs_of_one_kind_become_their_union(
    deck: Deck, tasks: Tasks, rows: Rows, tmp_path: Path, many_blocks: None, keep: Keep
):
    choices = Choices(keep=keep, outputs=True)
    whole = stored(tmp_path / "whole", deck, tasks, choices)
    first = stored(tmp_path / "a", deck, tasks, choices, on_block=cut(1))
    second = stored(tmp_path / "b", deck, tasks, choices, on_block=cut(2), share=False)
    merged = merge_runs([tmp_path / "a", tmp_path / "b"], tmp_path / "c")
    done = len(merged) - merged.not_run
    assert max(len(each) - each.not_run for each in (first, second)) <= done == state_of(tmp_path / "c").done
    assert rows(resumed(tmp_path / "c"), True) == rows(whole, True)


def test_runs_of_two_decks_or_of_two_sets_of_tasks_become_one(deck: Deck, tasks: Tasks, rows: Rows, tmp_path: Path):
    parts = {"a": (deck[:10], tasks[:5]), "b": (deck[10:], tasks[:5]), "c": (deck, tasks[5:])}
    for name, (some, others) in parts.items():
        stored(tmp_path / name, some, others)
    merge_runs([tmp_path / "a", tmp_path / "b"], tmp_path / "ab")
    merged = merge_runs([tmp_path / "ab", tmp_path / "c"], tmp_path / "abc")
    assert merged.not_run == 0
    assert merged.deck.names == deck.names
    assert merged.tasks.ids == tasks.ids
    whole = stored(tmp_path / "whole", deck, tasks)
    rows_of = [[line.partition(b',"run"')[0] for line in rows(each).splitlines()] for each in (merged, whole)]
    assert rows_of[0] == rows_of[1]
    assert merged.steps == whole.steps


def test_solvers_and_tasks_in_another_order_are_merged_all_the_same(
    deck: Deck, tasks: Tasks, rows: Rows, tmp_path: Path
):
    stored(tmp_path / "a", deck[:6], tasks[:2], Choices(outputs=True))
    stored(tmp_path / "b", Deck(reversed(deck[:6]), deck.name), tasks[2:4], Choices(outputs=True))
    merged = merge_runs([tmp_path / "a", tmp_path / "b"], tmp_path / "c")
    whole = stored(tmp_path / "whole", deck[:6], tasks[:4], Choices(outputs=True))
    rows_of = [[line.partition(b',"run"')[0] for line in rows(each, True).splitlines()] for each in (merged, whole)]
    assert rows_of[0] == rows_of[1]


def test_what_no_run_has_is_left_to_a_resume(deck: Deck, tasks: Tasks, rows: Rows, tmp_path: Path):
    stored(tmp_path / "a", deck[:4], tasks[:2], Choices(own=False))
    stored(tmp_path / "b", deck[4:8], tasks[2:4], Choices(own=False))
    merged = merge_runs([tmp_path / "a", tmp_path / "b"], tmp_path / "c")
    assert 0 < merged.not_run < len(merged)
    assert not resumed(tmp_path / "c").interrupted
    assert not open_run(tmp_path / "c").not_run


def test_runs_of_solvers_on_their_own_tasks_are_merged(deck: Deck, tasks: Tasks, rows: Rows, tmp_path: Path):
    choices = Choices(own=True)
    stored(tmp_path / "a", deck, tasks[:6], choices)
    stored(tmp_path / "b", deck, tasks[6:], choices)
    merged = merge_runs([tmp_path / "a", tmp_path / "b"], tmp_path / "c")
    whole = stored(tmp_path / "whole", deck, tasks, choices)
    assert (merged.not_run, len(merged)) == (0, len(whole))
    assert (merged.fits == whole.fits).all()


def test_runs_that_do_not_go_together_are_refused(deck: Deck, tasks: Tasks, tmp_path: Path):
    mine = {"solve_a": source("solve_a", "x = vmirror(I)")}
    other = {"solve_a": source("solve_a", "x = hmirror(I)")}
    plain, changed = plain_tasks(), plain_tasks()
    changed["trap"]["test"][0]["output"] = [[5, 5]]
    few = Choices(limits=Limits(steps=10))
    for name, solvers, given, choices in (
        ("a", mine, plain, Choices()), ("b", other, plain, Choices()), ("c", mine, changed, Choices()),
        ("d", mine, plain, few), ("e", mine, plain, Choices(keep=Keep.HITS)),
    ):  # fmt: skip
        stored(tmp_path / name, batt.as_deck(solvers), batt.load_tasks(given), choices)
    for name, message in (
        ("b", "its solve_a is another program than that of an earlier run"),
        ("c", "its task trap is another one than that of an earlier run"),
        ("d", r"cannot be merged with .*: limits is "),
        ("e", r"cannot be merged with .*: keep is all there and hits here"),
    ):
        with pytest.raises(UsageError, match=message):
            merge_runs([tmp_path / "a", tmp_path / name], tmp_path / "merged")
    with pytest.raises(UsageError, match="merging takes at least two runs"):
        merge_runs([tmp_path / "a"], tmp_path / "merged")
    assert not (tmp_path / "merged").exists()
