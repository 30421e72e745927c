"""Choosing between CPU, one GPU and several, by the legacy names. Owns the choice; engines and arrays do the work."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from batt.compat.arrays import Operation, batch_grid_operations
from batt.compat.choosing import engine_for, no_gpu
from batt.compat.samples import batch_process_many
from batt.errors import UsageError
from batt.runtime.cuda.device import count


class Optimizer:
    """Work on one engine: the CPU, or a GPU where one is there."""

    def __init__(self, use_gpu: bool = True) -> None:
        self.engine = engine_for(use_gpu)
        self.devices: tuple[int, ...] = (0,) if self.engine == "cuda" else ()

    @property
    def num_gpus(self) -> int:
        """How many GPUs it uses."""
        return len(self.devices)

    def batch_grid_op_optimized(
        self, grids: Sequence[Any], operation: Operation, *, stacked: bool = False
    ) -> list[Any]:
        """What an operation gives for each grid: see `batch_grid_operations`."""
        return batch_grid_operations(
            grids, operation, engine=self.engine, devices=self.devices or None, stacked=stacked
        )

    def batch_process_samples(self, Ss: Sequence[Any], operations: Any = None) -> list[tuple[Any, ...]]:
        """`batch_process_samples_gpu` of each task's demonstrations."""
        return batch_process_many(Ss, operations, engine=self.engine, devices=self.devices or None)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} | {self.engine}{f' | GPUs {self.devices}' if self.devices else ''}>"


class MultiGPUOptimizer(Optimizer):
    """Work on several GPUs: an engine takes blocks for all of them, array functions are split evenly.

    Where there are fewer GPUs than asked for, it takes those that are there, and without any the CPU.
    """

    def __init__(self, num_gpus: int | None = None) -> None:
        if num_gpus is not None and num_gpus < 1:
            raise UsageError(f"the number of GPUs must be at least 1, got {num_gpus}")
        super().__init__()
        if self.devices:
            there = count()
            self.devices = tuple(range(min(num_gpus or there, there)))

    batch_grid_op_multi_gpu = Optimizer.batch_grid_op_optimized
    batch_process_samples_multi_gpu = Optimizer.batch_process_samples


def auto_select_optimizer() -> Optimizer:
    """One for all GPUs where there are several, else for the one or for the CPU."""
    if no_gpu() is None and count() > 1:
        return MultiGPUOptimizer()
    return Optimizer()


def batch_grid_op_optimized(grids: Sequence[Any], operation: Operation, *, stacked: bool = False) -> list[Any]:
    """What an operation gives for each grid, on whatever is best here."""
    return auto_select_optimizer().batch_grid_op_optimized(grids, operation, stacked=stacked)


def batch_grid_op_multi_gpu(
    grids: Sequence[Any], operation: Operation, num_gpus: int | None = None, *, stacked: bool = False
) -> list[Any]:
    """What an operation gives for each grid, on several GPUs."""
    return MultiGPUOptimizer(num_gpus).batch_grid_op_multi_gpu(grids, operation, stacked=stacked)


def batch_process_samples_multi_gpu(
    Ss: Sequence[Any], operations: Any = None, num_gpus: int | None = None
) -> list[tuple[Any, ...]]:
    """`batch_process_samples_gpu` of each task's demonstrations, on several GPUs."""
    return MultiGPUOptimizer(num_gpus).batch_process_samples_multi_gpu(Ss, operations)
