"""The benchmark that counts what kernels do: what it launches, and the table of a profiler's log."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import counters
from batt.runtime.cuda.modes import THREADS
from batt.tasks import Tasks
from counters import GROUP, LAUNCHES, METRICS, RECORDS, Launch, chosen, whole_job
from fake_cards import ROOMY, Cards
from native_library import needs_library
from small_launches import small_launches

__all__ = ["small_launches"]

pytestmark = needs_library

FEW = 8


@pytest.fixture
def few_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    tasks: Tasks = counters.load_tasks(counters.TASKS)
    monkeypatch.setattr(counters, "load_tasks", lambda source: tasks[:FEW])


@pytest.fixture
def cards(monkeypatch: pytest.MonkeyPatch, small_launches: None) -> Cards:
    made = Cards(monkeypatch, card=ROOMY)
    real = counters.Loaded

    def of(*args: Any, **options: Any) -> Any:
        loaded = real.of(*args, **options)
        made.loaded = lambda: (loaded.program, loaded.batch)  # type: ignore[method-assign]
        made.kernel.loaded = made.loaded
        return loaded

    monkeypatch.setattr(counters, "Loaded", SimpleNamespace(of=of))
    return made


def test_launches_are_compared_with_the_cpu_engine(
    cards: Cards, few_tasks: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    given = ["--deck", "first-132"]
    assert counters.main([*given, "--prepare", str(tmp_path)]) == 0
    assert counters.main([*given, "--launches", "threads-1000", str(tmp_path)]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("threads-1000: ")
    assert ", 0 differ; " in line
    assert cards.kernel.modes == [THREADS]
    cards.assert_all_is_given_back()
    records = np.load(tmp_path / RECORDS)
    records["hash"] += 1
    np.save(tmp_path / RECORDS, records)
    assert counters.main([*given, "--launches", "threads-1000", str(tmp_path)]) == 1


def test_a_launch_has_whole_groups_of_the_evaluations_that_it_is_for(few_tasks: None):
    job = whole_job("first-132")
    steps = np.arange(job.evaluations.total)
    launch = Launch("some", THREADS, 99, 3000)
    every, half = [chosen(job, steps, launch, part) for part in (1, 2)]
    assert every.numbers.tolist() == list(range(100, 3001))
    assert half.numbers.tolist() == [each for at, each in enumerate(every.numbers.tolist()) if at // GROUP % 2 == 0]
    width = len(job.evaluations.samples)
    assert (every.solvers * width + every.samples).tolist() == every.numbers.tolist()


def test_launches_cover_all_steps_once():
    assert LAUNCHES[0].above == 0
    assert [each.above for each in LAUNCHES[1:]] == [each.most for each in LAUNCHES[:-1]]


def test_a_log_becomes_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    counts = dict.fromkeys(METRICS, "1") | {counters.TIME: "2,500,000", counters.EXECUTED: "1,000,000"}
    counts |= {counters.LANES: "8,000,000", counters.ISSUE: "12.34", counters.IN_ALL: "10", counters.FETCHED: "77,000"}
    counts |= {counters.STALL.format("barrier"): "4"}
    lines = ["==PROF== Connected", '"ID","Kernel Name","Metric Name","Metric Value"']
    lines += [f'"0","batt_evaluate","{name}","{value}"' for name, value in counts.items()]
    (tmp_path / "log").write_text("\n".join(lines), "utf-8")
    assert counters.main(["--table", str(tmp_path / "log")]) == 0
    head, _, row = capsys.readouterr().out.splitlines()
    assert [each.strip() for each in head.strip("|").split("|")][-3:] == ["barrier", "no instruction", "memory"]
    assert row == "| 0 | 2.5 | 1,000,000 | 8.0 | 77,000 | 12.3 % | 40 % | 10 % | 40 % |"


def test_the_metrics_are_a_list_for_the_profiler(capsys: pytest.CaptureFixture[str]):
    assert counters.main(["--metrics"]) == 0
    assert capsys.readouterr().out.strip().split(",") == list(METRICS)
