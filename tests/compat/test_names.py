"""The legacy names: all there, with the promised parameters, each described; nothing of batt needs them."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

import batt
import batt.compat
import batt.gpu

PROMISED = {
    "batch_process_samples_gpu": ("S", "operations"),
    "batch_o_g": ("grid", "selectors"),
    "batch_o_g_gpu": ("grid", "selectors"),
    "batch_mapply_gpu": ("func", "containers"),
    "multi_mapply_gpu": ("pairs",),
    "detect_batch_pattern": ("solvers",),
    "MegaBatchCoordinator": ("batt_module_name", "batch_size"),
    "BatchResult": ("task_id",),
    "GPUBatchProcessor": ("batch_size", "use_gpu"),
    "configure_gpu_memory": ("device_id", "memory_fraction"),
    "gpu_memory_cleanup": (),
    "get_optimal_batch_size": ("grid_size", "num_samples"),
    "batch_grid_operations": ("grids", "operation"),
    "gpu_grid_transform": ("grids", "transform"),
    "GPUDSLOperations": (),
    "auto_select_optimizer": (),
    "MultiGPUOptimizer": ("num_gpus",),
    "batch_grid_op_optimized": ("grids", "operation"),
    "batch_grid_op_multi_gpu": ("grids", "operation", "num_gpus"),
    "batch_process_samples_multi_gpu": ("Ss", "operations", "num_gpus"),
    "profile_batt_operations": ("batt", "tasks"),
}


@pytest.mark.parametrize("name", sorted(PROMISED))
def test_a_promised_name_is_there_with_its_parameters(name: str):
    found = getattr(batt.compat, name)
    assert name in batt.compat.__all__
    assert found.__doc__
    assert tuple(inspect.signature(found).parameters)[: len(PROMISED[name])] == PROMISED[name]


def test_the_names_are_the_same_in_the_module_of_gpus():
    assert batt.gpu.__all__ == batt.compat.__all__
    assert all(getattr(batt.gpu, name) is getattr(batt.compat, name) for name in batt.gpu.__all__)


def test_nothing_of_batt_imports_the_legacy_names():
    root = Path(batt.__file__).parent
    files = [path for path in root.rglob("*.py") if path.relative_to(root).parts[0] not in ("compat", "gpu.py")]
    users = [
        path.name
        for path in files
        if re.search(r"batt\.compat|batt\.gpu|from batt import .*\b(compat|gpu)\b", path.read_text("utf-8"))
    ]
    assert users == []


def test_the_page_tells_of_every_name():
    page = (Path(__file__).parents[2] / "docs" / "compat.md").read_text("utf-8")
    assert [name for name in batt.compat.__all__ if f"`{name}" not in page] == []
