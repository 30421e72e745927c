"""Choose the rows that a run keeps: all of them, or those of hits.

With `hits`, a run keeps the rows of outputs that are equal to the expected output or nearly so, and all rows of a
solver on a task that it fits. Of all other evaluations it keeps what the summary needs, but no hash and no output.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from batt.jobs.samples import keys_of
from batt.runtime import Equality
from batt.runtime.evaluations import Integers
from batt.runtime.outcome import RAN
from batt.runtime.records import take

if TYPE_CHECKING:
    from batt.jobs.results import Results

NEAR = 10
"""An output is nearly equal if at most one cell differs for this many cells that it has."""


class Keep(Enum):
    """The rows that a run keeps."""

    ALL = "all"
    HITS = "hits"


def is_hit(records: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Return which outputs are equal to the expected output, or nearly so; never one whose expected output is unknown.

    `differing` counts the cells of both grids, so an output of another shape is near only if it overlaps almost wholly.
    """
    cells = records["height"].astype(np.int64) * records["width"]
    near = (records["equal"] == Equality.NO) & (cells > 0) & (records["differing"].astype(np.int64) * NEAR <= cells)
    found: npt.NDArray[np.bool_] = (records["equal"] == Equality.YES) | near
    return found


class KeptRows:
    """The rows that a run keeps, solver by solver. Exports write these."""

    def __init__(self, results: Results) -> None:
        self.results = results
        self.keys = keys_of(results.evaluations.samples)
        self._demonstrations = np.bincount(self.keys.task_of[self.keys.is_train], minlength=len(self.keys.ids))

    def of_solver(self, solver: int) -> tuple[Integers, Integers]:
        """Return the numbers of the kept evaluations of a solver, and the sample of each. All of them were run."""
        numbers, samples, kept = self.marked(solver)
        return numbers[kept], samples[kept]

    def marked(self, solver: int) -> tuple[Integers, Integers, npt.NDArray[np.bool_]]:
        """Return the numbers and samples of all evaluations of a solver, and which of them are kept."""
        numbers, samples = self.results.evaluations.of_solver(solver)
        records = take(self.results.records, numbers)
        kept = np.isin(records["status"], RAN)
        if self.results.keep is Keep.HITS:
            kept &= is_hit(records) | self._fits(records, samples)
        return numbers, samples, kept

    def _fits(self, records: npt.NDArray[Any], samples: Integers) -> npt.NDArray[np.bool_]:
        """Return which evaluations of a solver are on a task that it fits."""
        tasks = self.keys.task_of[samples]
        equal = (records["equal"] == Equality.YES) & self.keys.is_train[samples]
        counts = np.bincount(tasks[equal], minlength=len(self._demonstrations))
        fits = (counts == self._demonstrations) & (counts > 0)
        found: npt.NDArray[np.bool_] = fits[tasks]
        return found
