"""Sources and marks of the cells of outputs of another size than the inputs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from batt.solving.cells.cells import cell_states, colour_roles, role_states
from batt.solving.cells.counting import InputCount, count_marks, first_marks, resized_states, side_counts
from batt.solving.cells.sizes import OutputSize
from batt.solving.expressions import call
from batt.solving.frame import GridState, TaskFrame
from batt.solving.work import Work


def output_cells(
    frame: TaskFrame, work: Work, size: OutputSize, counts: Sequence[InputCount], panels: Sequence[GridState]
) -> tuple[list[GridState], list[GridState]]:
    """Return a blank grid and colours by role as sources, and as marks the place of a cell and numbers of the input."""
    blank = GridState(call("canvas", 0, size.expression), tuple([np.zeros(each, np.uint8) for each in size.sizes]), 2)
    marks = cell_states(blank, frame, work)[1]
    marks += count_marks([*counts, *side_counts(frame)], size.expression, size.sizes, work)
    marks += first_marks(counts, size.expression, size.sizes, work)
    marks += resized_states(panels, size.expression, size.sizes, work)
    return [blank, *role_states(blank, colour_roles(frame, work))], marks
