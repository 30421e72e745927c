"""GPUs as a column, over fake cards whose kernel evaluates for real: what is told of them is what they did."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from batt.bench import native as module
from batt.bench.cases import Spec, resolve
from batt.bench.child import open_runner
from batt.bench.columns import BenchColumn, ColumnKind, columns_named, standard_columns
from batt.bench.figures import figures
from batt.bench.measure import Measurement, Settings, measure
from batt.bench.passes import Pass, ReadyColumn
from batt.bench.table import case_table
from batt.bytecode.abi import Cause
from batt.cli.output import console
from batt.errors import UsageError
from batt.runtime.cuda import kernels
from batt.runtime.options import Options
from fake_cards import Cards
from fake_cupy import FakeCupy
from fake_kernel import FakeKernel
from handmade import source
from native_library import needs_library

CPU, GPU = BenchColumn(ColumnKind.CPU, 1, False), BenchColumn(ColumnKind.CUDA, 1, alone=True)
ONCE = Settings(repeat=2)
LIMIT = Cause.THREAD_LIMIT.text


class InProcess:
    """A column in the tests' own process."""

    def __init__(self, spec: Spec, column: BenchColumn, options: Options, guard_s: float) -> None:
        case = resolve(spec)
        self.ready = ReadyColumn(0.0, 0, len(case))
        self.runner = open_runner(case, column, options, guard_s)

    def run(self, numbers: Any) -> Pass:
        return self.runner.run(numbers)

    def close(self) -> None:
        pass


@pytest.fixture
def cards(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FakeKernel:
    """The kernel of a card of 256 MiB, which defers what a rule says."""
    monkeypatch.setenv("BATT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(kernels, "_made", {})
    found = kernels.source()
    monkeypatch.setattr(kernels, "source", lambda: found)
    cards = Cards(monkeypatch)
    cards.watch(monkeypatch, module)
    return cards.kernel


def measured(spec: Spec, *columns: BenchColumn) -> Measurement:
    return measure(spec, columns, ONCE, InProcess)


@needs_library
def test_a_card_that_finishes_all_defers_nothing(cards: FakeKernel, spec: Spec):
    told = figures(measured(spec, CPU, GPU), 1)
    json.dumps(told, allow_nan=False)
    assert (told["equal"], told["compared"]) == (True, 21)
    cpu, gpu = told["columns"]
    assert (cpu["gpu"], cpu["ratio_to_all_cores"]) == (None, None)
    assert gpu["engine"] == "cuda:1:alone"
    assert gpu["ratio_to_all_cores"] == pytest.approx(gpu["ratio"])
    assert gpu["median_evaluation_ns"] is None
    assert (gpu["gpu"]["finished"], gpu["gpu"]["deferred"], gpu["deferred"]) == (21, 0, 0)
    assert gpu["gpu"]["deferred_by_op"] == {}
    for passed in gpu["gpu"]["cards"]:
        (card,) = passed
        assert card["before_bytes"] == card["after_bytes"] == 0
        assert 0 < card["peak_bytes"] <= 0.8 * card["total_bytes"]
    assert cards.counts


@needs_library
def test_deferred_evaluations_are_counted_by_cause_solver_and_op(
    cards: FakeKernel, spec: Spec, monkeypatch: pytest.MonkeyPatch
):
    cards.over = lambda numbers: np.arange(len(numbers)) % 2 == 0
    cards.full = lambda numbers: np.arange(len(numbers)) % 7 == 1
    measurement = measured(spec, CPU, GPU)
    told = figures(measurement, 1)
    assert told["equal"]
    gpu = told["columns"][1]["gpu"]
    assert gpu["finished"] + gpu["deferred"] == 21
    assert sum(gpu["deferred_by_cause"].values()) == gpu["deferred"] > 0
    assert set(gpu["deferred_by_cause"]) == {LIMIT, "arena full"}
    assert sum(each["evaluations"] for each in gpu["deferred_by_solver"]) == gpu["deferred"]
    assert gpu["deferred_cpu_share"] == pytest.approx(sum(each["cpu_share"] for each in gpu["deferred_by_solver"]))
    assert 0 < gpu["deferred_cpu_share"] < 1
    assert sum(gpu["deferred_by_op"].values()) == pytest.approx(1)
    assert "vmirror" in gpu["deferred_by_op"]
    monkeypatch.setenv("COLUMNS", "250")
    printer = console()
    with printer.capture() as shown:
        printer.print(case_table(told, 1))
    told_of_gpus = "deferred by solver: ", "their time on the CPU by op: vmirror", "of its memory in use (allowed 80%)"
    for word in ("… to all cores", f"cuda:1:alone: deferred: {LIMIT}: ", *told_of_gpus):
        assert word in shown.get()


@needs_library
def test_a_column_shares_where_it_is_told_to(cards: FakeKernel, spec: Spec):
    sharing = [source(f"solve_{n}", "a = objects(I, T, F, F)", f"x = (a, {n})") for n in range(3)]
    Path(spec.deck).write_text("\n\n".join(sharing), "utf-8")
    apart, shared = columns_named("cuda:1:alone,cuda:1:share:alone")
    assert (apart.share, shared.share, shared.times_each) == (False, True, False)
    told = figures(measured(spec, CPU, apart, shared), 1)
    assert told["equal"]
    assert [each["engine"] for each in told["columns"]][1:] == ["cuda:1:alone", "cuda:1:share:alone"]
    assert [each["gpu"]["finished"] for each in told["columns"][1:]] == [21, 21]
    assert len(cards.staged) * 2 == len(cards.counts)


@needs_library
def test_without_a_column_that_times_each_no_share_is_told(cards: FakeKernel, spec: Spec):
    cards.over = lambda numbers: np.ones(len(numbers), bool)
    gpu = figures(measured(spec, BenchColumn(ColumnKind.CPU, 1, True), GPU), 1)["columns"][1]["gpu"]
    assert (gpu["finished"], gpu["deferred"], gpu["deferred_cpu_share"]) == (0, 21, None)
    assert gpu["deferred_by_solver"][0]["cpu_share"] is None


@needs_library
def test_outputs_are_fetched_where_they_are_asked_for(cards: FakeKernel, spec: Spec, monkeypatch: pytest.MonkeyPatch):
    asked: list[bool] = []
    evaluate = cards.evaluate

    def asking(told: np.void) -> None:
        asked.append(bool(told["outputs"]))
        evaluate(told)

    monkeypatch.setattr(cards, "evaluate", asking)
    columns = columns_named("cpu:1,cuda:1:alone,cpu:1:outputs,cuda:1:alone:outputs")
    told = figures(measured(spec, *columns), 1)
    assert told["equal"]
    finished = {each["engine"]: each["gpu"]["finished"] for each in told["columns"] if each["gpu"]}
    assert finished == {"cuda:1:alone": 21, "cuda:1:outputs:alone": 21}
    assert set(asked) == {False, True}


@needs_library
def test_a_card_that_fails_is_told_and_no_outcome_changes(cards: FakeKernel, spec: Spec):
    cards.cupy.fails_at_launch = 0
    told = figures(measured(spec, CPU, GPU), 1)
    assert told["equal"]
    assert any("continuing without it" in note for note in told["columns"][1]["gpu"]["notes"])


@needs_library
def test_gpus_are_measured_where_they_are(cards: FakeKernel, monkeypatch: pytest.MonkeyPatch):
    assert standard_columns(10**6)[-1].kind is ColumnKind.CUDA
    FakeCupy(count_error=35, driver_version=0).use(monkeypatch)
    assert {each.kind for each in standard_columns(10**6)} == {ColumnKind.CPU}
    with pytest.raises(UsageError, match="engine 'cuda' is not available: no NVIDIA driver is installed"):
        columns_named("cpu,cuda")
    assert cards.counts == []
