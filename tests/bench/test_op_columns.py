"""`batt bench columns`: ten ops on both engines, with results that are compared."""

from __future__ import annotations

import ctypes
import json
from pathlib import Path

import numpy as np
import pytest

import host_columns
from batt.bench import op_columns
from batt.bench.op_columns import OpColumnsFigures, OpFigures, measure_op_columns, op_columns_rows
from batt.cli.main import main
from batt.runtime.cuda import kernels
from fake_cupy import Card, FakeCupy
from native_library import needs_library

pytestmark = needs_library


@pytest.fixture
def library(tmp_path: Path) -> ctypes.CDLL:
    return host_columns.compiled(tmp_path)


def test_both_engines_give_the_same_results(
    library: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("BATT_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(kernels, "_made", {})
    host_columns.give(FakeCupy([Card(processors=1)]).use(monkeypatch), library)
    told = measure_op_columns(rows=60, workers=1, repeat=1)
    assert [each.op for each in told.ops] == list(op_columns.CALLS)
    assert told.equal
    assert all(each.gpu_ms and each.fetch_ms and each.ratio for each in told.ops)
    assert list(op_columns_rows(told))[-1][0] == "median"
    assert main(["bench", "columns", "--limit", "40", "--workers", "1", "--json", str(tmp_path / "made.json")]) == 0
    assert "fgpartition" in capsys.readouterr().out
    assert json.loads((tmp_path / "made.json").read_text())["columns"]["rows"] == 40


def test_without_a_gpu_only_the_cpu_is_measured():
    told = measure_op_columns(rows=40, workers=1, repeat=1)
    assert (told.has_gpu, told.equal, told.ops[0].gpu_ms) == (False, True, None)
    assert np.all([len(row) == 7 for row in op_columns_rows(told)])


def test_a_difference_shows():
    told = OpColumnsFigures(1, 1, True, 1.0, [OpFigures("size", 2.0, 1.0, 1.0, equal=False)])
    assert not told.equal
    assert next(iter(op_columns_rows(told)))[3:] == ("2.0 ×", "3", "0", "NO")
