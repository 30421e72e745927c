"""States on a fake card that runs the real kernels: those of the CPU, whatever the card defers, refuses or loses."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import batt
import host_columns
from batt.runtime.cuda import kernels
from batt.runtime.cuda import states as launching
from batt.states import OpenEngine, States, device_states
from fake_cupy import Card, FakeCupy
from native_library import needs_library
from state_runs import assert_same_states, run_alone, run_together, tasks

pytestmark = needs_library

MOST = 12


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    return host_columns.compiled(tmp_path_factory.mktemp("states"), host_columns.STATES)


@pytest.fixture
def cupy(library: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FakeCupy:
    monkeypatch.setenv("BATT_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(kernels, "_made", {})
    source = kernels.source(launching.SOURCE)
    monkeypatch.setattr(kernels, "source", lambda name: source)
    made = FakeCupy([Card(processors=1)]).use(monkeypatch)
    host_columns.give_states(made, library)
    return made


@pytest.fixture
def engine(cupy: FakeCupy) -> Iterator[OpenEngine]:
    with batt.open_engine(engine="cuda", workers=2) as opened:
        yield opened


@pytest.fixture(scope="module")
def alone() -> Iterator[dict[int, tuple[list[Any], list[States]]]]:
    with batt.open_engine(engine="cpu", workers=1) as cpu:
        yield {most_bytes: run_alone(cpu, MOST, most_bytes=most_bytes) for most_bytes in (1 << 30, 100_000)}


@pytest.mark.parametrize("most_bytes", [1 << 30, 100_000])
def test_states_are_those_of_the_cpu(engine: OpenEngine, alone: Any, most_bytes: int):
    wanted, states = alone[most_bytes]
    batch = engine.states_batch(tasks(), most_bytes=most_bytes)
    assert run_together(batch, MOST) == wanted
    assert batch.gpu_bytes > 0
    assert_same_states(list(batch), states)
    assert (batch.refused > 0) == (most_bytes == 100_000)


def test_rounds_and_stores_that_are_too_small_change_nothing(
    engine: OpenEngine, alone: Any, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(device_states, "MOST_ROWS", 999)
    monkeypatch.setattr(device_states, "MARGIN", 0)
    batch = engine.states_batch(tasks())
    launcher = engine._states_launcher
    assert launcher is not None
    launcher.row_bytes = 1.0
    wanted, states = alone[1 << 30]
    assert run_together(batch, MOST) == wanted
    assert_same_states(list(batch), states)


def test_what_a_row_has_no_arena_for_is_computed_on_the_cpu(
    engine: OpenEngine, alone: Any, monkeypatch: pytest.MonkeyPatch
):
    small = launching.ColumnForm(("-DBATT_ONE_OP",), per_sm=128, arena_bytes=512)
    monkeypatch.setattr(launching, "ONE_OP", small)
    wanted, states = alone[1 << 30]
    batch = engine.states_batch(tasks())
    assert run_together(batch, MOST) == wanted
    assert_same_states(list(batch), states)
    assert any(each.native.elsewhere()[0] for each in batch), "some values are only on the CPU"


@pytest.mark.parametrize("launch", [0, 40, 130])
def test_a_card_that_fails_is_told_and_its_states_are_computed_again(
    engine: OpenEngine, cupy: FakeCupy, alone: Any, launch: int
):
    cupy.fails_at_launch = launch
    wanted, states = alone[1 << 30]
    batch = engine.states_batch(tasks())
    assert run_together(batch, MOST) == wanted
    assert [line.partition("; ")[2] for line in engine.notes][-1] == "states are computed on the CPU"
    assert_same_states(list(batch), states)


def test_a_card_that_is_lost_later_loses_no_value(engine: OpenEngine, cupy: FakeCupy, alone: Any):
    wanted, states = alone[1 << 30]
    batch = engine.states_batch(tasks())
    assert run_together(batch, MOST) == wanted
    cupy.lose()
    assert_same_states(list(batch), states)


def test_a_card_without_memory_goes_to_the_cpu(engine: OpenEngine, cupy: FakeCupy, alone: Any):
    wanted, states = alone[1 << 30]
    batch = engine.states_batch(tasks())
    cupy.most_bytes = 1 << 18
    assert run_together(batch, MOST) == wanted
    assert_same_states(list(batch), states)
    assert engine.notes[-1].endswith("states are computed on the CPU")


def test_an_op_that_does_not_compile_goes_to_the_cpu(engine: OpenEngine, cupy: FakeCupy):
    cupy.compile_log = "no"
    batch = engine.states_batch(tasks())
    inputs = np.array([states.I for states in batch])
    applied = batch.apply("vmirror", np.arange(len(batch)), inputs)
    assert applied.is_new.all()
    assert engine.notes[-1].endswith("states are computed on the CPU")


def test_missing_kernels_are_compiled_together_and_kept(engine: OpenEngine, cupy: FakeCupy):
    batch = engine.states_batch(tasks())
    inputs = np.array([states.I for states in batch])
    for _ in range(2):
        batch.apply_each(["vmirror", "rot90", "hmirror"], [0, 1, 2], [0, 1, 2], inputs[:3])
    compiling = [line for line in engine.notes if "GPU kernels of states" in line]
    assert compiling == ["compiling 3 GPU kernels of states for compute capability 9.0; this is done once"]
    assert len([1 for _, options in cupy.compiled if any("BATT_COLUMN_OP" in each for each in options)]) == 3


def test_states_of_one_task_of_a_batch_grow_on_the_cpu_too(engine: OpenEngine):
    batch = engine.states_batch(tasks())
    of = np.arange(len(batch))
    mirrored = batch.apply("vmirror", of, np.array([states.I for states in batch])).handles
    first = batch[0].apply("hmirror", mirrored[0]).handles
    turned = batch.apply("identity", [0], first).handles
    assert turned.tolist() == first.tolist()
    assert batch[0].apply("rot180", batch[0].I).handles.tolist() == first.tolist()


def test_all_memory_is_given_back(cupy: FakeCupy):
    with batt.open_engine(engine="cuda", workers=1) as opened:
        batch = opened.states_batch(tasks())
        made = batch.apply("vmirror", np.arange(len(batch)), np.array([states.I for states in batch])).handles
        assert cupy.used(0) > 0
    assert cupy.used(0) == 0
    assert cupy.handles == set()
    assert len(batch[1].values(int(made[1]))) == len(batch[1].samples)
