"""The first view of the page of a run: figures, the wall of tasks, the matrix, slowest solvers, failures by cause."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from batt.draw import palette
from batt.jobs import Results
from batt.jobs.matrix import CellState, Matrix
from batt.page.slowest import slowest_ops, slowest_solvers
from batt.page.views import CHARACTERS, grid_rows
from batt.runtime.evaluations import Integers
from batt.store import RunState
from batt.store.costs import history_of

WALL_TASKS = 2_000
"""The most tasks on the wall; those with the best state come first if there are more."""
MATRIX_CELLS = 1_000_000
"""The most cells of the matrix; solvers that fit the most tasks come first if there are more."""


@dataclass(frozen=True, slots=True)
class RunInfo:
    """Facts about a run besides its results: its state in a word, and rows of names and values for people."""

    state: str
    rows: Sequence[tuple[str, str]] = ()
    sessions: Sequence[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def of_stored(cls, state: RunState) -> RunInfo:
        """Return what a stored run says of itself."""
        return cls(state.word, list(_stored_rows(state)), state.sessions)


def _stored_rows(state: RunState) -> Sequence[tuple[str, str]]:
    manifest = state.manifest
    if manifest is None:
        return []
    machine = manifest.machine
    started = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(manifest.started))
    ended = [("Ended by", state.ended_by)] if state.ended_by else []
    return [
        ("Deck hash", manifest.deck_hash[:16]),
        ("Tasks hash", manifest.tasks_hash[:16]),
        ("batt", f"{manifest.version}, semantics {manifest.semantics}"),
        ("Started", started),
        ("Sessions", f"{len(state.sessions):,}"),
        *ended,
        ("Machine", f"{machine.get('host')}, {machine.get('cores')} cores, {machine.get('processor')}"),
        ("System", f"{machine.get('system')}, Python {machine.get('python')}"),
        ("Keeps", f"{manifest.choices.keep.value} rows{', with outputs' if manifest.choices.outputs else ''}"),
    ]


def overview(results: Results, matrix: Matrix, info: RunInfo, with_ops: bool = True) -> dict[str, Any]:
    """Return the overview as plain data. `with_ops` runs some evaluations again to measure ops."""
    shown = wall_tasks(matrix)
    return {
        "title": f"{results.deck.name} on {results.tasks.name}",
        "state": info.state,
        "rows": [*_rows(results), *info.rows],
        "figures": _figures(results, matrix),
        "history": history_of(info.sessions),
        "wall": _wall(results, matrix, shown),
        "matrix": _matrix(results, matrix),
        "slowest": {
            "solvers": slowest_solvers(results, info.sessions),
            "ops": slowest_ops(results) if with_ops else None,
        },
        "causes": _causes(results),
        "notes": list(results.notes),
        "palette": _palette(),
    }


def _palette() -> dict[str, Any]:
    """Return the colours of cells by their character, and those around them."""
    cells = {character: palette.fill(cell) for cell, character in CHARACTERS.items()}
    return {"cells": cells, "label": palette.MARKED, "line": palette.CELL_LINE, "bad": palette.BAD}


def wall_tasks(matrix: Matrix) -> list[int]:
    """Return the positions of the tasks on the wall, in the order of the tasks."""
    order = np.argsort(-matrix.tasks.astype(np.int64), kind="stable")[:WALL_TASKS]
    return sorted(order.tolist())


def _rows(results: Results) -> list[tuple[str, str]]:
    limits = results.limits
    return [
        ("Deck", f"{results.deck.name}, {len(results.deck):,} solvers"),
        ("Tasks", f"{results.tasks.name}, {len(results.tasks):,} tasks"),
        ("Data", results.tasks.source),
        ("Solvers run on", "every task" if results.evaluations.is_product else "the task in their name"),
        ("Engine", results.engine),
        ("Limits", f"{limits.steps:,} steps, {limits.max_items:,} items, {limits.wall_s:g} s, "
         f"{limits.memory_bytes / 2**30:g} GiB of memory"),
    ]  # fmt: skip


def _figures(results: Results, matrix: Matrix) -> dict[str, Any]:
    """Return the figures at the top of the page."""
    states, ran = matrix.tasks, len(results) - results.not_run
    tiers = {tier.name.lower().replace("_", " "): count for tier, count in sorted(results.tiers.finished.items())}
    return {
        "done": ran,
        "total": len(results),
        "wall_s": results.wall_s,
        "rate": ran / results.wall_s if results.wall_s else None,
        "tasks": len(results.tasks),
        "correct": int((states == CellState.CORRECT).sum()),
        "fits": int((states >= CellState.FITS).sum()),
        "answers_known": not results.tasks_without_answers,
        "solvers": len(results.deck),
        "solvers_that_fit": int((matrix.cells >= CellState.FITS).any(axis=1).sum()),
        "steps": results.steps,
        "tiers": {name: count for name, count in tiers.items() if count},
        "workers": dict(results.tiers.by_worker),
    }


def _wall(results: Results, matrix: Matrix, shown: Sequence[int]) -> dict[str, Any]:
    states, fitting = matrix.tasks, (matrix.cells >= CellState.FITS).sum(axis=0)
    tiles = []
    for position, task in zip(shown, results.tasks.select([results.tasks.ids[at] for at in shown]), strict=True):
        pair = (task.train or task.test)[0]
        thumbnail = [grid_rows(pair.input), grid_rows(pair.output)]
        tiles.append(
            {
                "at": position,
                "id": task.id,
                "state": int(states[position]),
                "fitting": int(fitting[position]),
                "thumbnail": thumbnail,
            }
        )
    return {"tiles": tiles, "left_out": len(results.tasks) - len(shown)}


def _matrix(results: Results, matrix: Matrix) -> dict[str, Any]:
    """Return the states as a row of digits for each solver; rows and columns sorted by name.

    So a deck whose solvers name their tasks shows those on the diagonal.
    """
    names, ids = results.deck.names, results.tasks.ids
    tasks = sorted(wall_tasks(matrix), key=lambda at: ids[at])
    most = max(1, MATRIX_CELLS // max(1, len(tasks)))
    fitted = (matrix.cells >= CellState.FITS).sum(axis=1)
    chosen: Integers = np.argsort(-fitted, kind="stable")[:most]
    solvers = sorted(chosen.tolist(), key=lambda at: names[at])
    cells = matrix.cells[np.ix_(solvers, tasks)] + np.uint8(ord("0"))
    return {
        "solvers": [names[at] for at in solvers],
        "tasks": [ids[at] for at in tasks],
        "at": tasks,
        "cells": [row.tobytes().decode("ascii") for row in cells],
        "left_out": len(names) - len(solvers),
    }


def _causes(results: Results) -> dict[str, Mapping[str, int]]:
    """Return what was deferred or failed, by cause."""
    stopped = {"ended their process": results.crashed, "needed too much memory": results.out_of_memory}
    outcomes = {word.replace("_", " "): count for word, count in results.counts.items()}
    return {
        "deferred": dict(sorted(results.fallbacks.items(), key=lambda each: (-each[1], each[0]))),
        "outcomes": outcomes | {"not run": results.not_run},
        "errors": results.error_counts,
        "stopped": {name: count for name, count in stopped.items() if count},
    }
