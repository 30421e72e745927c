"""S without the pair itself: no solver sees the output that it has to make."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from batt.cache import ResultCache
from batt.cli.main import main
from batt.errors import UsageError
from batt.front import as_deck
from batt.jobs import evaluate
from batt.jobs.samples import RowSamples, samples_of
from batt.runtime import Split
from batt.store.manifest import Choices
from batt.store.reading import open_run
from batt.store.session import Given, Session
from batt.tasks import Tasks, load_tasks, tasks_from_dict
from batt.tasks.packing import pack_tasks
from handmade import plain_tasks
from native_library import needs_library

PEEKS = """
def solve_peeks(S, I, C):
    own = extract(S, matcher(first, I))
    return last(own)
"""
COUNTS = "def solve_counts(S, I, C):\n    return canvas(size(S), UNITY)\n"


@pytest.fixture
def tasks() -> Tasks:
    return tasks_from_dict(plain_tasks())


def test_a_demonstration_is_shown_the_others_and_a_test_all(tasks: Tasks):
    for sample in samples_of(tasks, leave_out=True):
        shown = tasks[sample.task].demonstrations
        expected = shown[: sample.index] + shown[sample.index + 1 :] if sample.part is Split.TRAIN else shown
        assert sample.demonstrations == expected


def test_samples_that_are_made_on_demand_leave_out_the_same(tasks: Tasks, tmp_path: Path):
    pack_tasks(tasks, tmp_path / "t.batt-tasks")
    rows = RowSamples(load_tasks(tmp_path / "t.batt-tasks").tasks, leave_out=True)
    assert tuple(rows) == tuple([rows[at] for at in range(len(rows))]) == samples_of(tasks, leave_out=True)


@pytest.mark.parametrize("engine", ["reference", pytest.param("cpu", marks=needs_library)])
@pytest.mark.parametrize("share", [True, False])
def test_a_solver_that_looks_its_answer_up_fits_only_without_it(tasks: Tasks, engine: str, share: bool):
    options: dict[str, Any] = {"engine": engine, "share": share, "compiled": True, "workers": 1}
    assert evaluate(as_deck(PEEKS), tasks, **options).fits.all()
    results = evaluate(as_deck(PEEKS), tasks, leave_out=True, **options)
    assert not results.fits.any()
    assert results.trace("solve_peeks", "mirror", 0, "train").outcome.error == "StopIteration"
    sizes = evaluate(as_deck(COUNTS), tasks, leave_out=True, outputs=True, **options).values()
    assert sizes == [((1,),), ((1,),), ((2,),), ((1,),), ((1,),), ((2,),), ((2,),)]


def test_a_stored_run_keeps_the_choice(tasks: Tasks, tmp_path: Path):
    with Session.begin(tmp_path / "run", as_deck(PEEKS), tasks, Choices(leave_out=True)) as session:
        session.evaluate(engine="reference", workers=1)
    loaded = open_run(tmp_path / "run")
    assert loaded.leave_out
    assert loaded.sample("mirror", "train", 0).demonstrations == tasks["mirror"].demonstrations[1:]
    with pytest.raises(UsageError, match="the run began with --leave-out True, not False"):
        Session.resume(tmp_path / "run", Given(leave_out=False))


@needs_library
def test_the_cache_tells_the_two_apart(tasks: Tasks, tmp_path: Path):
    for leave_out in (False, True, False):
        cache = ResultCache(tmp_path / "cache")
        results = evaluate(as_deck(PEEKS), tasks, leave_out=leave_out, engine="cpu", workers=1, cache=cache)
        assert results.fits.all() != leave_out


def test_choices_that_were_stored_without_it_left_nothing_out():
    plain = Choices().as_json()
    del plain["leave_out"]
    assert Choices.from_json(plain) == Choices()
    assert Choices.from_json(Choices(leave_out=True).as_json()) == Choices(leave_out=True)


@pytest.mark.parametrize(("more", "fitting"), [([], 2), (["--leave-out"], 0)])
def test_the_option_of_the_command(tasks: Tasks, tmp_path: Path, capsys: Any, more: list[str], fitting: int):
    deck, file = tmp_path / "deck.py", tmp_path / "tasks.json"
    deck.write_text(PEEKS)
    file.write_text(json.dumps(plain_tasks()))
    assert main(["run", str(deck), "--tasks", str(file), "--engine", "reference", "--json", *more]) == 0
    assert json.loads(capsys.readouterr().out)["tasks_fitted"] == fitting
