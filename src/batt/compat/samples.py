"""The three patterns of a batt as functions: sample extraction, several forms of objects, groups of `mapply`.

Each function is one run of an engine. A compiled deck shares this work without them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from batt.compat.choosing import new_batch, plain
from batt.front.translate import dialect
from batt.jobs import as_value
from batt.lazy import Column, batch_apply, batch_call, batch_mapply
from batt.lazy.nodes import DEMONSTRATIONS
from batt.ops import OPS
from batt.runtime.cuda.selection import Devices
from batt.types import Function
from batt.types.kinds import Grid, Objects

O_G, P_G, SECOND = [dialect().words[name].helper for name in ("o_g", "p_g", "second")]


def batch_process_samples_gpu(
    S: Sequence[Any], operations: Function | Sequence[Function] | None = None, *, engine: str = "auto"
) -> tuple[Any, ...]:
    """Return the inputs and the outputs of the demonstrations `S`, then `mapply(p_g, …)` of both.

    `operations` are functions of a grid that return a container. They replace the palettes:
    (inputs, outputs, first operation on the inputs, on the outputs, second operation on the inputs, …).
    """
    return batch_process_many([S], operations, engine=engine)[0]


def batch_process_many(
    Ss: Sequence[Sequence[Any]],
    operations: Function | Sequence[Function] | None = None,
    *,
    engine: str = "auto",
    devices: Devices = None,
) -> list[tuple[Any, ...]]:
    """Do what `batch_process_samples_gpu` does for the demonstrations of many tasks, in one run."""
    given = Column(Ss, DEMONSTRATIONS, new_batch(engine, devices))
    inputs, outputs = batch_apply(OPS["first"], given), batch_apply(SECOND, given)
    chosen = P_G if operations is None else operations
    functions = [chosen] if isinstance(chosen, Function) else chosen
    made = [batch_mapply(each, side) for each in functions for side in (inputs, outputs)]
    return [tuple([plain(column, at) for column in (inputs, outputs, *made)]) for at in range(len(given))]


def batch_o_g(grid: Grid, selectors: Iterable[int], *, engine: str = "auto") -> list[Objects]:
    """Return `o_g(grid, r)` for each r of `selectors` (0 … 7), in one run."""
    given = Column([grid], "I", new_batch(engine))
    forms = [batch_call(O_G, given, as_value(selector)) for selector in selectors]
    return [plain(form) for form in forms]


batch_o_g_gpu = batch_o_g


def batch_mapply_gpu(func: Function, containers: Sequence[Any], *, engine: str = "auto") -> list[Any]:
    """Return `mapply(func, container)` for each of `containers`, in one run."""
    made = batch_mapply(func, Column(containers, batch=new_batch(engine)))
    return [plain(made, at) for at in range(len(containers))]


def multi_mapply_gpu(pairs: Iterable[tuple[Function, Any]], *, engine: str = "auto") -> list[Any]:
    """Return `mapply(f, xs)` for each (f, xs) of `pairs`, in one run."""
    batch = new_batch(engine)
    made = [batch_mapply(function, Column([container], batch=batch)) for function, container in pairs]
    return [plain(column) for column in made]
