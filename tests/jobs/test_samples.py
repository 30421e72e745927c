"""Spans: every evaluation once, under its number in the whole, and the results of one run are those of the other."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import batt
from batt.bench.frozen import first_132
from batt.front import Deck
from batt.jobs import samples as module
from batt.jobs.evaluation import evaluate
from batt.jobs.export import export
from batt.jobs.matching import match_all, match_own
from batt.jobs.samples import LoadedSamples, RowSamples, keys_of, samples_of, spans
from batt.runtime import Sample
from batt.tasks import Task, Tasks, load_tasks, tasks_from_dict
from batt.tasks.packing import pack_tasks
from handmade import MIRROR, RAISES, SAME, deck, plain_tasks
from native_library import needs_library
from output_texts import run_texts

DECK = deck(solve_mirror=MIRROR, solve_same=SAME, solve_trap=RAISES)


def packed(tasks: Tasks, folder: Path) -> Tasks:
    pack_tasks(tasks, folder / "some.batt-tasks")
    return load_tasks(folder / "some.batt-tasks")


@pytest.fixture
def both(tmp_path: Path) -> tuple[Tasks, Tasks]:
    """The same 20 tasks, at hand and packed."""
    tasks = batt.load_tasks("arc1-training").select(None, 20)
    return tasks, packed(tasks, tmp_path)


@pytest.mark.parametrize(("number", "kind"), [(0, LoadedSamples), (1, RowSamples)])
def test_samples_that_are_made_when_asked_for_are_the_same(both: tuple[Tasks, Tasks], number: int, kind: type):
    whole, made = samples_of(both[0]), match_all(DECK, both[number]).samples
    assert isinstance(made, kind)
    assert (tuple(made), made[3], made[-1]) == (whole, whole[3], whole[-1])
    assert (made[5:9], made[::-7], made[9:9]) == (whole[5:9], whole[::-7], ())
    one, other = keys_of(whole), keys_of(made)
    assert [one.key(at) for at in range(len(whole))] == [other.key(at) for at in range(len(whole))]
    assert [other.key(at) for at in range(len(whole))] == [(each.task, each.part, each.index) for each in whole]
    with pytest.raises(IndexError):
        made[len(whole)]


@pytest.mark.parametrize("span_cells", [1, 3_000, 10**9])
@pytest.mark.parametrize("matched", [match_all, match_own])
def test_spans_cover_every_evaluation_once(both: tuple[Tasks, Tasks], matched: Any, span_cells: int):
    _, rows = both
    solvers = Deck.from_sources({f"solve_{name}": "def solve(I):\n    return I\n" for name in rows.ids[::2]})
    evaluations = matched(solvers, rows)
    seen: list[int] = []
    for span in spans(evaluations, span_cells):
        numbers = span.in_whole(np.arange(span.total))
        for own, number in enumerate(numbers.tolist()):
            (solver, at), (in_whole, position) = span.pair(own), evaluations.pair(number)
            assert solver == in_whole
            assert span.samples[at] == evaluations.samples[position]
        seen += numbers.tolist()
        assert len({each.task for each in span.samples}) == 1 or cells(span.samples) <= span_cells
    assert sorted(seen) == list(range(evaluations.total))


def cells(samples: Sequence[Sample]) -> int:
    grids = [grid for each in samples for grid in (each.input, each.expected) if grid]
    return sum(len(grid) * len(grid[0]) for grid in grids)


def test_what_is_at_hand_is_one_span(both: tuple[Tasks, Tasks]):
    evaluations = match_all(DECK, both[0])
    (span,) = spans(evaluations, 1)
    assert span is evaluations
    numbers = np.arange(9)
    assert span.in_whole(numbers) is numbers


def test_a_span_is_let_go_before_the_next_is_made(both: tuple[Tasks, Tasks]):
    def living() -> set[int]:
        return {id(each) for each in gc.get_objects() if isinstance(each, Task)}

    # Other tests keep tasks, too.
    gc.collect()
    before, alive = living(), []
    for _span in spans(match_all(DECK, both[1]), 1):
        del _span
        alive.append(len(living() - before))
    assert len(alive) == 20
    assert max(alive) <= 2


@pytest.mark.parametrize("options", [{}, {"own": True}, {"outputs": True}], ids=["all", "own", "outputs"])
@pytest.mark.parametrize("engine", ["reference", pytest.param("cpu", marks=needs_library)])
def test_a_packed_run_gives_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str, options: dict[str, bool]
):
    tasks = tasks_from_dict(plain_tasks())
    rows = packed(tasks, tmp_path)
    whole = evaluate(DECK, tasks, engine=engine, workers=1, **options)
    monkeypatch.setattr(module, "SPAN_CELLS", 1)
    told: list[tuple[int, int]] = []
    numbers: list[int] = []
    cut = evaluate(DECK, rows, engine=engine, workers=1, progress=lambda *each: told.append(each),
                   on_block=lambda done: numbers.extend(done.numbers.tolist()), **options)  # fmt: skip
    assert cut.records.tobytes() == whole.records.tobytes()
    assert (cut.steps, cut.native) == (whole.steps, whole.native)
    assert cut.outputs is None or run_texts(cut) == run_texts(whole)
    assert (cut.fallbacks, cut.counts, cut.notes) == (whole.fallbacks, whole.counts, whole.notes)
    assert sorted(numbers) == list(range(len(whole)))
    assert told[-1] == (len(whole), len(whole))
    for name, results in (("a", cut), ("b", whole)):
        export(results, tmp_path / name, outputs="outputs" in options)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert cut.fits.tolist() == whole.fits.tolist()
    assert cut.correct.tolist() == whole.correct.tolist()
    assert cut.sample("trap", "test", 1) == whole.sample("trap", "test", 1)
    assert cut.winners().names == whole.winners().names


@needs_library
def test_the_built_in_deck_gives_the_same_in_spans(both: tuple[Tasks, Tasks], monkeypatch: pytest.MonkeyPatch):
    tasks, rows = both
    whole = evaluate(first_132(), tasks, engine="cpu")
    monkeypatch.setattr(module, "SPAN_CELLS", 2_000)
    cut = evaluate(first_132(), rows, engine="cpu")
    assert cut.records.tobytes() == whole.records.tobytes()
    assert cut.fits.tolist() == whole.fits.tolist()


@needs_library
def test_an_interrupt_keeps_what_is_done_of_all_spans(both: tuple[Tasks, Tasks], monkeypatch: pytest.MonkeyPatch):
    tasks, rows = both
    monkeypatch.setattr(module, "SPAN_CELLS", 1)
    whole = evaluate(DECK, tasks, engine="cpu", workers=1)
    third = 3 * len(tasks[0].pairs) + 3 * len(tasks[1].pairs)

    def stop(done: int, total: int) -> None:
        if done > third:
            raise KeyboardInterrupt

    cut = evaluate(DECK, rows, engine="cpu", workers=1, progress=stop)
    assert cut.interrupted
    ran = cut.records["status"] != batt.runtime.Status.NOT_RUN
    assert third < ran.sum() < len(whole)
    assert cut.records[ran].tobytes() == whole.records[ran].tobytes()
