"""The legacy names on a GPU for real: what the reference gives. Run on a machine with a GPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import batt
from batt import dsl
from batt.bench.frozen import first_132
from batt.compat import (
    GPUBatchProcessor,
    GPUDSLOperations,
    MegaBatchCoordinator,
    auto_select_optimizer,
    batch_grid_op_multi_gpu,
    batch_grid_operations,
    batch_mapply_gpu,
    batch_o_g_gpu,
    batch_process_samples_gpu,
    batch_process_samples_multi_gpu,
    configure_gpu_memory,
    get_optimal_batch_size,
    gpu_grid_transform,
    gpu_memory_cleanup,
    multi_mapply_gpu,
)
from batt.runtime import cuda
from batt.runtime.cuda import missing
from batt.runtime.cuda.memory import fraction

WHY_NOT = missing()

pytestmark = [pytest.mark.gpu, pytest.mark.skipif(WHY_NOT is not None, reason=f"no GPU: {WHY_NOT}")]

TASKS = batt.load_tasks("arc1-training").tasks[:40]
GRIDS = [pair.input for task in TASKS for pair in task.train]


def test_helpers_give_what_the_primitives_give():
    S = TASKS[0].demonstrations
    assert batch_process_samples_gpu(S, engine="cuda") == batch_process_samples_gpu(S, engine="reference")
    assert batch_o_g_gpu(GRIDS[0], [5], engine="cuda") == [dsl.objects(GRIDS[0], True, False, True)]
    objects = [dsl.objects(grid, True, False, True) for grid in GRIDS]
    wanted = [dsl.mapply(dsl.toindices, each) for each in objects]
    assert batch_mapply_gpu(dsl.toindices, objects, engine="cuda") == wanted
    assert multi_mapply_gpu([(dsl.toindices, objects[0])], engine="cuda") == wanted[:1]
    assert batch_grid_operations(GRIDS, "rot90", engine="cuda") == [dsl.rot90(grid) for grid in GRIDS]
    assert batch_process_samples_multi_gpu([S, S]) == [batch_process_samples_gpu(S, engine="reference")] * 2


def test_operations_give_what_the_primitives_give():
    ops = GPUDSLOperations()
    assert ops.engine == "cuda"
    assert ops.batch_rot90(GRIDS).values == [dsl.rot90(grid) for grid in GRIDS]
    assert ops.batch_fill(GRIDS, 3, ops.batch_asindices(GRIDS)).values == [
        dsl.canvas(3, dsl.shape(grid)) for grid in GRIDS
    ]


@pytest.mark.parametrize(
    ("function", "wanted"),
    [
        (lambda a: np.rot90(a, -1), dsl.rot90),
        (lambda a: a.T, dsl.dmirror),
        (lambda a: a[: a.shape[0] // 2], dsl.tophalf),
        (lambda a: (a != 0).sum(), lambda grid: sum(cell != 0 for row in grid for cell in row)),
    ],
)
def test_array_functions_run_on_cupys_arrays(function: Any, wanted: Any):
    kinds: set[str] = set()

    def watched(array: Any) -> Any:
        kinds.add(type(array).__module__.partition(".")[0])
        return function(array)

    expected = [wanted(grid) for grid in GRIDS]
    assert gpu_grid_transform(GRIDS, watched) == expected
    assert kinds == {"cupy"}
    assert batch_grid_op_multi_gpu(GRIDS, function) == expected


def test_a_function_of_numpy_alone_falls_back(capsys: pytest.CaptureFixture[str]):
    def picky(array: Any) -> Any:
        return np.array([[int(cell) for cell in row] for row in np.ascontiguousarray(memoryview(array))])

    assert gpu_grid_transform(GRIDS[:3], picky) == list(GRIDS[:3])
    assert "using NumPy" in capsys.readouterr().err


def test_batches_of_tasks_give_what_the_reference_gives():
    deck = first_132()[:20]
    found = GPUBatchProcessor(batch_size=50, deck=deck).process_tasks_batch(TASKS[:10])
    assert found == MegaBatchCoordinator(deck, engine="reference").process_all(TASKS[:10])


@pytest.mark.alone
def test_memory_is_configured_measured_and_given_back(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("batt.runtime.cuda.memory._default", None)
    assert configure_gpu_memory(0, 0.5)
    assert fraction() == 0.5
    assert not configure_gpu_memory(99)
    assert 1000 < get_optimal_batch_size(30, 10**9) < 10**9
    before = cuda.devices()[0].free_bytes
    gpu_grid_transform(GRIDS, np.flipud)
    gpu_memory_cleanup()
    assert cuda.devices()[0].free_bytes >= before - (64 << 20)
    assert auto_select_optimizer().engine == "cuda"
