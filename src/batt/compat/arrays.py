"""Array functions over many grids, with NumPy or on a GPU with CuPy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from itertools import chain, pairwise
from typing import Any, TypeAlias

import numpy as np

from batt.compat.choosing import new_batch, tell
from batt.errors import UsageError
from batt.lazy import Column, batch_call
from batt.ops import OPS
from batt.runtime import cuda
from batt.types import Function

Operation: TypeAlias = Function | str | Callable[..., Any]
"""A function of the language or the name of an op; or a Python function of an array."""

_GPU_FAULTS = (RuntimeError, MemoryError, TypeError, ValueError, AttributeError, NotImplementedError, IndexError)


def batch_grid_operations(
    grids: Sequence[Any],
    operation: Operation,
    *,
    engine: str = "auto",
    devices: Sequence[int] | None = None,
    stacked: bool = False,
) -> list[Any]:
    """Apply `operation` to each grid.

    An engine runs a function of the language; a grid that it fails on gives a Failed. A Python function takes arrays:
    see `gpu_grid_transform`.
    """
    if isinstance(operation, str):
        if operation not in OPS:
            raise UsageError(f"no primitive {operation!r}; batt ops lists them")
        operation = OPS[operation]
    if isinstance(operation, Function):
        return batch_call(operation, Column(grids, "I", new_batch(engine, devices))).values
    return gpu_grid_transform(grids, operation, use_gpu=engine in ("auto", "cuda"), stacked=stacked, devices=devices)


def gpu_grid_transform(
    grids: Sequence[Any],
    transform: Callable[[Any], Any],
    *,
    use_gpu: bool = True,
    stacked: bool = False,
    devices: Sequence[int] | None = None,
) -> list[Any]:
    """Apply `transform`, a function of a two-dimensional array, to each grid. Arrays become tuples again.

    With `stacked`, call `transform` once per shape, with an array (n, height, width); it returns n results. With
    `use_gpu` and a GPU, the arrays are CuPy arrays. If that fails, run again with NumPy, whose error is the final one.
    """
    if not use_gpu or cuda.missing() is not None:
        return _transformed(grids, transform, np, stacked)
    numbers = list(devices or [0])
    try:
        return _on_devices(grids, transform, cuda.arrays(), numbers, stacked)
    except _GPU_FAULTS as error:
        tell(f"an array function failed on the GPU, using NumPy: {type(error).__name__}: {error}")
        return _transformed(grids, transform, np, stacked)


def _on_devices(
    grids: Sequence[Any], transform: Callable[[Any], Any], cupy: Any, numbers: Sequence[int], stacked: bool
) -> list[Any]:
    """Split the grids evenly over the devices `numbers`, run the parts in threads, and join the results in order."""
    bounds = np.linspace(0, len(grids), len(numbers) + 1).astype(int).tolist()
    parts = [grids[start:stop] for start, stop in pairwise(bounds)]

    def work(number: int, part: Sequence[Any]) -> list[Any]:
        return _transformed(part, transform, cupy, stacked, number)

    if len(numbers) == 1:
        return work(numbers[0], grids)
    with ThreadPoolExecutor(len(numbers), thread_name_prefix="batt-arrays") as threads:
        return list(chain.from_iterable(threads.map(work, numbers, parts)))


def _transformed(
    grids: Sequence[Any], transform: Callable[[Any], Any], library: Any, stacked: bool, device: int = 0
) -> list[Any]:
    """Apply `transform` with the array library `library`. Grids of one shape are copied as one array."""
    by_shape: dict[tuple[int, int], list[int]] = {}
    for at, grid in enumerate(grids):
        by_shape.setdefault(_shape(grid, at), []).append(at)
    found: list[Any] = [None] * len(grids)
    with nullcontext() if library is np else library.cuda.Device(device):
        for shape, places in by_shape.items():
            host = np.array([grids[at] for at in places], np.int64).reshape(len(places), *shape)
            stack = library.asarray(host)
            made = transform(stack) if stacked else [transform(stack[n]) for n in range(len(places))]
            if not hasattr(made, "__len__") or len(made) != len(places):
                count = len(made) if hasattr(made, "__len__") else "no"
                raise UsageError(f"a function of {len(places):,} stacked grids gave {count} results")
            for at, value in zip(places, _fetched(made, library), strict=True):
                found[at] = value
    return found


def _shape(grid: Any, at: int) -> tuple[int, int]:
    widths = {len(row) for row in grid}
    if len(widths) > 1:
        raise UsageError(f"grid {at}: rows of different lengths: {', '.join(map(str, sorted(widths)))}")
    return len(grid), widths.pop() if widths else 0


def _fetched(made: Any, library: Any) -> list[Any]:
    """Convert results to Python values. Arrays of one shape are copied from a GPU at once."""
    arrays = isinstance(made, library.ndarray) or all(isinstance(each, library.ndarray) for each in made)
    if library is not np and arrays and len(made):
        if not isinstance(made, library.ndarray) and len({(each.shape, each.dtype) for each in made}) == 1:
            made = library.stack(made)
        made = made.get() if isinstance(made, library.ndarray) else [each.get() for each in made]
    return [_tuples(each) for each in made]


def _tuples(value: Any) -> Any:
    """Convert an array to tuples of ints or floats; return any other value unchanged."""
    if isinstance(value, np.ndarray | np.generic):
        value = (value.astype(np.int64) if value.dtype == bool else value).tolist()
    return tuple([_tuples(each) for each in value]) if isinstance(value, list) else value
