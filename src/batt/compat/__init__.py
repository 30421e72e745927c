"""The legacy API: the names of batt's first design, each a thin layer over the engines. See docs/compat.md."""

from batt.compat.arrays import batch_grid_operations, gpu_grid_transform
from batt.compat.coordinator import BatchResult, GPUBatchProcessor, MegaBatchCoordinator
from batt.compat.memory import configure_gpu_memory, get_optimal_batch_size, gpu_memory_cleanup
from batt.compat.operations import GPUDSLOperations
from batt.compat.optimizers import (
    MultiGPUOptimizer,
    Optimizer,
    auto_select_optimizer,
    batch_grid_op_multi_gpu,
    batch_grid_op_optimized,
    batch_process_samples_multi_gpu,
)
from batt.compat.patterns import detect_batch_pattern, profile_batt_operations
from batt.compat.samples import (
    batch_mapply_gpu,
    batch_o_g,
    batch_o_g_gpu,
    batch_process_samples_gpu,
    multi_mapply_gpu,
)

__all__ = [
    "BatchResult",
    "GPUBatchProcessor",
    "GPUDSLOperations",
    "MegaBatchCoordinator",
    "MultiGPUOptimizer",
    "Optimizer",
    "auto_select_optimizer",
    "batch_grid_op_multi_gpu",
    "batch_grid_op_optimized",
    "batch_grid_operations",
    "batch_mapply_gpu",
    "batch_o_g",
    "batch_o_g_gpu",
    "batch_process_samples_gpu",
    "batch_process_samples_multi_gpu",
    "configure_gpu_memory",
    "detect_batch_pattern",
    "get_optimal_batch_size",
    "gpu_grid_transform",
    "gpu_memory_cleanup",
    "multi_mapply_gpu",
    "profile_batt_operations",
]
