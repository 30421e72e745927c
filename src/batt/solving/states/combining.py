"""Combine states: put two side by side, or one above the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from batt.solving.candidates import Layer, SearchCandidate
from batt.solving.frame import GridState, TaskFrame, as_grid
from batt.solving.parts import joined_grids
from batt.solving.running import Array

JOINED = 20
"""The halves of one size that are tried as parts of a join."""


def joined_states(states: Sequence[GridState], frame: TaskFrame) -> Iterator[SearchCandidate]:
    """Yield two states side by side, or one above the other."""
    for is_beside in (True, False):
        targets = [_turned(each, is_beside) for each in frame.targets]
        widths = np.array([each.shape[1] for each in targets])
        starts: dict[bytes, list[GridState]] = {}
        ends: dict[bytes, list[GridState]] = {}
        for state in states:
            values = [_turned(each, is_beside) for each in state.values[: frame.train]]
            pairs = list(zip(values, targets, strict=True))
            if any(a.shape[0] != b.shape[0] or a.shape[1] >= b.shape[1] for a, b in pairs):
                continue
            own = np.array([each.shape[1] for each in values])
            if all((b[:, : a.shape[1]] == a).all() for a, b in pairs):
                starts.setdefault(own.tobytes(), []).append(state)
            if all((b[:, -a.shape[1] :] == a).all() for a, b in pairs):
                ends.setdefault((widths - own).tobytes(), []).append(state)
        for key, ones in starts.items():
            for one in ones[:JOINED]:
                for other in ends.get(key, [])[:JOINED]:
                    made = _join(one, other, frame, is_beside)
                    if made is not None:
                        yield made


def _turned(value: Array, is_beside: bool) -> Array:
    return value if is_beside else value.T


def _join(one: GridState, other: GridState, frame: TaskFrame, is_beside: bool) -> SearchCandidate | None:
    outputs = []
    for a, b in zip(one.values[frame.train :], other.values[frame.train :], strict=True):
        a, b = _turned(a, is_beside), _turned(b, is_beside)
        if a.shape[0] != b.shape[0]:
            return None
        outputs.append(as_grid(_turned(np.concatenate([a, b], axis=1), is_beside)))
    expression = joined_grids(one.expression, other.expression, is_beside)
    return SearchCandidate(Layer.JOIN, expression, tuple(outputs), one.steps + other.steps + 1)
