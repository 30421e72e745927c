"""The legacy optimizers: batches on the CPU, on one GPU or on several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from batt.compat.arrays import Operation, batch_grid_operations
from batt.compat.choosing import engine_for, no_gpu
from batt.compat.samples import batch_process_many
from batt.errors import UsageError
from batt.runtime.cuda.device import count


class Optimizer:
    """Runs batches on GPU 0 if `use_gpu` is true and a GPU is available, else on the CPU."""

    def __init__(self, use_gpu: bool = True) -> None:
        self.engine = engine_for(use_gpu)
        self.devices: tuple[int, ...] = (0,) if self.engine == "cuda" else ()

    @property
    def num_gpus(self) -> int:
        """The number of GPUs that it uses."""
        return len(self.devices)

    def batch_grid_op_optimized(
        self, grids: Sequence[Any], operation: Operation, *, stacked: bool = False
    ) -> list[Any]:
        """Apply `operation` to each grid; see `batch_grid_operations`."""
        return batch_grid_operations(
            grids, operation, engine=self.engine, devices=self.devices or None, stacked=stacked
        )

    def batch_process_samples(self, Ss: Sequence[Any], operations: Any = None) -> list[tuple[Any, ...]]:
        """Call `batch_process_samples_gpu` for the demonstrations of each task."""
        return batch_process_many(Ss, operations, engine=self.engine, devices=self.devices or None)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} | {self.engine}{f' | GPUs {self.devices}' if self.devices else ''}>"


class MultiGPUOptimizer(Optimizer):
    """Runs batches on `num_gpus` GPUs, or on all; on fewer, or on the CPU, if the machine has no more."""

    def __init__(self, num_gpus: int | None = None) -> None:
        if num_gpus is not None and num_gpus < 1:
            raise UsageError(f"the number of GPUs must be at least 1, got {num_gpus}")
        super().__init__()
        if self.devices:
            self.devices = tuple(range(min(num_gpus or count(), count())))

    batch_grid_op_multi_gpu = Optimizer.batch_grid_op_optimized
    batch_process_samples_multi_gpu = Optimizer.batch_process_samples


def auto_select_optimizer() -> Optimizer:
    """Return a `MultiGPUOptimizer` if there are several GPUs, else an `Optimizer`."""
    return MultiGPUOptimizer() if no_gpu() is None and count() > 1 else Optimizer()


def batch_grid_op_multi_gpu(
    grids: Sequence[Any], operation: Operation, num_gpus: int | None = None, *, stacked: bool = False
) -> list[Any]:
    """Apply `operation` to each grid on `num_gpus` GPUs, or on all of them; on the CPU if there is none."""
    return MultiGPUOptimizer(num_gpus).batch_grid_op_multi_gpu(grids, operation, stacked=stacked)


def batch_process_samples_multi_gpu(
    Ss: Sequence[Any], operations: Any = None, num_gpus: int | None = None
) -> list[tuple[Any, ...]]:
    """Call `batch_process_samples_gpu` for the demonstrations of each task, on `num_gpus` GPUs or on all."""
    return MultiGPUOptimizer(num_gpus).batch_process_samples_multi_gpu(Ss, operations)


batch_grid_op_optimized = batch_grid_op_multi_gpu
