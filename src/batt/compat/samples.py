"""The three patterns of a batt as helpers: sample extraction, several forms of objects, groups of `mapply`.

In a compiled deck all three happen by themselves. Each helper is one run of an engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from batt.compat.choosing import new_batch, plain
from batt.compat.dialect import O_G, P_G, SECOND
from batt.dsl import first
from batt.jobs import as_value
from batt.lazy import Column, batch_apply, batch_call, batch_mapply
from batt.lazy.nodes import DEMONSTRATIONS
from batt.runtime.cuda.selection import Devices
from batt.types import Function
from batt.types.kinds import Grid, Objects


def batch_process_samples_gpu(
    S: Sequence[Any], operations: Function | Sequence[Function] | None = None, *, engine: str = "auto"
) -> tuple[Any, ...]:
    """The inputs and the outputs of the demonstrations, then `mapply(p_g, …)` of both.

    With operations, functions of a grid that give a container, `mapply` of each takes the place of the palettes:
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
    """`batch_process_samples_gpu` of the demonstrations of many tasks, in one run."""
    batch = new_batch(engine, devices)
    given = Column(Ss, DEMONSTRATIONS, batch)
    inputs, outputs = batch_apply(first, given), batch_apply(SECOND, given)
    if operations is None:
        operations = P_G
    chosen = [operations] if isinstance(operations, Function) else operations
    made = [batch_mapply(each, side) for each in chosen for side in (inputs, outputs)]
    return [tuple([plain(column, at) for column in (inputs, outputs, *made)]) for at in range(len(given))]


def batch_o_g(grid: Grid, selectors: Iterable[int], *, engine: str = "auto") -> list[Objects]:
    """`o_g(grid, r)` for each selector r of 0 … 7: the objects of a grid in several forms, in one run."""
    batch = new_batch(engine)
    given = Column([grid], "I", batch)
    forms = [batch_call(O_G, given, as_value(selector)) for selector in selectors]
    return [plain(form) for form in forms]


batch_o_g_gpu = batch_o_g


def batch_mapply_gpu(func: Function, containers: Sequence[Any], *, engine: str = "auto") -> list[Any]:
    """`mapply(func, container)` for each container, in one run."""
    made = batch_mapply(func, Column(containers, batch=new_batch(engine)))
    return [plain(made, at) for at in range(len(containers))]


def multi_mapply_gpu(pairs: Iterable[tuple[Function, Any]], *, engine: str = "auto") -> list[Any]:
    """`mapply(f, xs)` for each pair (f, xs), in one run."""
    batch = new_batch(engine)
    made = [batch_mapply(function, Column([container], batch=batch)) for function, container in pairs]
    return [plain(column) for column in made]
