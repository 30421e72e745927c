"""Generated files that are called: every solver gives what it gives alone, on every engine."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from batt.card import running
from batt.card.running import device_line
from batt.differs import BUILT_IN, Candidate, differs_named, read_differs, score
from batt.errors import UsageError
from batt.front import load_deck
from batt.jobs import evaluate, export
from batt.jobs.values import Failed
from batt.lazy import batch_function
from batt.runtime import Limits, Sample, Status, cuda
from batt.tasks import load_tasks
from dealt import LIMITS, alone, deck_of, foreign_samples, imported, text_of
from fake_cards import Cards, card_of_evaluate
from handmade import MIRROR, RAISES, SAME, deck
from native_library import needs_library

ENGINES = [pytest.param("cpu", marks=needs_library), "reference"]
SAMPLES = {10: 6, 50: 4, 400: 2}

SMALL = deck(solve_a=MIRROR, solve_b=SAME, solve_c=RAISES)


def wanted(size: int, sample: Sample) -> list[Any]:
    return [alone(solver.program, sample) for solver in deck_of(size)]


def columns(samples: tuple[Sample, ...]) -> tuple[list[Any], ...]:
    rows = [(each.task, each.demonstrations, each.input, each.expected) for each in samples]
    return tuple(map(list, zip(*rows, strict=True)))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("size", [10, 50, 400])
def test_the_outputs_of_a_batt_are_those_of_each_solver_alone(tmp_path: Path, size: int, engine: str):
    batt = imported(tmp_path, text_of(deck_of(size))).batt
    batt.engine, batt.limits = engine, LIMITS
    for sample in foreign_samples(SAMPLES[size])[: 1 if engine == "reference" else None]:
        o, s = batt(sample.task, sample.demonstrations, sample.input)
        values = wanted(size, sample)
        assert [value for *_, value in o] == values
        assert [changed for _, changed, *_ in o] == [not isinstance(v, Failed) and v != sample.input for v in values]
        assert s == []


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("size", [10, 50, 400])
def test_the_outputs_of_a_batch_are_those_of_each_solver_alone(tmp_path: Path, size: int, engine: str):
    batt = imported(tmp_path, text_of(deck_of(size), batch=True)).batt_batch
    batt.engine, batt.limits = engine, LIMITS
    samples = foreign_samples(SAMPLES[size])
    results = batt(*columns(samples))
    assert [[value for *_, value in o] for o, _ in results] == [wanted(size, sample) for sample in samples]


@pytest.mark.parametrize("size", [10, 50])
def test_the_words_of_a_batch_file_give_the_same_values_when_they_are_executed(tmp_path: Path, size: int):
    """Then nothing tells a solver's own order, so that of two errors another may come first."""
    module = imported(tmp_path, text_of(deck_of(size), batch=True))
    executed = batch_function(module.batt_batch.__wrapped__, limits=LIMITS)
    module.batt_batch.limits = LIMITS
    given = columns(foreign_samples(3))
    for (read, _), (ran, _) in zip(module.batt_batch(*given), executed(*given), strict=True):
        assert [each[0:3:2] for each in read] == [each[0:3:2] for each in ran]
        for (*_, one), (*_, other) in zip(read, ran, strict=True):
            assert one == other or (isinstance(one, Failed) and isinstance(other, Failed))


def test_foreign_samples_make_solvers_fail_as_well_as_succeed():
    values = [value for sample in foreign_samples(2) for value in wanted(400, sample)]
    failures = {value.kind for value in values if isinstance(value, Failed)}
    assert {"over_budget", "IndexError", "StopIteration"} <= failures
    assert sum(not isinstance(value, Failed) for value in values) > 300


@pytest.fixture
def small(tmp_path: Path) -> ModuleType:
    return imported(tmp_path, text_of(SMALL, differs_named("equal,cells")))


def test_an_output_tells_its_step_its_task_and_whether_it_changed(small: ModuleType):
    o, _ = small.batt("t", (), ((1, 2),))
    assert o == [(1, True, "a", ((2, 1),)), (2, False, "b", ((1, 2),)), (3, False, "c", Failed("StopIteration"))]


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Cards:
    return card_of_evaluate(monkeypatch, tmp_path / "kernels")


@cache
def direct_scores(size: int, sample: Sample) -> list[Any]:
    """The scores of all built-in differs, for each output of the deck of `size`."""
    candidates = [Candidate(sample, value) for value in wanted(size, sample)]
    return [each for scores in score(differs_named(BUILT_IN), candidates, limits=LIMITS) for each in scores]


@pytest.mark.usefixtures("card")
@pytest.mark.parametrize("engine", [*ENGINES, pytest.param("cuda", marks=needs_library)])
@pytest.mark.parametrize("batch", [False, True], ids=["sequential", "batch"])
@pytest.mark.parametrize("size", [10, 50, 400])
def test_scores_are_those_of_the_differs_run_directly(tmp_path: Path, size: int, batch: bool, engine: str):
    differs = differs_named(BUILT_IN)
    (sample,) = foreign_samples(1)
    module = imported(tmp_path, text_of(deck_of(size), differs, batch))
    batt = module.batt_batch if batch else module.batt
    batt.engine, batt.limits = engine, LIMITS
    row = sample.task, sample.demonstrations, sample.input, sample.expected
    _, s = batt(*[[each] for each in row])[0] if batch else batt(*row)
    assert [each[3] for each in s] == direct_scores(size, sample)
    assert [each[2] for each in s] == [*BUILT_IN] * size


@needs_library
@pytest.mark.parametrize("batch", [False, True], ids=["sequential", "batch"])
@pytest.mark.parametrize("size", [10, 50, 400])
def test_the_exports_of_all_engines_are_the_same_bytes(tmp_path: Path, card: Cards, size: int, batch: bool):
    path = tmp_path / "my_batt.py"
    path.write_text(text_of(deck_of(size), batch=batch), encoding="utf-8")
    tasks = load_tasks("arc1-training")[100 : 110 if size == 10 else 101]
    found = []
    for engine in ("reference", "cpu", "cuda", "alone"):
        dealt = deck_of(size) if engine == "alone" else load_deck(path)
        results = evaluate(dealt, tasks, engine="cpu" if engine == "alone" else engine, limits=LIMITS, outputs=True)
        export(results, tmp_path / "rows.jsonl")
        found.append((tmp_path / "rows.jsonl").read_bytes())
    assert len(found[0].splitlines()) == size * sum(len(task.pairs) for task in tasks)
    assert len(set(found)) == 1
    assert card.ladder is not None


def test_without_an_expected_output_there_is_no_score(small: ModuleType):
    _, s = small.batt("t", (), ((1, 2),))
    assert [scored[0] for *_, scored in s] == [None] * 6


def test_a_solver_never_sees_the_expected_output(tmp_path: Path):
    text = text_of(deck_of(10)).replace("    return o, s", '    o.append((0, C != I, "asks", C))\n\n    return o, s')
    o, _ = imported(tmp_path, text).batt("t", (), ((1, 2),), ((3, 4),))
    assert o[-1] == (0, True, "asks", None)


def test_differs_of_the_user_score_from_the_file_alone(tmp_path: Path):
    differs = read_differs("def differ_larger(S, I, C, E):\n    return size(C)\n", "mine.py")
    _, s = imported(tmp_path, text_of(SMALL, differs)).batt("t", (), ((1, 2), (3, 4)), ((1, 2),))
    assert [(step, task, name) for step, task, name, _ in s] == [
        (1, "a", "larger"),
        (2, "b", "larger"),
        (3, "c", "larger"),
    ]
    assert [scored[0] for *_, scored in s] == [2, 2, None]


def test_lists_and_arrays_are_grids_as_well(small: ModuleType):
    assert small.batt("t", [], [[1, 2]])[0] == small.batt("t", (), ((1, 2),))[0]


def test_what_is_no_value_is_refused(small: ModuleType):
    with pytest.raises(UsageError, match="not a value of the language"):
        small.batt("t", (), "grid")


def test_a_log_gets_a_row_for_every_solver_at_each_call(small: ModuleType, tmp_path: Path):
    log = tmp_path / "log.jsonl"
    for _ in range(2):
        small.batt("t", (), ((1, 2),), ((2, 1),), str(log))
    rows = [json.loads(line) for line in log.read_text().splitlines()]
    assert rows[:3] == rows[3:]
    assert rows[0] == {
        "task": "t", "source": "a", "step": 1, "changed": True, "failed": None, "scores": {"equal": 0, "cells": 0}
    }  # fmt: skip
    assert rows[2]["failed"] == "StopIteration"


def test_a_batch_of_columns_of_different_lengths_is_refused(tmp_path: Path):
    batch = imported(tmp_path, text_of(SMALL, batch=True)).batt_batch
    with pytest.raises(UsageError, match="batt_batch: 1 Ss for 2 Is"):
        batch(["a", "b"], [()], [((1,),), ((2,),)])
    assert batch([], [], []) == []


def test_devices_are_told_once(small: ModuleType, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(running, "_TOLD", set())
    small.batt("t", (), ((1, 2),))
    small.batt("t", (), ((1, 2),))
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("Batt GPU: ")
    assert len([line for line in lines if line.startswith("Batt GPU: ")]) == 1


def test_the_line_tells_what_is_used(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cuda, "missing", lambda *_: "CuPy is not installed")
    assert device_line("cpu") == "Batt GPU: not available (CuPy is not installed), using CPU"

    class Card:
        name = "NVIDIA L4"

    monkeypatch.setattr(cuda, "missing", lambda *_: None)
    monkeypatch.setattr(cuda, "devices", lambda: [Card(), Card()])
    assert device_line("cuda") == "Batt GPU: Enabled (2 GPUs, NVIDIA L4)"
    assert device_line("cpu") == "Batt GPU: Enabled (2 GPUs, NVIDIA L4); this run is faster on the cpu engine"


def test_a_differ_that_is_not_there_is_refused_before_anything_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    text = text_of(SMALL, differs_named("equal")).replace('"equal", equal', '"near", equal')
    told = r"my_batt.py:\d+:\d+: no differ 'near'; there are equal, cells, colours, singles, and each `def differ_NAME`"
    with pytest.raises(UsageError, match=told):
        imported(tmp_path, text).batt("t", (), ((1,),))
    assert capsys.readouterr().err == ""


def test_a_score_of_an_output_that_is_not_there_is_refused(tmp_path: Path):
    text = text_of(SMALL, differs_named("equal")).replace('s.append((1, "a"', 's.append((7, "a"')
    with pytest.raises(UsageError, match=r"my_batt.py:\d+:\d+: no output of step 7 and task 'a' to score"):
        imported(tmp_path, text).batt("t", (), ((1, 2),))


def test_limits_of_a_call_are_kept(small: ModuleType):
    small.batt.limits = Limits(steps=2)
    o, _ = small.batt("t", (), ((1, 2),))
    assert o[0][3] == Failed(Status.OVER_BUDGET.word)
