"""Tables: an output cell is read from a table by the values of one, two or three states at the same place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from batt.solving.candidates import Layer, SearchCandidate
from batt.solving.expressions import Expression
from batt.solving.frame import GridState, TaskFrame, as_grid
from batt.solving.parts import common_places, filled, places_of
from batt.solving.running import LARGEST_CELL
from batt.solving.work import Work
from batt.types.kinds import Grid

Keys = npt.NDArray[np.int64]

ONE_STATE, TWO_STATES, TWO_MARKS = 400, 120, 90
"""The states that are tried alone, in pairs, and the marks that are tried in pairs."""
MOST_TABLES = 40
"""The tables of one kind that are kept."""
UNCHANGED = 200
"""The label of a cell that keeps its own colour."""
CELL_UNITS = 8.0
"""The units of work for a cell that is looked up."""


@dataclass(frozen=True, slots=True, eq=False)
class TableProblem:
    """The cells of a task: the base that is painted on, its cells, and the label of each cell of demonstrations."""

    frame: TaskFrame
    base: GridState
    own: npt.NDArray[np.uint8]
    labels: npt.NDArray[np.int64]
    starts: Sequence[int]
    work: Work

    @property
    def shown(self) -> int:
        """Return the number of cells of demonstrations."""
        return self.starts[self.frame.train]


def table_problem(base: GridState, frame: TaskFrame, work: Work, keeps: bool) -> TableProblem:
    """Return the problem of painting on `base`. With `keeps`, cells that do not change have the label UNCHANGED."""
    own = base.cells
    labels = np.concatenate([target.ravel() for target in frame.targets]).astype(np.int64)
    if keeps:
        labels[labels == own[: len(labels)]] = UNCHANGED
    starts = np.concatenate([[0], np.cumsum([value.size for value in base.values])]).tolist()
    return TableProblem(frame, base, own, labels, starts, work)


def state_tables(states: Sequence[GridState], frame: TaskFrame, work: Work) -> Iterator[SearchCandidate]:
    """Yield tables over the colours of one state, and of two."""
    cells = [state.cells.astype(np.int64) for state in states[:ONE_STATE]]
    count = 0
    for state, values in zip(states, cells, strict=False):
        problem = table_problem(state, frame, work, keeps=False)
        made = _candidate(problem, [(state, values)], Layer.TABLE)
        if made is not None:
            yield made
            count += 1
        if count >= MOST_TABLES:
            break
    yield from _pairs(states[:TWO_STATES], cells, frame, work)


def _pairs(
    states: Sequence[GridState], cells: Sequence[Keys], frame: TaskFrame, work: Work
) -> Iterator[SearchCandidate]:
    count = 0
    for at, one in enumerate(states):
        if count >= MOST_TABLES or not work.is_left():
            return
        problem = table_problem(one, frame, work, keeps=False)
        others = np.stack([cells[place][: problem.shown] for place in range(at + 1, len(states))] or [cells[at][:0]])
        if not others.size:
            return
        work.spend(others.size * CELL_UNITS)
        keys = cells[at][None, : problem.shown] * LARGEST_CELL + others
        for place in np.flatnonzero(_consistent_rows(keys, problem.labels)).tolist():
            columns = [(one, cells[at]), (states[at + 1 + place], cells[at + 1 + place])]
            made = _candidate(problem, columns, Layer.PAIR)
            if made is not None:
                yield made
                count += 1


def _consistent_rows(keys: Keys, labels: Keys) -> npt.NDArray[np.bool_]:
    """Tell for which rows of keys each key has one label."""
    least = np.full((len(keys), LARGEST_CELL**2), 10**6, np.int32)
    most = np.full((len(keys), LARGEST_CELL**2), -1, np.int32)
    rows = np.arange(len(keys))[:, None]
    # Most rows fail within the first cells.
    for part in (slice(0, 80), slice(80, None)):
        np.minimum.at(least, (rows, keys[rows[:, 0], part]), labels[None, part])
        np.maximum.at(most, (rows, keys[rows[:, 0], part]), labels[None, part])
        good = ((least == most) | (most < 0)).all(axis=1)
        rows = np.flatnonzero(good)[:, None]
        if not len(rows):
            break
    made: npt.NDArray[np.bool_] = good
    return made


def mark_tables(base: GridState, marks: Sequence[GridState], frame: TaskFrame, work: Work) -> Iterator[SearchCandidate]:
    """Yield tables over one or two marks of objects: with the own colour to a colour, or without it to a change."""
    cells = [mark.cells.astype(np.int64) for mark in marks]
    for keeps in (True, False):
        problem = table_problem(base, frame, work, keeps)
        own = (base, problem.own.astype(np.int64))
        # Cells that agree in all marks are one.
        stacked = np.stack([own[1], *cells])[:, : problem.shown]
        _, kept = np.unique(np.concatenate([stacked, problem.labels[None]]), axis=1, return_index=True)
        few, labels = stacked[:, kept], problem.labels[kept]
        count = 0
        for size in (1, 2):
            for chosen in combinations(range(min(len(marks), TWO_MARKS)), size):
                if count >= MOST_TABLES or not work.is_left():
                    break
                rows = [few[1 + at] for at in chosen] + ([] if keeps else [few[0]])
                work.spend(len(kept) * CELL_UNITS + 200)
                if _is_consistent(_keys(rows), labels):
                    columns = [(marks[at], cells[at]) for at in chosen] + ([] if keeps else [own])
                    made = _candidate(problem, columns, Layer.RECOLOUR)
                    if made is not None:
                        yield made
                        count += 1
            if count:
                break


def _keys(columns: Sequence[Keys]) -> Keys:
    made = columns[0]
    for column in columns[1:]:
        made = made * LARGEST_CELL + column
    return made


def _is_consistent(keys: Keys, labels: Keys) -> bool:
    order = np.argsort(keys, kind="stable")
    keys, labels = keys[order], labels[order]
    return not ((keys[1:] == keys[:-1]) & (labels[1:] != labels[:-1])).any()


def _table(keys: Keys, labels: Keys) -> dict[int, int] | None:
    """Return the label of each key; None if a key has two."""
    found, first = np.unique(keys, return_index=True)
    table = dict(zip(found.tolist(), labels[first].tolist(), strict=True))
    at = np.searchsorted(found, keys)
    return table if (labels[first][at] == labels).all() else None


def _candidate(
    problem: TableProblem, columns: Sequence[tuple[GridState, Keys]], layer: Layer
) -> SearchCandidate | None:
    """Return the candidate of a table over these columns; None if it does not fit or does nothing."""
    keys = _keys([values for _, values in columns])
    table = _table(keys[: problem.shown], problem.labels)
    if table is None or all(label == UNCHANGED for label in table.values()):
        return None
    outputs = [_output(problem, keys, table, sample) for sample in range(problem.frame.train, problem.frame.size)]
    if all(output is None for output in outputs):
        return None
    size = len(table) + 2 * len(columns) + sum([state.steps for state, _ in columns]) // 4
    expression = _expression(problem, [state for state, _ in columns], table)
    return SearchCandidate(layer, expression, tuple(outputs), size, _holds_out(problem, keys))


def _output(problem: TableProblem, keys: Keys, table: dict[int, int], sample: int) -> Grid | None:
    """Return what a table gives for a sample; None if it meets an unseen key there."""
    start, stop = problem.starts[sample], problem.starts[sample + 1]
    made = np.array([table.get(key, -1) for key in keys[start:stop].tolist()])
    if (made < 0).any():
        return None
    made = np.where(made == UNCHANGED, problem.own[start:stop], made)
    return as_grid(made.reshape(problem.base.values[sample].shape)) if made.max() <= 9 else None


def _holds_out(problem: TableProblem, keys: Keys) -> bool | None:
    """Tell whether every key of a demonstration is in another one, too."""
    train = problem.frame.train
    if train < 2:
        return None
    seen = [set(keys[problem.starts[at] : problem.starts[at + 1]].tolist()) for at in range(train)]
    return all(seen[at] <= set().union(*[seen[other] for other in range(train) if other != at]) for at in range(train))


def _expression(problem: TableProblem, states: Sequence[GridState], table: dict[int, int]) -> Expression:
    """Return a table as an expression: one fill for each key that changes cells of the base."""
    made = problem.base.expression
    own = [at for at, state in enumerate(states) if state is problem.base]
    for key, label in table.items():
        values = _values(key, len(states))
        if label == UNCHANGED or (own and values[own[0]] == label):
            continue
        places = [places_of(state.expression, value) for state, value in zip(states, values, strict=True)]
        common = places[0]
        for each in places[1:]:
            common = common_places(common, each)
        made = filled(made, label, common)
    return made


def _values(key: int, count: int) -> list[int]:
    made: list[int] = []
    for _ in range(count):
        key, value = divmod(key, LARGEST_CELL)
        made.append(value)
    return made[::-1]
