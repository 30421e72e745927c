"""Those old names that speak of GPUs, as `batt.gpu`; they are the same as in `batt.compat`."""

from batt.compat import (
    GPUBatchProcessor,
    GPUDSLOperations,
    MultiGPUOptimizer,
    auto_select_optimizer,
    batch_grid_op_multi_gpu,
    batch_grid_op_optimized,
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

__all__ = [
    "GPUBatchProcessor",
    "GPUDSLOperations",
    "MultiGPUOptimizer",
    "auto_select_optimizer",
    "batch_grid_op_multi_gpu",
    "batch_grid_op_optimized",
    "batch_grid_operations",
    "batch_mapply_gpu",
    "batch_o_g_gpu",
    "batch_process_samples_gpu",
    "batch_process_samples_multi_gpu",
    "configure_gpu_memory",
    "get_optimal_batch_size",
    "gpu_grid_transform",
    "gpu_memory_cleanup",
    "multi_mapply_gpu",
]
