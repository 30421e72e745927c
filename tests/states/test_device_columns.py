"""Columns on a fake card that runs the real kernels: the results of the CPU, whatever the card defers or loses."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import batt
import host_columns
from batt.bytecode.abi import Ended
from batt.dsl import F, T, color, size
from batt.jobs import Failed
from batt.ops import EVERY_OP
from batt.runtime import Limits
from batt.runtime.cuda import columns as launching
from batt.runtime.cuda import kernels
from batt.states import DeviceColumn, OpColumn, OpenEngine, PackedGrids, device_columns
from batt.types import OrderedSet
from fake_cupy import Card, FakeCupy
from native_library import needs_library
from vectors import read, recorded

pytestmark = needs_library

LIMITS = Limits(steps=20_000)
GRID = ((0, 1, 1), (2, 0, 2))
VALUES: list[Any] = [
    *(0, 1, 3, -2, None, (), (1, 2), (3, 0), GRID, ((1, 1), (1, 1)), size, color),
    *(OrderedSet([(0, 1), (1, 1)]), OrderedSet([(3, (0, 0)), (3, (0, 1))]), OrderedSet([OrderedSet([(1, (2, 2))])])),
]


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    return host_columns.compiled(tmp_path_factory.mktemp("columns"))


@pytest.fixture
def cupy(library: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FakeCupy:
    monkeypatch.setenv("BATT_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(kernels, "_made", {})
    source = kernels.source(launching.SOURCE)
    monkeypatch.setattr(kernels, "source", lambda name: source)
    made = FakeCupy([Card(processors=1)]).use(monkeypatch)
    host_columns.give(made, library)
    return made


@pytest.fixture
def engine(cupy: FakeCupy) -> Iterator[OpenEngine]:
    with batt.open_engine(engine="cuda", workers=1, limits=LIMITS) as opened:
        yield opened


@pytest.fixture
def cpu() -> Iterator[OpenEngine]:
    with batt.open_engine(engine="cpu", workers=1, limits=LIMITS) as opened:
        yield opened


def assert_same(made: OpColumn | DeviceColumn, wanted: OpColumn | DeviceColumn, name: str) -> None:
    for field in ("status", "error", "hash", "steps", "shape", "equal"):
        assert made.results[field].tolist() == wanted.results[field].tolist(), (name, field)
    assert made.values == wanted.values, name


def test_every_op_has_the_results_of_the_cpu_for_recorded_calls(engine: OpenEngine, cpu: OpenEngine):
    for name, vectors in recorded().items():
        calls = [[read(each) for each in vector["args"]] for vector in Random(1).sample(vectors, min(12, len(vectors)))]
        arguments = list(map(list, zip(*calls, strict=True)))
        made = engine.columns(name, *arguments)
        assert isinstance(made, DeviceColumn)
        assert_same(made, cpu.columns(name, *arguments), name)


def test_every_op_has_the_results_of_the_cpu_for_any_values(engine: OpenEngine, cpu: OpenEngine):
    random = Random(3)
    for op in EVERY_OP.values():
        rows = [[random.choice(VALUES) for _ in range(op.arity)] for _ in range(15)]
        arguments = list(map(list, zip(*rows, strict=True)))
        assert_same(engine.columns(op, *arguments), cpu.columns(op, *arguments), op.name)


def chain(opened: OpenEngine, count: int = 40) -> list[OpColumn | DeviceColumn]:
    grids = [((n % 3, 1), (n % 5, n % 2)) for n in range(count)]
    objects = opened.columns("objects", grids, T, F, T)
    largest = opened.columns("argmax", objects, size)
    return [objects, largest, opened.columns("ulcorner", largest), opened.columns("normalize", largest)]


def test_a_column_is_an_argument_of_the_next_without_a_transfer(engine: OpenEngine, cpu: OpenEngine, cupy: FakeCupy):
    first = engine.columns("identity", [GRID] * 50)
    copied = cupy.calls.count("memcpyAsync")
    second = engine.columns("vmirror", first)
    assert cupy.calls.count("memcpyAsync") == copied + 2, "only what launches count"
    assert second.values == [tuple([row[::-1] for row in GRID])] * 50
    for made, wanted in zip(chain(engine), chain(cpu), strict=True):
        assert_same(made, wanted, repr(wanted))
    assert engine.notes[0].startswith("compiling the GPU kernel of identity for compute capability")


def test_what_the_card_has_no_arena_for_is_computed_on_the_cpu(
    engine: OpenEngine, cpu: OpenEngine, monkeypatch: pytest.MonkeyPatch
):
    small = launching.ColumnForm(("-DBATT_ONE_OP",), per_sm=128, arena_bytes=512)
    monkeypatch.setattr(device_columns, "form_of", lambda op: small)
    grids = [((n % 9,) * n,) * n for n in range(1, 40)]
    made, wanted = (each.columns("asobject", each.columns("vmirror", grids)) for each in (engine, cpu))
    assert isinstance(made, DeviceColumn)
    assert len(made.deferred) > 10
    assert_same(made, wanted, "asobject")


def test_values_that_only_python_holds_and_failures_pass_through(engine: OpenEngine):
    made = engine.columns("multiply", [2, 2**62, ()], [3, 4, 1])
    assert made.values == [6, 2**64, Failed("IndexError")]
    again = engine.columns("increment", made)
    assert again.values == [7, 2**64 + 1, Failed("IndexError")]
    assert again.results["steps"].tolist()[2] == 0
    left = engine.columns("multiply", [2, 2**62], 4, defer=False)
    assert left.results["status"].tolist() == [Ended.OK, Ended.UNSUPPORTED]


def test_values_that_need_more_memory_than_expected_run_again(engine: OpenEngine, cpu: OpenEngine):
    grids = [((n % 9,) * 30,) * 30 for n in range(1, 200)]
    assert_same(engine.columns("asobject", grids), cpu.columns("asobject", grids), "asobject")


def test_out_of_memory_halves_launches_then_goes_to_the_cpu(
    engine: OpenEngine, cpu: OpenEngine, cupy: FakeCupy, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(device_columns, "LEAST_ROWS", 16)
    grids = [((n % 9,) * 30,) * 30 for n in range(1, 400)]
    given = engine.columns("identity", grids)
    wanted = cpu.columns("asobject", grids)
    cupy.most_bytes = 1 << 20
    made = engine.columns("asobject", given)
    assert isinstance(made, DeviceColumn)
    assert len(made.stores) > 1
    assert_same(made, wanted, "asobject")
    cupy.most_bytes = 1 << 10
    assert_same(engine.columns("asobject", given), wanted, "asobject")
    endings = [line.partition("; ")[2] for line in engine.notes]
    assert endings[-2:] == ["a column of asobject is computed on the CPU", "a column is computed again on the CPU"]
    cupy.most_bytes = 1 << 30
    assert isinstance(engine.columns("asobject", given), DeviceColumn)


def test_a_card_that_fails_is_told_once_and_its_columns_are_computed_again(
    engine: OpenEngine, cpu: OpenEngine, cupy: FakeCupy
):
    made = chain(engine)
    told = len(engine.notes)
    cupy.lose()
    for each, wanted in zip([*made, *chain(engine)], [*chain(cpu), *chain(cpu)], strict=True):
        assert_same(each, wanted, repr(wanted))
    assert [line.partition("; ")[2] for line in engine.notes[told:]] == ["continuing on the CPU"]


def test_an_op_that_does_not_compile_runs_on_the_cpu(engine: OpenEngine, cupy: FakeCupy):
    cupy.compile_log = "no"
    assert engine.columns("increment", [1, 2]).values == [2, 3]
    assert engine.notes[-1].endswith("increment runs on the CPU")


def test_all_memory_is_given_back(cupy: FakeCupy):
    with batt.open_engine(engine="cuda", workers=1, limits=LIMITS) as opened:
        made = chain(opened)[-1]
        assert cupy.used(0) > 0
    assert cupy.used(0) == 0
    assert cupy.handles == set()
    assert made.values


def test_packed_grids_and_arrays_go_in_and_out(engine: OpenEngine):
    cells = np.arange(6, dtype=np.uint8)
    given = PackedGrids(cells, np.array([0, 2], np.uint64), np.array([[1, 2], [2, 2]], np.uint16))
    made = engine.columns("replace", given, np.array([1, 4]), 9)
    assert [made.grids[k].tolist() for k in range(2)] == [[[0, 9]], [[2, 3], [9, 5]]]
    assert repr(made) == "<DeviceColumn | 2 rows | 0 failed>"
