"""Arrange figures in an output of another size than the input: all ways that are known, one after the other."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from batt.solving.candidates import Layer, SearchCandidate
from batt.solving.cells.sizes import OutputSize
from batt.solving.figures.collages import collage_candidates
from batt.solving.figures.layouts import MOST_LAYOUTS, figure_layouts, layout_candidates
from batt.solving.figures.listing import list_candidates
from batt.solving.figures.measuring import FigureTable
from batt.solving.figures.picking import pick_candidates
from batt.solving.figures.tiles import tiled_candidates
from batt.solving.frame import TaskFrame
from batt.solving.work import Work


def arranged_candidates(
    tables: Sequence[FigureTable], frame: TaskFrame, work: Work, size: OutputSize | None, layers: Collection[Layer]
) -> Iterator[SearchCandidate]:
    """Yield crops, lists, layouts and collages of figures that fit the demonstrations. The `size` may be unknown."""
    if Layer.PICK in layers:
        yield from pick_candidates(tables, frame, work)
    if Layer.COLLAGE in layers:
        yield from collage_candidates(tables, frame, work)
        yield from tiled_candidates(tables, frame, work)
    if {Layer.LAYOUT, Layer.LAYOUT_TREE} & {*layers}:
        for layout in islice(figure_layouts(tables, frame, work), MOST_LAYOUTS):
            yield from layout_candidates(layout, frame, work)
    if Layer.LIST in layers:
        yield from list_candidates(tables, frame, work, size)
