"""Measuring: all columns on the same evaluations, and a difference is never passed over."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from batt.bench import rearc
from batt.bench.cases import Spec, resolve
from batt.bench.child import ColumnProcess, open_runner
from batt.bench.columns import BenchColumn, ColumnKind, columns_named, standard_columns
from batt.bench.figures import figures
from batt.bench.measure import LIMITS, Measured, Measurement, Settings, comparable, differing, measure
from batt.bench.passes import Pass, ReadyColumn
from batt.bench.plain import plain_functions
from batt.errors import UsageError
from batt.runtime import Status
from batt.runtime.options import Options
from batt.runtime.records import unfilled
from handmade import MIRROR, SAME, STUCK, source
from native_library import needs_library

needs_rearc = pytest.mark.skipif(not rearc.is_installed(), reason="reasoning_gym is not installed")

REFERENCE, PLAIN, CPU = map(BenchColumn, (ColumnKind.REFERENCE, ColumnKind.PLAIN, ColumnKind.CPU))
PROMISED = {
    *("evaluations_per_s", "total_s", "total_min_s", "total_max_s", "passes", "ratio", "ratio_median_evaluation"),
    *("ratio_without_costliest", "setup_s", "first_result_s", "peak_bytes", "base_bytes", "left_out", "deferred"),
}
QUICK = Settings(repeat=2, guard_s=5.0)


class InProcess:
    """A column in the tests' own process; `planted` alters the record of an evaluation in a pass."""

    def __init__(
        self, spec: Spec, column: BenchColumn, options: Options, guard_s: float, planted: int | None = None
    ) -> None:
        self.ready = ReadyColumn(0.0, 0, 21)
        self.runner = open_runner(resolve(spec), column, options, guard_s)
        self.planted = planted
        self.passes = 0
        self.closed = False

    def run(self, numbers: Any) -> Pass:
        done = self.runner.run(numbers)
        self.passes += 1
        if self.passes == self.planted:
            records = done.records.copy()
            records["hash"][3] += 1
            return dataclasses.replace(done, records=records)
        return done

    def close(self) -> None:
        self.closed = True


def tiny(spec: Spec, *columns: BenchColumn) -> Measurement:
    return measure(spec, columns, QUICK, InProcess)


@needs_library
@needs_rearc
def test_cases_keep_their_budget_whatever_the_default_of_a_run_is():
    assert LIMITS.steps == Settings().limits.steps == 10_000_000


def test_the_columns_of_a_tiny_run_agree_and_have_every_figure(spec: Spec):
    told = figures(tiny(spec, PLAIN, REFERENCE, CPU, BenchColumn(ColumnKind.CPU, 2, True)), 1)
    json.dumps(told, allow_nan=False)
    assert (told["evaluations"], told["compared"], told["equal"], told["different"]) == (21, 21, True, 0)
    assert [each["engine"] for each in told["columns"]] == ["plain", "reference", "cpu:1:no-share", "cpu:2"]
    for each in told["columns"]:
        assert each.keys() >= PROMISED
        assert each["passes"] == 2
        assert each["statuses"] == {"ok": 14, "raised": 7}
    assert told["columns"][0]["agrees"] == 21
    assert told["columns"][2]["ratio_median_evaluation"] > 0
    assert told["columns"][3]["ratio_median_evaluation"] is None
    (costliest,) = told["costliest"]
    assert costliest["solver"] in ("solve_mirror", "solve_same", "solve_fails")
    assert costliest["time_s"].keys() == costliest["share"].keys() == {"plain", "reference", "cpu:1:no-share"}


@needs_library
@pytest.mark.parametrize("planted", [1, 2, 3])
def test_a_planted_difference_ends_the_run(spec: Spec, planted: int):
    opened = []

    def open_column(*args: Any) -> InProcess:
        opened.append(InProcess(*args, planted=planted if args[1] == CPU else None))
        return opened[-1]

    measurement = measure(spec, (REFERENCE, CPU), QUICK, open_column)
    assert measurement.different == 1
    (told,) = measurement.differences
    assert told.startswith("solve_mirror on trap train 0: reference (0, 0, ")
    assert "cpu:1:no-share (0, 0, " in told
    assert figures(measurement)["equal"] is False
    assert all(each.closed for each in opened)


@needs_library
def test_a_column_runs_in_a_process_of_its_own(spec: Spec):
    child = ColumnProcess(spec, CPU, Options(), 1.0)
    try:
        done = child.run(None)
        part = child.run(np.array([20, 0]))
    finally:
        child.close()
    here = open_runner(resolve(spec), CPU, Options(), 1.0).run(None)
    assert done.records.tolist() == here.records.tolist()
    assert part.records.tolist() == here.records[[20, 0]].tolist()
    assert (done.times_ns >= 0).all()
    assert child.ready.base_bytes > 0


def test_a_mistake_in_the_childs_deck_is_the_parents_error(spec: Spec):
    with pytest.raises(UsageError, match="no such file"):
        ColumnProcess(dataclasses.replace(spec, deck="nowhere.py"), REFERENCE, Options(), 1.0)


@needs_rearc
def test_the_guard_ends_plain_python_and_is_counted(tmp_path: Path, spec: Spec):
    path = tmp_path / "stuck.py"
    path.write_text(f"{source('solve_same', *SAME)}\n\n{source('solve_stuck', *STUCK)}")
    child = ColumnProcess(dataclasses.replace(spec, deck=str(path)), PLAIN, Options(), 0.2)
    try:
        done = child.run(np.array([0, 7, 1]))
    finally:
        child.close()
    assert done.records["status"].tolist() == [Status.OK, Status.TIMED_OUT, Status.OK]
    assert done.left_out.tolist() == [False, True, False]
    assert comparable([Measured(PLAIN, child.ready, done)]).tolist() == [True, False, True]


@needs_rearc
def test_plain_python_runs_published_verifiers_as_they_are():
    functions = plain_functions(resolve(Spec("re-arc", limit=1)))
    assert len(functions) == 400
    assert {each.__module__ for each in functions.values()} == {"rearc_utils.verifiers"}


@needs_rearc
def test_plain_python_runs_helpers_and_leaves_out_what_its_primitives_lack(tmp_path: Path, spec: Spec):
    path = tmp_path / "helper.py"
    solvers = {"helper": MIRROR, "plain": ("x = helper(I)",), "solve_a": ("x = plain(I)",), "solve_b": ("x = I[0]",)}
    path.write_text("\n\n".join([source(name, *lines) for name, lines in solvers.items()]))
    functions = plain_functions(resolve(dataclasses.replace(spec, deck=str(path))))
    assert list(functions) == ["solve_a"]
    assert functions["solve_a"](((1, 2),)) == ((2, 1),)


def test_a_time_out_differs_from_nothing_and_is_not_compared():
    one, other = unfilled(2), unfilled(2)
    one["status"], other["status"] = [Status.OK, Status.OK], [Status.TIMED_OUT, Status.RAISED]
    assert differing(one, other).tolist() == [False, True]


def test_what_a_budget_stops_is_compared_unless_plain_python_is_there():
    records = unfilled(2)
    records["status"] = [Status.OK, Status.OVER_BUDGET]
    done = Pass(records, np.ones(2, np.int64), 1.0, 0.0, 1.0, 0)
    plain, reference = [Measured(column, ReadyColumn(0.0, 0, 2), done) for column in (PLAIN, REFERENCE)]
    assert comparable([reference]).tolist() == [True, True]
    assert comparable([plain, reference]).tolist() == [True, False]


@needs_library
@needs_rearc
def test_columns_are_named_in_a_list():
    found = columns_named("plain, cpu:1:no-share,cpu:3")
    assert found == (PLAIN, CPU, BenchColumn(ColumnKind.CPU, 3, True))
    assert [each.name for each in found] == ["plain", "cpu:1:no-share", "cpu:3"]
    assert [each.kind for each in standard_columns(10)][:2] == [ColumnKind.PLAIN, ColumnKind.REFERENCE]
    assert {each.kind for each in standard_columns(10**6)} <= {ColumnKind.CPU, ColumnKind.CUDA}
    assert BenchColumn(ColumnKind.CUDA, 2, True, alone=True).name == "cuda:2:share:alone"
    assert [each.name for each in columns_named("cpu:2:outputs,cpu:2:no-share:outputs")] == [
        "cpu:2:outputs",
        "cpu:2:no-share:outputs",
    ]


@pytest.mark.parametrize(
    "names",
    [
        "",
        "gpu",
        "cpu:x",
        "cpu:1:2",
        "plain:1",
        "cpu:-1",
        "cpu:alone",
        "cuda:no-share",
        "cpu:share",
        "cpu:outputs:outputs",
        "plain,plain",
    ],
)
def test_other_names_are_refused(names: str):
    with pytest.raises(UsageError, match="column"):
        columns_named(names)


@pytest.mark.parametrize("options", [{"repeat": 0}, {"guard_s": 0.0}, {"guard_s": float("nan")}])
def test_bad_settings_are_refused(options: dict[str, Any]):
    with pytest.raises(UsageError, match=r"repeats|guard"):
        Settings(**options)
