"""The operations of the language over many grids, by the legacy names; an engine does the work."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from batt.compat.choosing import engine_for, new_batch
from batt.compat.dialect import DIFFERENCE_TUPLE, O_G
from batt.dsl import colorcount, dmirror, hmirror, identity, rot90, rot180, rot270, vmirror
from batt.errors import UsageError
from batt.lazy import Batch, Column, batch_call, batch_tuple
from batt.lazy.words import WORDS
from batt.types import Function

_TURNS = (identity, rot90, rot180, rot270)
_FLIPS = (hmirror, vmirror)


class GPUDSLOperations:
    """Every op as `batch_NAME`, over a value for each sample (a list or a Column) or one for all (anything else).

    The result is a Column: lazy, and worked out with all others that are asked for by then. Some names are not those
    of ops: `batch_flip` mirrors grids (`batt.lazy.batch_flip` negates), `batch_transpose`, `batch_color_counts`.
    """

    def __init__(self, use_gpu: bool = True, engine: str | None = None) -> None:
        self.engine = engine or engine_for(use_gpu)
        self._batch: Batch = new_batch(self.engine)

    def __getattr__(self, name: str) -> Callable[..., Column]:
        word = WORDS.get(name)
        if word is None:
            raise AttributeError(f"GPUDSLOperations has no operation {name!r}")
        return partial(self._call, word.op)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *WORDS})

    def batch_o_g(self, grids: Any, selectors: Any) -> Column:
        """`o_g` of each grid; a selector for each, or one for all."""
        return self._call(O_G, grids, selectors)

    def batch_mapply(self, function: Any, containers: Any) -> Column:
        """`mapply` over each container."""
        return self._call(WORDS["batch_mapply"].op, function, containers)

    def batch_apply(self, function: Any, containers: Any) -> Column:
        """`apply` over each container."""
        return self._call(WORDS["batch_apply"].op, function, containers)

    def batch_compose(self, outer: Any, inner: Any) -> Column:
        """The function x ↦ outer(inner(x)) for each sample; `batt.lazy.batch_call` calls it."""
        return self._call(WORDS["batch_compose"].op, outer, inner)

    def batch_colorfilter(self, objects: Any, colors: Any) -> Column:
        """The objects of a colour, of each set of objects."""
        return self._call(WORDS["batch_colorfilter"].op, objects, colors)

    def batch_fill(self, grids: Any, colors: Any, patches: Any) -> Column:
        """Each grid with its patch in its colour."""
        return self._call(WORDS["batch_fill"].op, grids, colors, patches)

    def batch_rot90(self, grids: Any, k: int = 1) -> Column:
        """Each grid turned k quarters clockwise, as the language turns them; NumPy turns the other way."""
        return self._call(_TURNS[k % 4], grids)

    def batch_flip(self, grids: Any, axis: int = 0) -> Column:
        """Each grid mirrored upside down (axis 0) or left to right (axis 1)."""
        if axis not in (0, 1):
            raise UsageError(f"a grid has the axes 0 and 1, not {axis!r}")
        return self._call(_FLIPS[axis], grids)

    def batch_transpose(self, grids: Any) -> Column:
        """Each grid with rows and columns exchanged."""
        return self._call(dmirror, grids)

    def batch_color_counts(self, grids: Any, colors: Sequence[int] = tuple(range(10))) -> Column:
        """For each grid how many cells each of these colours has, as a tuple."""
        given = self._column(grids)
        return batch_tuple(*[batch_call(colorcount, given, color) for color in colors])

    def batch_difference_tuple(self, tuples: Any, others: Any) -> Column:
        """The items of each tuple that are not in the other one, in order."""
        return self._call(DIFFERENCE_TUPLE, tuples, others)

    o_g, mapply, apply, compose = batch_o_g, batch_mapply, batch_apply, batch_compose
    colorfilter, fill, rot90, flip, transpose = batch_colorfilter, batch_fill, batch_rot90, batch_flip, batch_transpose
    color_counts, difference_tuple = batch_color_counts, batch_difference_tuple

    def _call(self, function: Function, *args: Any) -> Column:
        return batch_call(function, *[self._column(arg) for arg in args])

    def _column(self, given: Any) -> Any:
        return Column(given, batch=self._batch) if isinstance(given, list) else given
