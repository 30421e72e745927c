"""Notes of a session about time: how many evaluations are done when, and which solvers are slow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.runtime.evaluations import Evaluations
from batt.runtime.tier import CACHE, CPU, Part

HISTORY, SLOWEST = "history", "slowest"
"""The names of both in the data of a session."""
MOST_POINTS = 240
MOST_SOLVERS = 40


class History:
    """Counts of evaluations that were done, by seconds: at most `MOST_POINTS` points, `every_s` or more apart."""

    def __init__(self, every_s: float = 0.0) -> None:
        self.points: list[tuple[float, int]] = []
        self._every_s = every_s

    def add(self, wall_s: float, done: int) -> None:
        """Add a point, unless the last one is too near."""
        if self.points and wall_s - self.points[-1][0] < self._every_s:
            return
        self.points.append((round(wall_s, 3), done))
        if len(self.points) > MOST_POINTS:
            self._every_s = 2 * wall_s / MOST_POINTS
            self.points = self.points[::2]


class SolverCosts:
    """The evaluations, steps and nanoseconds of each solver.

    A tier that times only whole blocks shares the time of a block among its evaluations: GPUs by their ticks, others by
    their steps.
    """

    def __init__(self, evaluations: Evaluations) -> None:
        self.evaluations = evaluations
        solvers = evaluations.solvers
        self._count = np.zeros(solvers, np.int64)
        self._steps = np.zeros(solvers, np.int64)
        self._time_ns = np.zeros(solvers, np.int64)

    def add(self, part: Part) -> None:
        """Add the finished evaluations of a part, unless an earlier run made them."""
        if part.tier is CACHE:
            return
        solvers, _ = self.evaluations.pairs(part.numbers)
        np.add.at(self._count, solvers, 1)
        np.add.at(self._steps, solvers, part.steps)
        np.add.at(self._time_ns, solvers, _times_ns(part))

    def slowest(self) -> list[list[int]]:
        """Return rows of solver, evaluations, steps and nanoseconds; the one with the most time first."""
        order = np.lexsort((-self._steps, -self._time_ns))[:MOST_SOLVERS]
        chosen = order[self._count[order] > 0]
        columns = (chosen, self._count[chosen], self._steps[chosen], self._time_ns[chosen])
        return np.stack(columns, axis=1).tolist() if len(chosen) else []


def _times_ns(part: Part) -> npt.NDArray[Any]:
    if part.tier is CPU and part.times_ns is not None:
        return part.times_ns.astype(np.int64)
    ticks = part.times_ns if part.tier.is_gpu else None
    weights = (part.steps if ticks is None else ticks.astype(np.int64)) + 1
    shared: npt.NDArray[np.float64] = 1e9 * part.wall_s * weights / max(1, weights.sum())
    return shared.astype(np.int64)


def slowest_of(sessions: Sequence[dict[str, Any]]) -> list[tuple[int, int, int, int]]:
    """Return the slowest solvers of all sessions together, in rows as `SolverCosts.slowest` has them."""
    sums: dict[int, list[int]] = {}
    for session in sessions:
        for solver, *figures in session.get(SLOWEST, ()):
            sums[solver] = [a + b for a, b in zip(sums.get(solver, [0, 0, 0]), figures, strict=True)]
    rows = [(solver, count, steps, time_ns) for solver, (count, steps, time_ns) in sums.items()]
    return sorted(rows, key=lambda row: (-row[3], -row[2], row[0]))[:MOST_SOLVERS]


def history_of(sessions: Sequence[dict[str, Any]]) -> list[tuple[float, int]]:
    """Return the points of all sessions on one clock, which stands still between them."""
    found: list[tuple[float, int]] = []
    before_s = 0.0
    for session in sessions:
        found += [(round(before_s + at_s, 3), done) for at_s, done in session.get(HISTORY, ())]
        before_s += float(session.get("wall_s", 0))
    return found
