"""Mark cells of outputs that repeat inputs: by their tile, by their place in it, and by the gaps between tiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from batt.solving.cells.cells import cell_states
from batt.solving.cells.counting import InputCount, first_marks
from batt.solving.cells.fitting import REPEATED, SCALED, fitted_state, ways_to_fit
from batt.solving.cells.sizes import OutputSize
from batt.solving.expressions import INPUT, call
from batt.solving.frame import GridState, TaskFrame
from batt.solving.parts import blank
from batt.solving.work import Work


def tile_marks(frame: TaskFrame, size: OutputSize, counts: Sequence[InputCount], work: Work) -> list[GridState]:
    """Return marks of cells by their tile and by their place in it, or those of gaps; none for other outputs."""
    if REPEATED not in ways_to_fit(frame.input, frame):
        return _gap_marks(frame, size)
    shapes = [value.shape for value in frame.input.values]
    parts = tuple(
        [(max(1, side[0] // own[0]), max(1, side[1] // own[1])) for side, own in zip(size.sizes, shapes, strict=True)]
    )
    dims = call("divide", size.expression, call("shape", INPUT))
    tiles = GridState(call("canvas", 0, dims), tuple([np.zeros(each, np.uint8) for each in parts]), 3)
    own = GridState(blank(0, INPUT), tuple([np.zeros(each, np.uint8) for each in shapes]), 2)
    of_tiles = [*cell_states(tiles, frame, work)[1], *first_marks(counts, dims, parts, work)]
    within = cell_states(own, frame, work)[1]
    made = [(state, fitted_state(state, SCALED, size)) for state in of_tiles]
    made += [(state, fitted_state(state, REPEATED, size)) for state in within]
    return [replace(fitted, is_count=state.is_count) for state, fitted in made]


def _gap_marks(frame: TaskFrame, size: OutputSize) -> list[GridState]:
    """Return marks of the lines between repeated inputs, as they are and turned."""
    marks = []
    for is_turned in (False, True):
        values = tuple([np.ones(value.shape[:: -1 if is_turned else 1], np.uint8) for value in frame.input.values])
        full = GridState(blank(1, call("dmirror", INPUT) if is_turned else INPUT), values, 2 + is_turned)
        marks += [fitted_state(full, way, size) for way in ways_to_fit(full, frame) if way.gap]
    return marks
