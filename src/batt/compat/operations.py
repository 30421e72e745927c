"""`GPUDSLOperations`: every op as a method over many grids."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from batt import dsl
from batt.compat.choosing import engine_for, new_batch
from batt.compat.samples import O_G
from batt.errors import UsageError
from batt.lazy import Column, batch_call, batch_tuple
from batt.lazy.words import WORDS
from batt.types import Function

_TURNS = (dsl.identity, dsl.rot90, dsl.rot180, dsl.rot270)
_FLIPS = (dsl.hmirror, dsl.vmirror)


def _method(function: Function) -> Callable[..., Column]:
    def method(self: GPUDSLOperations, *args: Any) -> Column:
        return self._call(function, *args)

    method.__doc__ = f"Call `{function.name}` for each sample."
    return method


class GPUDSLOperations:
    """Every op as `batch_NAME`. A list or a Column gives a value for each sample; any other argument is for all.

    The result is a lazy Column: all columns of one instance run together when a value is first read. Three methods
    differ from the op of their name: `batch_rot90`, `batch_flip` (`batt.lazy.batch_flip` negates), `batch_transpose`.
    """

    def __init__(self, use_gpu: bool = True, engine: str | None = None) -> None:
        self.engine = engine or engine_for(use_gpu)
        self._batch = new_batch(self.engine)

    def __getattr__(self, name: str) -> Callable[..., Column]:
        word = WORDS.get(name)
        if word is None:
            raise AttributeError(f"GPUDSLOperations has no operation {name!r}")
        return partial(self._call, word.op)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *WORDS})

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

    batch_o_g = o_g = _method(O_G)
    batch_mapply = mapply = _method(dsl.mapply)
    batch_apply = apply = _method(dsl.apply)
    batch_compose = compose = _method(dsl.compose)
    batch_colorfilter = colorfilter = _method(dsl.colorfilter)
    batch_fill = fill = _method(dsl.fill)
    batch_transpose = transpose = _method(dsl.dmirror)
    batch_difference_tuple = difference_tuple = _method(dsl.difference)
    rot90, flip, color_counts = batch_rot90, batch_flip, batch_color_counts

    def _call(self, function: Function, *args: Any) -> Column:
        return batch_call(function, *[self._column(arg) for arg in args])

    def _column(self, given: Any) -> Any:
        return Column(given, batch=self._batch) if isinstance(given, list) else given
