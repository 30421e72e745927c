"""Choosing between CPU, one GPU and several."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from array_cupy import ArrayCupy
from batt import dsl
from batt.compat import (
    MultiGPUOptimizer,
    Optimizer,
    auto_select_optimizer,
    batch_grid_op_multi_gpu,
    batch_grid_op_optimized,
    batch_process_samples_gpu,
    batch_process_samples_multi_gpu,
)
from batt.errors import UsageError
from batt.tasks import load_tasks
from fake_cupy import Card
from native_library import needs_library

TASKS = load_tasks("arc1-training").tasks[:8]
GRIDS = [pair.input for task in TASKS for pair in task.train]


def cards(monkeypatch: pytest.MonkeyPatch, count: int) -> ArrayCupy:
    made = ArrayCupy([Card()] * count)
    made.use(monkeypatch)
    return made


def test_without_a_gpu_it_is_the_cpu_and_that_is_told(capsys: pytest.CaptureFixture[str]):
    chosen = auto_select_optimizer()
    assert (type(chosen), chosen.devices, chosen.num_gpus) == (Optimizer, (), 0)
    assert chosen.engine in ("cpu", "reference")
    assert (MultiGPUOptimizer(4).devices, MultiGPUOptimizer().engine) == ((), chosen.engine)
    assert capsys.readouterr().err.count("GPU not available, using the CPU") == 1


@needs_library
@pytest.mark.parametrize(("count", "kind"), [(1, Optimizer), (4, MultiGPUOptimizer)])
def test_with_gpus_it_is_for_all_of_them(monkeypatch: pytest.MonkeyPatch, count: int, kind: Any):
    cards(monkeypatch, count)
    chosen = auto_select_optimizer()
    assert (type(chosen), chosen.devices) == (kind, tuple(range(count)))
    assert repr(chosen) == f"<{kind.__name__} | cuda | GPUs {tuple(range(count))}>"
    assert MultiGPUOptimizer(2).devices == tuple(range(min(count, 2)))


@needs_library
def test_array_functions_are_split_over_all_cards(monkeypatch: pytest.MonkeyPatch):
    cupy = cards(monkeypatch, 3)
    wanted = [dsl.hmirror(grid) for grid in GRIDS]
    assert batch_grid_op_multi_gpu(GRIDS, np.flipud) == wanted
    assert sorted(cupy.entered) == [0, 1, 2]
    assert batch_grid_op_multi_gpu(GRIDS, lambda stack: stack[:, ::-1], 2, stacked=True) == wanted
    assert batch_grid_op_optimized(GRIDS[:2], np.flipud) == wanted[:2]


def test_ops_give_what_the_reference_gives():
    wanted = [dsl.rot90(grid) for grid in GRIDS]
    assert batch_grid_op_optimized(GRIDS, "rot90") == wanted
    assert batch_grid_op_multi_gpu(GRIDS, dsl.rot90, num_gpus=2) == wanted


def test_the_demonstrations_of_many_tasks_are_taken_apart():
    Ss = [task.demonstrations for task in TASKS]
    assert batch_process_samples_multi_gpu(Ss) == [batch_process_samples_gpu(S) for S in Ss]
    assert batch_process_samples_multi_gpu(Ss, dsl.vmirror) == [batch_process_samples_gpu(S, dsl.vmirror) for S in Ss]


def test_no_gpus_at_all_cannot_be_asked_for():
    with pytest.raises(UsageError, match="at least 1, got 0"):
        MultiGPUOptimizer(0)
