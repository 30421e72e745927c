"""Fit states to the size of the output: smaller grids are scaled to it, or repeated over it, also with gaps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from batt.solving.cells.counting import resized
from batt.solving.cells.sizes import OutputSize
from batt.solving.expressions import Argument, Expression, call
from batt.solving.frame import GridState, TaskFrame
from batt.solving.running import Array
from batt.solving.work import Work

Sides: TypeAlias = tuple[int, ...]

FIT_UNITS = 5_000
"""The units of work to fit a state to the outputs of the demonstrations in one way."""
MOST_FITTED = 1_500
"""The states that are fitted, the shortest."""
KEPT_FITTED = 60
"""The fitted states that are kept: half of them the shortest, half the nearest to the outputs."""


@dataclass(frozen=True, slots=True)
class FitWay:
    """A way to fit a grid to a size: scaled, or repeated from a place on, with gaps of cells, perhaps mirrored."""

    is_scaled: bool = False
    is_mirrored: bool = False
    gap: int = 0
    start: int = 0

    def fits(self, one: Sides, other: Sides) -> bool:
        """Tell whether a size that has several cells is that of a part of another one."""
        sides = zip(one, other, strict=True)
        return one != (1, 1) and one != other and not any((b - self.end) % (a + self.gap) for a, b in sides)

    @property
    def end(self) -> int:
        """Return the lines that whole parts with their gaps leave."""
        return 2 * self.start - self.gap

    def fitted(self, value: Array, shape: Sides) -> Array:
        """Return a grid fitted to a shape. Gaps are black."""
        if self.is_scaled:
            return resized(value, shape)
        rows, columns = [self._lines(new, old) for new, old in zip(shape, value.shape, strict=True)]
        made: Array = np.where((rows[:, None] < 0) | (columns < 0), 0, value[rows[:, None], columns]).astype(np.uint8)
        return made

    def _lines(self, length: int, part: int) -> npt.NDArray[np.int64]:
        """Return for each line of a side the line of the grid that it shows, or -1."""
        copy, line = np.divmod(np.arange(length) - self.start, part + self.gap)
        shown = np.where(self.is_mirrored & (copy % 2 == 1), part - 1 - line, line)
        return np.where(line < part, shown, -1)

    def written(self, grid: Expression, size: Argument) -> Expression:
        """Return how a program does it."""
        if self.is_scaled:
            return call("resize", grid, size)
        return call("mirrortile" if self.is_mirrored else "tile", grid, size, (self.start, self.start), self.gap)


SCALED, REPEATED = FitWay(is_scaled=True), FitWay()
APART, FRAMED = FitWay(gap=1), FitWay(gap=1, start=1)
"""Scaled, repeated, with lines between, and with a frame around as well."""
FITS = (SCALED, REPEATED, FitWay(is_mirrored=True), APART, FRAMED)


def fitted_states(states: Sequence[GridState], frame: TaskFrame, size: OutputSize, work: Work) -> list[GridState]:
    """Return states whose sides are parts of those of the outputs, scaled or repeated to their size, as states."""
    found: dict[bytes, tuple[int, GridState, FitWay]] = {}
    fitting = [(state, ways) for state in states if (ways := ways_to_fit(state, frame))]
    for state, way in [(state, way) for state, ways in fitting[:MOST_FITTED] for way in ways]:
        made = [way.fitted(value, target.shape) for value, target in zip(state.values, frame.targets, strict=False)]
        work.spend(FIT_UNITS)
        missed = sum([int((a != b).sum()) for a, b in zip(made, frame.targets, strict=True)])
        found.setdefault(b"".join([value.tobytes() for value in made]), (missed, state, way))
    short = list(found.values())
    near = sorted(short, key=lambda each: each[0])[: KEPT_FITTED // 2]
    chosen = {id(each): each for each in [*short[: KEPT_FITTED // 2], *near]}
    return [fitted_state(state, way, size) for _, state, way in chosen.values()]


def ways_to_fit(state: GridState, frame: TaskFrame) -> list[FitWay]:
    """Return the ways in which a state fits the outputs. It may have the size of some, but not of all."""
    shapes = [(value.shape, target.shape) for value, target in zip(state.values, frame.targets, strict=False)]
    smaller = [(one, other) for one, other in shapes if one != other]
    return [way for way in FITS if smaller and all(way.fits(one, other) for one, other in smaller)]


def fitted_state(state: GridState, way: FitWay, size: OutputSize) -> GridState:
    """Return a state fitted to the size of the outputs."""
    values = tuple([way.fitted(value, shape) for value, shape in zip(state.values, size.sizes, strict=True)])
    return GridState(way.written(state.expression, size.expression), values, state.steps + 1)
