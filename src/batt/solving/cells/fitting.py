"""Fit states to the size of the output: smaller grids are scaled to it, or repeated over it, also with gaps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from batt.solving.cells.sizes import OutputSize
from batt.solving.expressions import Argument, Expression, call
from batt.solving.frame import GridState, TaskFrame
from batt.solving.running import Array
from batt.solving.work import Work

Sides: TypeAlias = tuple[int, ...]

FIT_UNITS = 2_000
"""The units of work to fit a state to the outputs of the demonstrations in one way."""
KEPT_FITTED, KEPT_APART = 60, 20
"""The fitted states that are kept, without gaps and with them: half the shortest, half the nearest to the outputs."""


@dataclass(frozen=True, slots=True)
class FitWay:
    """A way to fit a grid to a size: scaled, or repeated from a place on, with gaps of cells, perhaps mirrored."""

    is_scaled: bool = False
    is_mirrored: bool = False
    gap: int = 0
    start: int = 0

    def fits(self, one: Sides, other: Sides) -> bool:
        """Tell whether a size is that of a part of another one."""
        return one != other and all(
            b >= a and not (b - self.end) % (a + self.gap) for a, b in zip(one, other, strict=True)
        )

    @property
    def end(self) -> int:
        """Return the lines that whole parts with their gaps leave."""
        return 2 * self.start - self.gap

    def fitted(self, value: Array, shape: Sides) -> Array:
        """Return a grid, or many of one size, fitted to a shape. Gaps are black."""
        rows, columns = [self._lines(new, old) for new, old in zip(shape, value.shape[-2:], strict=True)]
        made = value[..., rows[:, None], columns]
        if self.gap:
            made[..., (rows[:, None] < 0) | (columns < 0)] = 0
        return np.ascontiguousarray(made)

    def _lines(self, length: int, part: int) -> npt.NDArray[np.int64]:
        """Return for each line of a side the line of the grid that it shows, or -1."""
        if self.is_scaled:
            return np.arange(length) * part // length
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
    groups: dict[tuple[Sides, ...], list[int]] = {}
    for number, state in enumerate(states):
        groups.setdefault(tuple([value.shape for value in state.values[: frame.train]]), []).append(number)
    made: list[tuple[int, int, int, bytes]] = []
    for numbers in groups.values():
        alike = [states[number] for number in numbers]
        for at, way in enumerate(FITS):
            if way in ways_to_fit(alike[0], frame):
                cells = _fitted_cells(alike, way, frame)
                work.spend(FIT_UNITS * len(alike))
                missed = (cells != np.concatenate([target.ravel() for target in frame.targets])).sum(axis=1).tolist()
                made += zip(numbers, [at] * len(numbers), missed, map(bytes, cells), strict=True)
    found: dict[bytes, tuple[int, int, int]] = {}
    for number, at, wrong, key in sorted(made):
        found.setdefault(key, (wrong, number, at))
    chosen: list[tuple[int, int, int]] = []
    for has_gap, kept in ((False, KEPT_FITTED), (True, KEPT_APART)):
        short = [each for each in found.values() if bool(FITS[each[2]].gap) is has_gap]
        chosen += dict.fromkeys([*short[: kept // 2], *sorted(short)[: kept // 2]])
    return [fitted_state(states[number], FITS[at], size) for _, number, at in chosen]


def _fitted_cells(states: Sequence[GridState], way: FitWay, frame: TaskFrame) -> Array:
    """Return states of one size fitted to the demonstrations' outputs: a row of cells for each."""
    parts = []
    for sample, target in enumerate(frame.targets):
        stacked = np.stack([state.values[sample] for state in states])
        parts.append(way.fitted(stacked, target.shape).reshape(len(states), -1))
    return np.concatenate(parts, axis=1)


def ways_to_fit(state: GridState, frame: TaskFrame) -> list[FitWay]:
    """Return the ways in which a state fits the outputs. It may have the size of some, but not of all."""
    shapes = [(value.shape, target.shape) for value, target in zip(state.values, frame.targets, strict=False)]
    smaller = [(one, other) for one, other in shapes if one != other]
    if all(one == (1, 1) for one, _ in smaller):
        return []
    return [way for way in FITS if all(way.fits(one, other) for one, other in smaller)]


def fitted_state(state: GridState, way: FitWay, size: OutputSize) -> GridState:
    """Return a state fitted to the size of the outputs."""
    values = tuple([way.fitted(value, shape) for value, shape in zip(state.values, size.sizes, strict=True)])
    return GridState(way.written(state.expression, size.expression), values, state.steps + 1)
