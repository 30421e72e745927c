"""Legacy names for functions of many grids: words of a batch on an engine, and Python functions of arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from functools import partial
from itertools import chain, pairwise
from typing import Any, TypeAlias

import numpy as np

from batt import dsl
from batt.card.running import tell_once
from batt.errors import UsageError
from batt.front.translate import dialect
from batt.ir.interpreter import RAISED
from batt.jobs import Failed, as_value, choose_engine
from batt.lazy import WORDS, Batch, Column, batch_apply, batch_call, batch_mapply, batch_tuple
from batt.lazy.nodes import DEMONSTRATIONS
from batt.ops import OPS
from batt.runtime import cuda, native
from batt.runtime.cuda.device import count
from batt.runtime.cuda.selection import Devices
from batt.types import Function
from batt.types.kinds import Grid, Objects

__all__ = [
    "GPUDSLOperations",
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
    "gpu_grid_transform",
    "multi_mapply_gpu",
]

Operation: TypeAlias = Function | str | Callable[..., Any]
"""A function of the language or the name of an op; or a Python function of an array."""

_GPU_FAULTS = (RuntimeError, MemoryError, TypeError, ValueError, AttributeError, NotImplementedError, IndexError)
_O_G, _P_G, _SECOND = [dialect().words[name].helper for name in ("o_g", "p_g", "second")]
_TURNS = (dsl.identity, dsl.rot90, dsl.rot180, dsl.rot270)
_FLIPS = (dsl.hmirror, dsl.vmirror)
_RENAMED: dict[str, Function] = {"o_g": _O_G, "transpose": dsl.dmirror, "difference_tuple": dsl.difference}
"""Methods of GPUDSLOperations that have another name than the function that they call."""


def no_gpu() -> str | None:
    """Return why the cuda engine cannot run and what to do about it, or None if it can run."""
    return native.missing() or cuda.missing()


def tell(line: str) -> None:
    """Print `line` to standard error unless it was printed before."""
    tell_once(f"batt: {line}")


def engine_for(use_gpu: bool) -> str:
    """Return "cuda" if `use_gpu` is true and a GPU is available, else the engine that `auto` chooses."""
    if use_gpu:
        why = no_gpu()
        if why is None:
            return "cuda"
        tell(f"GPU not available, using the CPU: {why}")
    return choose_engine("auto").engine


def _batch(engine: str, devices: Devices = None) -> Batch:
    return Batch(engine, tell=tell, devices=devices)


def _plain(column: Column, at: int = 0) -> Any:
    """Return the value of `column` for sample `at`, or raise the error that the primitive raises."""
    value = column.at(at)
    if not isinstance(value, Failed):
        return value
    why = column.why(at) or value
    where = f" in {why.op}" if why.op else ""
    if value.kind in RAISED:
        raise RAISED[value.kind](f"{value.kind}{where}")
    raise UsageError(f"no value: {value.kind}{where}")


def batch_process_samples_gpu(
    S: Sequence[Any], operations: Function | Sequence[Function] | None = None, *, engine: str = "auto"
) -> tuple[Any, ...]:
    """Return the inputs and the outputs of the demonstrations `S`, then `mapply(p_g, …)` of both.

    `operations` are functions of a grid that return a container. They replace the palettes:
    (inputs, outputs, first operation on the inputs, on the outputs, second operation on the inputs, …).
    """
    return _process_samples([S], operations, engine)[0]


def _process_samples(
    Ss: Sequence[Sequence[Any]], operations: Any, engine: str, devices: Devices = None
) -> list[tuple[Any, ...]]:
    """Do what `batch_process_samples_gpu` does for the demonstrations of many tasks, in one run."""
    given = Column(Ss, DEMONSTRATIONS, _batch(engine, devices))
    inputs, outputs = batch_apply(OPS["first"], given), batch_apply(_SECOND, given)
    chosen = _P_G if operations is None else operations
    functions = [chosen] if isinstance(chosen, Function) else chosen
    made = [batch_mapply(each, side) for each in functions for side in (inputs, outputs)]
    return [tuple([_plain(column, at) for column in (inputs, outputs, *made)]) for at in range(len(given))]


def batch_o_g(grid: Grid, selectors: Iterable[int], *, engine: str = "auto") -> list[Objects]:
    """Return `o_g(grid, r)` for each r of `selectors` (0 … 7), in one run."""
    given = Column([grid], "I", _batch(engine))
    forms = [batch_call(_O_G, given, as_value(selector)) for selector in selectors]
    return [_plain(form) for form in forms]


batch_o_g_gpu = batch_o_g


def batch_mapply_gpu(func: Function, containers: Sequence[Any], *, engine: str = "auto") -> list[Any]:
    """Return `mapply(func, container)` for each of `containers`, in one run."""
    made = batch_mapply(func, Column(containers, batch=_batch(engine)))
    return [_plain(made, at) for at in range(len(containers))]


def multi_mapply_gpu(pairs: Iterable[tuple[Function, Any]], *, engine: str = "auto") -> list[Any]:
    """Return `mapply(f, xs)` for each (f, xs) of `pairs`, in one run."""
    batch = _batch(engine)
    made = [batch_mapply(function, Column([container], batch=batch)) for function, container in pairs]
    return [_plain(column) for column in made]


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
        return batch_call(operation, Column(grids, "I", _batch(engine, devices))).values
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
    if use_gpu and cuda.missing() is None:
        numbers = list(devices or [0])
        bounds = np.linspace(0, len(grids), len(numbers) + 1).astype(int).tolist()
        parts = [grids[start:stop] for start, stop in pairwise(bounds)]
        try:
            on_device = partial(_transformed, transform, cuda.arrays(), stacked)
            with ThreadPoolExecutor(len(numbers), thread_name_prefix="batt-arrays") as threads:
                return list(chain.from_iterable(threads.map(on_device, parts, numbers)))
        except _GPU_FAULTS as error:
            tell(f"an array function failed on the GPU, using NumPy: {type(error).__name__}: {error}")
    return _transformed(transform, np, stacked, grids)


def _transformed(
    transform: Callable[[Any], Any], library: Any, stacked: bool, grids: Sequence[Any], device: int = 0
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
            results = len(made) if hasattr(made, "__len__") else "no"
            if results != len(places):
                raise UsageError(f"a function of {len(places):,} stacked grids gave {results} results")
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


class GPUDSLOperations:
    """Every op as `batch_NAME` or `NAME`. A list or a Column has a value for each sample; other arguments are for all.

    The result is a lazy Column: all columns of one instance run together when a value is first read. Three methods
    differ from the op of their name: `batch_rot90`, `batch_flip` (`batt.lazy.batch_flip` negates), `batch_transpose`.
    """

    def __init__(self, use_gpu: bool = True, engine: str | None = None) -> None:
        self.engine = engine or engine_for(use_gpu)
        self._batch = _batch(self.engine)

    def __getattr__(self, name: str) -> Callable[..., Column]:
        bare = name.removeprefix("batch_")
        function = _RENAMED.get(bare) or OPS.get(bare)
        if function is None:
            raise AttributeError(f"GPUDSLOperations has no operation {name!r}")
        return partial(self._call, function)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *WORDS, *[f"batch_{name}" for name in _RENAMED], *OPS, *_RENAMED})

    def batch_rot90(self, grids: Any, k: int = 1) -> Column:
        """Turn each grid `k` quarters clockwise, as the op does; NumPy turns the other way."""
        return self._call(_TURNS[k % 4], grids)

    def batch_flip(self, grids: Any, axis: int = 0) -> Column:
        """Mirror each grid upside down (`axis` 0) or left to right (`axis` 1)."""
        if axis not in (0, 1):
            raise UsageError(f"a grid has the axes 0 and 1, not {axis!r}")
        return self._call(_FLIPS[axis], grids)

    def batch_color_counts(self, grids: Any, colors: Sequence[int] = tuple(range(10))) -> Column:
        """Count the cells of each of `colors` in each grid, as a tuple."""
        given = self._column(grids)
        return batch_tuple(*[batch_call(dsl.colorcount, given, color) for color in colors])

    rot90, flip, color_counts = batch_rot90, batch_flip, batch_color_counts

    def _call(self, function: Function, *args: Any) -> Column:
        return batch_call(function, *[self._column(arg) for arg in args])

    def _column(self, given: Any) -> Any:
        return Column(given, batch=self._batch) if isinstance(given, list) else given


class Optimizer:
    """Runs batches on GPU 0 if `use_gpu` is true and a GPU is available, else on the CPU."""

    def __init__(self, use_gpu: bool = True) -> None:
        self.engine = engine_for(use_gpu)
        self.devices: tuple[int, ...] = (0,) if self.engine == "cuda" else ()

    @property
    def num_gpus(self) -> int:
        """Return the number of GPUs that it uses."""
        return len(self.devices)

    def batch_grid_op_optimized(
        self, grids: Sequence[Any], operation: Operation, *, stacked: bool = False
    ) -> list[Any]:
        """Apply `operation` to each grid; see `batch_grid_operations`."""
        devices = self.devices or None
        return batch_grid_operations(grids, operation, engine=self.engine, devices=devices, stacked=stacked)

    def batch_process_samples(self, Ss: Sequence[Any], operations: Any = None) -> list[tuple[Any, ...]]:
        """Call `batch_process_samples_gpu` for the demonstrations of each task."""
        return _process_samples(Ss, operations, self.engine, self.devices or None)

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


batch_grid_op_optimized = batch_grid_op_multi_gpu


def batch_process_samples_multi_gpu(
    Ss: Sequence[Any], operations: Any = None, num_gpus: int | None = None
) -> list[tuple[Any, ...]]:
    """Call `batch_process_samples_gpu` for the demonstrations of each task, on `num_gpus` GPUs or on all."""
    return MultiGPUOptimizer(num_gpus).batch_process_samples_multi_gpu(Ss, operations)
