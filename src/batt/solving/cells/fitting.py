"""Fit states to the size of the output: smaller grids are scaled to it, or repeated over it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from batt.solving.cells.cells import cell_states
from batt.solving.cells.counting import InputCount, first_marks, resized
from batt.solving.cells.sizes import OutputSize
from batt.solving.expressions import INPUT, Argument, Expression, call
from batt.solving.frame import GridState, TaskFrame
from batt.solving.parts import blank
from batt.solving.running import Array
from batt.solving.work import Work

FIT_UNITS = 5_000
"""The units of work to fit a state to the outputs of the demonstrations in one way."""
MOST_FITTED = 1_500
"""The states that are fitted, the shortest."""
KEPT_FITTED = 60
"""The fitted states that are kept: half of them the shortest, half the nearest to the outputs."""


def _tiled(value: Array, shape: tuple[int, ...]) -> Array:
    """Return a grid repeated over a shape."""
    rows, columns = [np.arange(new) % old for new, old in zip(shape, value.shape, strict=True)]
    return np.ascontiguousarray(value[rows[:, None], columns])


def _mirror_tiled(value: Array, shape: tuple[int, ...]) -> Array:
    """Return a grid repeated over a shape, every second time mirrored."""
    rows, columns = [
        np.where(np.arange(new) // old % 2, old - 1 - np.arange(new) % old, np.arange(new) % old)
        for new, old in zip(shape, value.shape, strict=True)
    ]
    return np.ascontiguousarray(value[rows[:, None], columns])


@dataclass(frozen=True, slots=True)
class FitWay:
    """A way to fit a grid to a size, and how a program does it."""

    fitted: Callable[[Array, tuple[int, ...]], Array]
    written: Callable[[Expression, Argument], Expression]


FITS = (
    FitWay(resized, lambda grid, size: call("resize", grid, size)),
    FitWay(_tiled, lambda grid, size: call("tile", grid, size, (0, 0), 0)),
    FitWay(_mirror_tiled, lambda grid, size: call("mirrortile", grid, size, (0, 0), 0)),
)


def fitted_states(states: Sequence[GridState], frame: TaskFrame, size: OutputSize, work: Work) -> list[GridState]:
    """Return states whose sides are parts of those of the outputs, scaled or repeated to their size, as states."""
    found: dict[bytes, tuple[int, GridState, FitWay]] = {}
    for state in [each for each in states if _are_parts(each, frame)][:MOST_FITTED]:
        for way in FITS:
            made = [way.fitted(value, target.shape) for value, target in zip(state.values, frame.targets, strict=False)]
            work.spend(FIT_UNITS)
            missed = sum([int((a != b).sum()) for a, b in zip(made, frame.targets, strict=True)])
            found.setdefault(b"".join([value.tobytes() for value in made]), (missed, state, way))
    short = list(found.values())
    near = sorted(short, key=lambda each: each[0])[: KEPT_FITTED // 2]
    chosen = {id(each): each for each in [*short[: KEPT_FITTED // 2], *near]}
    return [_fitted(state, way, size) for _, state, way in chosen.values()]


def is_part(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Tell whether the sides of a size that has several cells divide those of another one."""
    return one != (1, 1) and one != other and not any(side % part for part, side in zip(one, other, strict=True))


def _are_parts(state: GridState, frame: TaskFrame) -> bool:
    """Tell whether a state is a part of the output by its size, or has that size, and not always that."""
    shapes = [(value.shape, target.shape) for value, target in zip(state.values, frame.targets, strict=False)]
    return any(is_part(*pair) for pair in shapes) and all(one == other or is_part(one, other) for one, other in shapes)


def _fitted(state: GridState, way: FitWay, size: OutputSize) -> GridState:
    values = tuple([way.fitted(value, shape) for value, shape in zip(state.values, size.sizes, strict=True)])
    return GridState(way.written(state.expression, size.expression), values, state.steps + 1)


def tile_marks(frame: TaskFrame, size: OutputSize, counts: Sequence[InputCount], work: Work) -> list[GridState]:
    """Return marks of cells of outputs that are as large as some inputs: by their tile, and by their place in it."""
    if not _are_parts(frame.input, frame):
        return []
    shapes = [value.shape for value in frame.input.values]
    parts = tuple(
        [(max(1, side[0] // own[0]), max(1, side[1] // own[1])) for side, own in zip(size.sizes, shapes, strict=True)]
    )
    dims = call("divide", size.expression, call("shape", INPUT))
    tiles = GridState(call("canvas", 0, dims), tuple([np.zeros(each, np.uint8) for each in parts]), 3)
    own = GridState(blank(0, INPUT), tuple([np.zeros(each, np.uint8) for each in shapes]), 2)
    of_tiles = [*cell_states(tiles, frame, work)[1], *first_marks(counts, dims, parts, work)]
    within = cell_states(own, frame, work)[1]
    scaled, repeated = FITS[:2]
    made = [(state, _fitted(state, scaled, size)) for state in of_tiles]
    made += [(state, _fitted(state, repeated, size)) for state in within]
    return [replace(fitted, is_count=state.is_count) for state, fitted in made]
