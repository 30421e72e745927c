"""Crops of figures that have the size of the outputs, or are scaled or repeated to it, as states for other layers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from batt.solving.cells.fitting import FITS, SCALED, FitWay
from batt.solving.cells.sizes import OutputSize
from batt.solving.expressions import count_steps
from batt.solving.figures.editing import all_values
from batt.solving.figures.measuring import FigureTable
from batt.solving.figures.options import figure_tests
from batt.solving.figures.picking import (
    CROP_UNITS,
    FigurePick,
    PickProblem,
    cropped,
    one_test_picks,
    pick_expression,
)
from batt.solving.frame import GridState, TaskFrame
from batt.solving.running import Array
from batt.solving.work import Work

SIZED_CROPS = ("box", "inner", "alone")
KEPT_SIZED, MOST_SIZED = 3, 12
"""The crops that are kept as states: the first of one way to crop the figures of a segment, and how many of these, and
of the nearest to the outputs."""

Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SizedPick:
    """A pick of crops, the way to fit them to the outputs, and the cells of demonstrations that differ from these."""

    problem: PickProblem
    pick: FigurePick
    crop: str
    way: FitWay | None
    missed: int

    def state(self, size: OutputSize | None, frame: TaskFrame, work: Work) -> GridState | None:
        """Return the crops as a state."""
        expression = pick_expression(self.problem, self.pick, self.crop, "identity")
        if self.way is not None and size is not None:
            expression = self.way.written(expression, size.expression)
        values = all_values(expression, frame, work)[0]
        return None if values is None else GridState(expression, tuple(values), count_steps(expression))


def cropped_states(
    tables: Iterable[FigureTable], frame: TaskFrame, work: Work, size: OutputSize | None = None
) -> list[GridState]:
    """Return crops of figures, each picked by one test, that have the size of the outputs, as states.

    If that `size` is known, others are scaled and repeated to it.
    """
    plain: list[list[SizedPick]] = []
    fitted: list[list[SizedPick]] = []
    for table in tables:
        for problem, crop, way, missed in _sized(table, frame, size is not None, work):
            picks = _picks(problem, crop, way, missed)
            (plain if way is None else fitted).append(picks)
    found: dict[bytes, GridState] = {}
    for groups in (plain, fitted):
        short = [each for group in groups for each in group[:KEPT_SIZED]]
        near = sorted([each for group in groups for each in group], key=lambda each: each.missed)
        for sized in [*short[:MOST_SIZED], *near[:MOST_SIZED]]:
            state = sized.state(size, frame, work) if work.is_left() else None
            if state is not None:
                found.setdefault(state.key, state)
    return list(found.values())


def _sized(
    table: FigureTable, frame: TaskFrame, is_known: bool, work: Work
) -> Iterator[tuple[PickProblem, str, FitWay | None, npt.NDArray[np.int64]]]:
    """Yield the ways in which some figure of each demonstration has a crop of the size of the output.

    With each come the cells in which the crops of the figures then differ from the output.
    """
    tests = None
    for crop in SIZED_CROPS:
        crops = [cropped(table, figure, crop) for figure in range(table.starts[frame.train])]
        work.spend(CROP_UNITS * len(crops))
        for way in (None, *FITS) if is_known else (None,):
            missed = np.array(
                [
                    _missed(made, frame.targets[at], way)
                    for made, at in zip(crops, table.sample_of.tolist(), strict=False)
                ],
                np.int64,
            )
            hit = missed >= 0
            if all(hit[table.starts[at] : table.starts[at + 1]].any() for at in range(frame.train)):
                tests = tests or figure_tests(table, len(crops), work)
                yield PickProblem(table, frame, {(crop, "identity"): hit}, *tests), crop, way, missed


def _missed(made: Array | None, target: Array, way: FitWay | None) -> int:
    """Count the cells in which a crop differs from the output; -1 if it has another size or cannot be fitted."""
    if made is None:
        return -1
    if way is None:
        return int((made != target).sum()) if made.shape == target.shape else -1
    fits = made.size > 1 and (_has_multiple if way == SCALED else way.fits)(made.shape, target.shape)
    return int((way.fitted(made, target.shape) != target).sum()) if fits else -1


def _has_multiple(one: Shape, other: Shape) -> bool:
    """Tell whether the sides of one size are the same multiple of those of the other, at least twice them."""
    less, more = sorted((one, other))
    factor = more[0] // less[0]
    return (
        factor > 1 and less != (1, 1) and all(side * factor == longer for side, longer in zip(less, more, strict=True))
    )


def _picks(problem: PickProblem, crop: str, way: FitWay | None, missed: npt.NDArray[np.int64]) -> list[SizedPick]:
    """Return the picks by no test or one that have such crops, the shortest first, those of the same figures once."""
    found: dict[tuple[int, ...], SizedPick] = {}
    for pick, _ in one_test_picks(problem, problem.hits[crop, "identity"]):
        passing = np.ones(len(missed), bool)
        for at, fails in zip(pick.tests, pick.fails, strict=True):
            passing &= problem.masks[at, : len(missed)] ^ fails
        figures = tuple([part.start + int(passing[part].argmax()) for part in problem.demonstrations()])
        found.setdefault(figures, SizedPick(problem, pick, crop, way, int(missed[[*figures]].sum())))
    return list(found.values())
