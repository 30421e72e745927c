"""GPU memory under its legacy names: set a limit, free cached memory, and compute a batch size."""

from __future__ import annotations

import os

from batt.compat.choosing import no_gpu, tell
from batt.runtime import Sample, Split, cuda
from batt.runtime.batch import batch_of
from batt.runtime.cuda.device import Device, count
from batt.runtime.cuda.memory import NoRoom, allowed_bytes, fraction, room, set_default_fraction
from batt.runtime.cuda.modes import THREADS
from batt.runtime.records import RECORD_TYPE


def configure_gpu_memory(device_id: int = 0, memory_fraction: float = 0.8) -> bool:
    """Limit runs of this process to `memory_fraction` of each GPU's memory. Return whether GPU `device_id` is usable.

    The limit holds for all GPUs. The parameter `devices` of a run chooses the GPUs.
    """
    share = fraction(memory_fraction)
    why = no_gpu()
    if why is None and not 0 <= device_id < count():
        why = f"there is no GPU {device_id}"
    if why is not None:
        tell(f"GPU not available, using the CPU: {why}")
        return False
    set_default_fraction(share)
    return True


def gpu_memory_cleanup() -> None:
    """Free the memory that CuPy caches on every GPU.

    Engines keep no memory after a run: this is for arrays that the caller made.
    """
    if cuda.missing() is None:
        for info in cuda.devices():
            with Device(info.number) as device:
                device.trim()


def get_optimal_batch_size(grid_size: int | tuple[int, int], num_samples: int) -> int:
    """Return how many of `num_samples` samples with grids of `grid_size` fit into free memory; at least 1.

    `grid_size` is a side or (height, width). Without a GPU, the free memory of the machine counts.
    """
    sides = (grid_size, grid_size) if isinstance(grid_size, int) else grid_size
    sample_bytes = bytes_per_sample(*sides)
    if no_gpu() is None:
        fitting = _on_gpu(sample_bytes, num_samples)
    else:
        fitting = int(fraction() * _free_bytes()) // (sample_bytes + RECORD_TYPE.itemsize)
    return max(1, min(num_samples, fitting))


def bytes_per_sample(height: int, width: int) -> int:
    """Return the memory that an engine needs for a sample with grids of this size."""
    grid = ((0,) * width,) * height
    shifted = ((1,) * width,) * height
    batch = batch_of([Sample("", Split.TEST, 0, (), grid, shifted)])
    return len(batch.data) + batch.ends.nbytes + batch.rows.nbytes


def _on_gpu(sample_bytes: int, num_samples: int) -> int:
    """Return the evaluations that fit on the GPU with the most free memory, beside the memory of its lanes."""
    info = max(cuda.devices(), key=lambda each: each.free_bytes)
    allowed = allowed_bytes(info.free_bytes, info.total_bytes, fraction())
    try:
        lanes = room(allowed, THREADS.need, THREADS.per_processor * info.processors, num_samples).lanes_bytes
    except NoRoom:
        return 1
    return (allowed - lanes) // (sample_bytes + THREADS.need.evaluation_bytes)


def _free_bytes() -> int:
    """Return the free memory of this machine."""
    return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
