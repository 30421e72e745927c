"""Results in a notebook: figures, the wall of tasks, the matrix, and one result as a picture."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from batt.draw import html_table, palette
from batt.draw.wall import WallTile, html_matrix, html_wall
from batt.jobs.matrix import CellState, Matrix, matrix_of
from batt.jobs.results import Results

WALL_TASKS = 60
"""The most tasks on the wall, those with the best state first."""
MATRIX_SOLVERS, MATRIX_TASKS = 600, 1_000
STATE_COLORS = (palette.TILE, "#F3CFCF", "#DFE4EA", "#9CCBFF", "#BF8700", palette.GOOD)
"""By the number of the state."""
COLOR_WORDS = ("white", "pink", "grey", "blue", "brown", "green")


def results_html(results: Results) -> str:
    """Return the results as HTML for a cell of a notebook."""
    matrix = matrix_of(results)
    head = f"<p>{repr(results)[1:-1]}</p>{html_table(list(_rows(results, matrix)))}"
    if not matrix.cells.size:
        return head
    pictures = [
        results.picture(results.deck.names[solver], results.tasks.ids[task])._repr_html_()
        for solver, task in np.argwhere(matrix.cells >= CellState.FITS)[:1].tolist()
    ]
    return "".join([head, *_wall(results, matrix), *_matrix(results, matrix), *pictures])


def _rows(results: Results, matrix: Matrix) -> Iterator[tuple[str, str]]:
    fits, states = matrix.cells >= CellState.FITS, matrix.tasks
    for word, count in results.counts.items():
        if count:
            yield word.replace("_", " "), f"{count:,}"
    if results.not_run:
        yield "not run", f"{results.not_run:,}"
    if results.skipped:
        yield "skipped", f"{results.skipped:,}"
    yield "tasks that fit", f"{(states >= CellState.FITS).sum():,} of {len(results.tasks):,}"
    if not results.tasks_without_answers and not results.interrupted:
        yield "… and are correct", f"{(states == CellState.CORRECT).sum():,}"
    yield "solvers that fit a task", f"{fits.any(axis=1).sum():,} of {len(results.deck):,}"
    yield "time", f"{results.wall_s:,.1f} s"


def _wall(results: Results, matrix: Matrix) -> list[str]:
    """Return a heading and the first pair of each task, above a line in the colour of its state."""
    states = matrix.tasks
    shown = np.argsort(-states.astype(np.int64), kind="stable")[:WALL_TASKS].tolist()
    tiles = []
    for position, task in zip(shown, results.tasks.select([results.tasks.ids[at] for at in shown]), strict=True):
        pair = (task.train or task.test)[0]
        grids = [grid for grid in (pair.input, pair.output) if grid]
        tiles.append(WallTile(task.id, grids, STATE_COLORS[states[position]]))
    more = f", the first {len(shown):,}" if len(shown) < len(states) else ""
    return [f"<p>tasks{more}; solved ones have a green line</p>", html_wall(tiles)]


def _matrix(results: Results, matrix: Matrix) -> list[str]:
    """Return a heading and the picture of solvers and tasks, both sorted by name.

    Of many solvers, it shows those that fit the most tasks.
    """
    names, ids = results.deck.names, results.tasks.ids
    fitted = (matrix.cells >= CellState.FITS).sum(axis=1)
    chosen = np.argsort(-fitted, kind="stable")[:MATRIX_SOLVERS].tolist()
    solvers = sorted(chosen, key=lambda at: names[at])
    tasks = sorted(range(len(ids))[:MATRIX_TASKS], key=lambda at: ids[at])
    cells = matrix.cells[np.ix_(solvers, tasks)]
    title = f"{cells.shape[0]:,} solvers (rows) on {cells.shape[1]:,} tasks (columns)"
    words = ", ".join([f"{state.name.lower()} {color}" for state, color in zip(CellState, COLOR_WORDS, strict=True)])
    return [f"<p>{title}: {words.replace('_', ' ')}</p>", html_matrix(cells, STATE_COLORS, title)]
