"""Near misses: states that give all demonstrations but one, as a last resort where no program gives all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from batt.solving.candidates import Layer, SearchCandidate
from batt.solving.frame import GridState, TaskFrame, as_grid

LEAST_SHOWN = 3
"""With fewer demonstrations, all but one say too little."""
MOST_NEAR = 6
"""The states that are kept, the shortest first."""


def near_misses(states: Sequence[GridState], frame: TaskFrame) -> list[SearchCandidate]:
    """Return the shortest states that give all demonstrations but one, each output once."""
    found: dict[tuple[object, ...], SearchCandidate] = {}
    if frame.train < LEAST_SHOWN:
        return []
    for state in states:
        missed = sum([not np.array_equal(a, b) for a, b in zip(state.values, frame.targets, strict=False)])
        if missed == 1:
            outputs = tuple([as_grid(value) for value in state.values[frame.train :]])
            made = SearchCandidate(Layer.NEAR, state.expression, outputs, state.steps, missed=1)
            found.setdefault(outputs, made)
    return list(found.values())[:MOST_NEAR]
