from __future__ import annotations

from pathlib import Path

import numpy as np

from batt.front import Deck
from batt.runtime.evaluations import Evaluations
from batt.runtime.records import unfilled
from batt.runtime.tier import CACHE, CPU, CUDA_THREADS, REFERENCE, Part, TierName
from batt.store import state_of
from batt.store.costs import MOST_POINTS, MOST_SOLVERS, History, SolverCosts, history_of, slowest_of
from batt.tasks import Tasks
from handmade import evaluations_of
from stored_runs import stored


def part(tier: TierName, evaluations: Evaluations, steps: list[int], wall_s: float, times: list[int] | None) -> Part:
    block = evaluations.block(0, len(steps))
    times_ns = None if times is None else np.array(times, np.uint32)
    return Part(tier, block, unfilled(len(steps)), np.array(steps), times_ns, wall_s=wall_s)


def test_a_history_stays_short():
    history = History()
    for second in range(10_000):
        history.add(second, 100 * second)
    assert MOST_POINTS / 3 < len(history.points) <= MOST_POINTS
    assert history.points[0] == (0, 0)
    assert all(done == 100 * at_s for at_s, done in history.points)


def test_native_code_times_each_evaluation():
    costs = SolverCosts(evaluations_of(2, 1))
    costs.add(part(CPU, costs.evaluations, [5, 6], 1.0, [70, 80]))
    assert costs.slowest() == [[1, 1, 6, 80], [0, 1, 5, 70]]


def test_the_time_of_a_block_is_shared_by_steps():
    costs = SolverCosts(evaluations_of(2, 1))
    costs.add(part(REFERENCE, costs.evaluations, [0, 2], 1.0, None))
    assert costs.slowest() == [[1, 1, 2, 750_000_000], [0, 1, 0, 250_000_000]]


def test_the_ticks_of_a_gpu_share_the_time_of_its_block():
    costs = SolverCosts(evaluations_of(2, 1))
    costs.add(part(CUDA_THREADS, costs.evaluations, [9, 9], 1.0, [0, 2]))
    assert [row[3] for row in costs.slowest()] == [750_000_000, 250_000_000]


def test_what_the_cache_gave_took_no_time():
    costs = SolverCosts(evaluations_of(2, 1))
    costs.add(part(CACHE, costs.evaluations, [5, 6], 1.0, None))
    assert costs.slowest() == []


def test_only_the_slowest_are_kept():
    costs = SolverCosts(evaluations_of(100, 1))
    costs.add(part(CPU, costs.evaluations, [1] * 100, 1.0, list(range(100))))
    assert [row[0] for row in costs.slowest()] == list(range(99, 99 - MOST_SOLVERS, -1))


def test_sessions_add_up():
    sessions = [
        {"slowest": [[3, 1, 10, 100]], "history": [[1, 5]], "wall_s": 2.0},
        {"slowest": [[4, 1, 10, 150], [3, 2, 20, 100]], "history": [[1, 9]], "wall_s": 1.0},
        {},
    ]
    assert slowest_of(sessions) == [(3, 3, 30, 200), (4, 1, 10, 150)]
    assert history_of(sessions) == [(1, 5), (3, 9)]


def test_a_stored_run_has_both(tmp_path: Path, deck: Deck, tasks: Tasks):
    stored(tmp_path / "run", deck[:3], tasks[:2], engine="reference")
    sessions = state_of(tmp_path / "run").sessions
    assert len(slowest_of(sessions)) == 3
    assert history_of(sessions)[-1][1] == 3 * sum(len(task.pairs) for task in tasks[:2])
