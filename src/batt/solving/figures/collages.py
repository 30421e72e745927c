"""Collages: the crops of figures beside one another in the order of a measure, or laid on one another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from batt.ir import Literal
from batt.solving.candidates import Layer, SearchCandidate
from batt.solving.expressions import INPUT, Argument, Expression, call
from batt.solving.figures.editing import fitting_outputs
from batt.solving.figures.figures import NOTHING, RANKED, figure_program
from batt.solving.figures.measuring import FigureTable, Numbers
from batt.solving.figures.options import FigureChoice, Mask, figure_choices
from batt.solving.figures.picking import cropped
from batt.solving.frame import TaskFrame
from batt.solving.parts import blank_like_first, ground_of_all, in_order
from batt.solving.running import Array
from batt.solving.work import Work

COLLAGE_CROPS = ("box", "alone", "on_ground", "inner", "wide")
KEPT_COLLAGES = 4
"""The collages of the figures of one segment that are kept."""
CROP_UNITS, COLLAGE_UNITS = 4_000, 4_000
"""The units of work for a crop, and to compare a collage with the outputs."""


@dataclass(frozen=True, slots=True, eq=False)
class CroppedFigures:
    """The crops of the figures of a table in one way, None where there is none, and their heights and widths."""

    table: FigureTable
    crop: str
    grids: list[Array | None]
    heights: Numbers
    widths: Numbers


@dataclass(frozen=True, slots=True, eq=False)
class OrderedFigures:
    """Chosen figures of each sample in an order, and the expression of the tuple of them."""

    figures: Expression
    numbers: list[list[int]]
    size: int


def collage_candidates(tables: Iterable[FigureTable], frame: TaskFrame, work: Work) -> Iterator[SearchCandidate]:
    """Yield collages that fit the demonstrations."""
    for table in tables:
        choices = [each for each in figure_choices(table, frame, work) if _has_several(each, frame)]
        found, seen = 0, set[bytes]()
        for crop in COLLAGE_CROPS if choices else ():
            crops = _crops(table, crop, frame, work)
            key = b"".join([b"" if grid is None else bytes(grid.shape) + grid.tobytes() for grid in crops.grids])
            if key in seen:
                continue
            seen.add(key)
            for expression, size in _collages(crops, choices, frame, work):
                outputs = fitting_outputs(expression, frame, work)
                if outputs is not None:
                    found += 1
                    yield SearchCandidate(Layer.COLLAGE, expression, outputs, size + (crop != "box"))
                if found >= KEPT_COLLAGES or not work.is_left():
                    break


def _has_several(choice: FigureChoice, frame: TaskFrame) -> bool:
    """Tell whether each sample has some of the figures, and a demonstration several."""
    return bool(choice.counts.all()) and bool((choice.counts[: frame.train] > 1).any())


def _crops(table: FigureTable, crop: str, frame: TaskFrame, work: Work) -> CroppedFigures:
    """Return the crops of the figures of demonstrations."""
    shown = table.starts[frame.train]
    grids = [cropped(table, figure, crop) for figure in range(shown)]
    work.spend(shown * CROP_UNITS)
    heights = np.array([0 if grid is None else grid.shape[0] for grid in grids], np.int64)
    widths = np.array([0 if grid is None else grid.shape[1] for grid in grids], np.int64)
    return CroppedFigures(table, crop, grids, heights, widths)


def _collages(
    crops: CroppedFigures, choices: Sequence[FigureChoice], frame: TaskFrame, work: Work
) -> Iterator[tuple[Expression, int]]:
    """Yield collages that are equal to the outputs, with their description lengths."""
    table = crops.table
    masks = np.array([choice.mask[: len(crops.grids)] for choice in choices])
    starts = table.starts[: frame.train]
    gaps = np.add.reduceat(masks, starts, axis=1, dtype=np.int64) - 1
    heights, widths = [np.array([target.shape[axis] for target in frame.targets]) for axis in (0, 1)]
    is_wide: list[Mask] = []
    for is_across, lengths, totals, breadths, wanted in (
        (True, crops.widths, widths, crops.heights, heights),
        (False, crops.heights, heights, crops.widths, widths),
    ):
        is_other = breadths != wanted[table.sample_of[: len(breadths)]]
        is_wide.append(~(masks & is_other[None]).any(axis=1))
        sums = np.add.reduceat(masks * lengths, starts, axis=1, dtype=np.int64)
        for gap in (0, 1):
            fits = is_wide[-1] & (sums + gap * gaps == totals).all(axis=1)
            for at in np.flatnonzero(fits).tolist():
                yield from _strips(crops, choices[at], is_across, gap, frame, work)
    for at in np.flatnonzero(is_wide[0] & is_wide[1]).tolist():
        yield from _overlays(crops, choices[at], frame, work)


def _strips(
    crops: CroppedFigures, choice: FigureChoice, is_across: bool, gap: int, frame: TaskFrame, work: Work
) -> Iterator[tuple[Expression, int]]:
    """Yield the crops side by side, or below one another, in orders in which they are the output."""
    targets = [target if is_across else target.T for target in frame.targets]
    for ordered in _orders(crops.table, choice, frame):
        work.spend(COLLAGE_UNITS)
        for colour, colours in _gap_colours(frame) if gap else [(Literal(0), [0] * frame.train)]:
            made = [
                _strip(crops, numbers, is_across, gap, own)
                for numbers, own in zip(ordered.numbers, colours, strict=True)
            ]
            if all(map(np.array_equal, made, targets)):
                name = ("crops_across" if is_across else "crops_down") + ("_apart" if gap else "")
                program = figure_program(name)
                yield Expression(program, (_cropped_all(crops, ordered), INPUT, colour)), ordered.size + 2 + gap


def _strip(crops: CroppedFigures, numbers: Sequence[int], is_across: bool, gap: int, colour: int) -> Array:
    """Return crops side by side, turned if they are to be below one another, with gaps of a colour."""
    parts: list[Array] = []
    for number in numbers:
        grid = crops.grids[number]
        assert grid is not None, "it has a size"
        own = grid if is_across else grid.T
        parts += [np.full((len(own), gap), colour, np.uint8), own]
    return np.concatenate(parts[1:], axis=1)


def _gap_colours(frame: TaskFrame) -> list[tuple[Argument, list[int]]]:
    """Return the colours of gaps: those of the outputs, and the most frequent one of the input."""
    grounds = [int(np.bincount(value.ravel()).argmax()) for value in frame.input.values[: frame.train]]
    named: list[tuple[Argument, list[int]]] = [(call("mostcolor", INPUT), grounds)]
    return [*[(Literal(each), [each] * frame.train) for each in frame.target_colours], *named]


def _overlays(
    crops: CroppedFigures, choice: FigureChoice, frame: TaskFrame, work: Work
) -> Iterator[tuple[Expression, int]]:
    """Yield the crops on one another, without a colour, in orders in which they are the output."""
    for ordered in _orders(crops.table, choice, frame):
        work.spend(COLLAGE_UNITS)
        for colour, colours in [*_gap_colours(frame), _own_ground(crops, ordered)]:
            made = [_overlay(crops, numbers, own) for numbers, own in zip(ordered.numbers, colours, strict=True)]
            if all(map(np.array_equal, made, frame.targets)):
                given = _cropped_all(crops, ordered)
                colour = ground_of_all(given) if colour is NOTHING else colour
                blank = blank_like_first(colour, given)
                yield Expression(figure_program("crops_overlaid"), (given, blank, colour)), ordered.size + 3


def _own_ground(crops: CroppedFigures, ordered: OrderedFigures) -> tuple[Argument, list[int]]:
    """Return the most frequent colour of all crops, on each demonstration."""
    joined = [np.concatenate([crops.grids[each] for each in numbers], axis=None) for numbers in ordered.numbers]
    return NOTHING, [int(np.bincount(cells).argmax()) for cells in joined]


def _overlay(crops: CroppedFigures, numbers: Sequence[int], see_through: int) -> Array:
    grids = [grid for grid in (crops.grids[number] for number in numbers) if grid is not None]
    made = np.full(grids[0].shape, see_through, np.uint8)
    for grid in grids:
        made = np.where(grid != see_through, grid, made)
    return made


def _orders(table: FigureTable, choice: FigureChoice, frame: TaskFrame) -> Iterator[OrderedFigures]:
    """Yield the chosen figures of demonstrations in the order of each measure, each order once."""
    seen: set[tuple[tuple[int, ...], ...]] = set()
    chosen = [
        start + np.flatnonzero(choice.mask[start:stop])
        for start, stop in zip(table.starts[: frame.train], table.starts[1:], strict=False)
    ]
    for measure, values in table.measures.items():
        for is_down in (False, True) if measure.name in RANKED else ():
            keys = -values if is_down else values
            numbers = [each[np.argsort(keys[each], kind="stable")].tolist() for each in chosen]
            key = tuple(map(tuple, numbers))
            if key not in seen:
                seen.add(key)
                given = measure.of(table.figures, table.base.expression)
                yield OrderedFigures(in_order(choice.figures, given, is_down), numbers, choice.size + is_down)


def _cropped_all(crops: CroppedFigures, ordered: OrderedFigures) -> Expression:
    """Return the tuple of the crops of figures."""
    table = crops.table
    program = figure_program(f"all_{crops.crop}")
    return Expression(program, (ordered.figures, table.base.expression, NOTHING))
