"""Combine states: paint them on one another, or put them side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from batt.solving.candidates import Layer, SearchCandidate
from batt.solving.cells import joined
from batt.solving.expressions import Expression
from batt.solving.frame import GridState, TaskFrame, as_grid
from batt.solving.parts import joined_grids, laid_on
from batt.solving.running import Array

MOST_PIECES = 4
STACKED, JOINED = 600, 20
"""The states that are tried as pieces of a stack, and the halves of one size that are tried as parts of a join."""


def stacked_states(states: Sequence[GridState], frame: TaskFrame) -> Iterator[SearchCandidate]:
    """Yield states painted on one another, chosen greedily by how many more cells they get right."""
    if not states:
        return
    states = states[:STACKED]
    cells = np.stack([joined(state) for state in states])
    target = np.concatenate([each.ravel() for each in frame.targets])
    shown = cells[:, : len(target)]
    is_right, is_drawn = shown == target[None], shown != 0
    done = np.zeros(len(target), bool)
    pieces: list[int] = []
    while len(pieces) < MOST_PIECES and not (done | (target == 0)).all():
        live = is_drawn & ~done[None]
        gain = np.where((live & ~is_right).any(axis=1), 0, live.sum(axis=1))
        best = int(gain.argmax())
        if not gain[best]:
            return
        pieces.append(best)
        done |= is_drawn[best]
    if len(pieces) < 2 or not (done | (target == 0)).all():
        return
    yield _stack([states[at] for at in reversed(pieces)], frame)


def _stack(pieces: Sequence[GridState], frame: TaskFrame) -> SearchCandidate:
    """Return the states painted on one another, the last on top."""
    expression: Expression = pieces[0].expression
    values = list(pieces[0].values)
    for piece in pieces[1:]:
        expression = laid_on(expression, piece.expression)
        values = [np.where(b != 0, b, a) for a, b in zip(values, piece.values, strict=True)]
    outputs = tuple([as_grid(value) for value in values[frame.train :]])
    return SearchCandidate(Layer.STACK, expression, outputs, sum([piece.steps for piece in pieces]) + len(pieces))


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
