"""Report the solvers that do not fit, why, and how nearly. Reads demonstrations only, never test outputs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.differs.measures import union_area
from batt.errors import never
from batt.jobs import Results
from batt.jobs.results import PairsOfPart
from batt.runtime import ERROR_KINDS, Equality, Split, Status
from batt.runtime.outcome import RAN
from batt.tasks.model import counted


@dataclass(frozen=True, slots=True)
class Miss:
    """A solver that does not fit a task.

    `equal` of its `demonstrations` are equal, `differing` of their `cells` differ. `pair` is the first demonstration
    that is not equal, with the status and the error kind of its evaluation; `is_grid` is whether it gave a grid.
    """

    solver: str
    task: str
    equal: int
    demonstrations: int
    differing: int
    cells: int
    pair: int
    status: Status
    error: str
    is_grid: bool

    def as_json(self) -> dict[str, Any]:
        """Return the miss as plain data."""
        plain = asdict(self) | {"status": self.status.word, "error": self.error or None}
        del plain["is_grid"]
        return plain

    @property
    def reason(self) -> str:
        """Return why the solver does not fit, in words."""
        equal = f"; {self.equal:,} of {self.demonstrations:,} demonstrations equal" if self.equal else ""
        return self._first() + equal

    def _first(self) -> str:
        match self.status:
            case Status.OK if self.is_grid:
                return f"{self.differing:,} of {counted(self.cells, 'cell')} differ, first on train {self.pair}"
            case Status.OK:
                return f"no grid on train {self.pair}"
            case Status.RAISED:
                return f"raised {self.error} on train {self.pair}"
            case Status.OVER_BUDGET:
                return f"over budget on train {self.pair} (raise --steps)"
            case Status.TIMED_OUT:
                return f"timed out on train {self.pair} (raise -t or --memory)"
            case Status.NOT_RUN | Status.SKIPPED:
                return f"train {self.pair} was not run"
        never(self.status)


def misses(results: Results, fits: npt.NDArray[np.bool_]) -> list[Miss]:
    """Return the misses of a run, sorted by differing cells.

    If each solver ran on the task in its name: every solver that does not fit it. Else the nearest solver for each task
    that none fits, the first of the deck in a tie. Tasks and solvers with demonstrations that were not run are omitted,
    unless one that was run is not equal.
    """
    found = _own(results, fits) if not results.evaluations.is_product else _nearest(results, fits)
    return sorted(found, key=lambda miss: (miss.differing, miss.task, miss.solver))


def _own(results: Results, fits: npt.NDArray[np.bool_]) -> Iterator[Miss]:
    pairs = results.pairs(Split.TRAIN)
    for solver in range(len(results.deck)):
        _, task_of = pairs.of_solver(solver)
        for task in np.unique(task_of).tolist():
            miss = None if fits[solver, task] else _miss(results, pairs, solver, task)
            if miss is not None:
                yield miss


def _nearest(results: Results, fits: npt.NDArray[np.bool_]) -> Iterator[Miss]:
    pairs = results.pairs(Split.TRAIN)
    count = len(results.tasks)
    unfitted = ~fits.any(axis=0) & (pairs.wanted > 0)
    if not unfitted.any():
        return
    last_ran = max(RAN)
    least, nearest = np.full(count, np.inf), np.full(count, -1)
    whole = np.ones(count, bool)
    for solver in range(len(results.deck)):
        records, task_of = pairs.of_solver(solver)
        whole &= np.bincount(task_of[records["status"] > last_ran], minlength=count) == 0
        differing = np.bincount(task_of, records["differing"], count)
        nearer = differing < least
        least[nearer], nearest[nearer] = differing[nearer], solver
    for task in np.flatnonzero(whole & unfitted).tolist():
        miss = _miss(results, pairs, int(nearest[task]), task)
        if miss is not None:
            yield miss


def _miss(results: Results, pairs: PairsOfPart, solver: int, task: int) -> Miss | None:
    """Return the miss of a solver on a task, or None if every demonstration that was run is equal."""
    records, task_of = pairs.of_solver(solver)
    records = records[task_of == task]
    unequal = np.flatnonzero((records["equal"] == Equality.NO) & np.isin(records["status"], RAN))
    if not len(unequal):
        return None
    first = records[unequal[0]]
    name = results.tasks.ids[task]
    shapes = [(len(pair.output), len(pair.output[0])) for pair in results.tasks[name].train if pair.output]
    return Miss(
        results.deck.names[solver],
        name,
        int((records["equal"] == Equality.YES).sum()),
        len(records),
        int(records["differing"].sum(dtype=np.int64)),
        sum(map(union_area, zip(records["height"].tolist(), records["width"].tolist(), strict=True), shapes)),
        int(unequal[0]),
        Status(int(first["status"])),
        ERROR_KINDS[int(first["error"])],
        bool(first["height"]),
    )
