"""Simulate runs on a thousand workers: the real logic that hands out blocks, with fake workers and a fake clock.

python3 benchmarks/cluster_simulation.py [SCENARIO …]

A block takes its worker's time, then the scheduler's, then that of the process that runs the run and stores its
results. The costs are those that benchmarks/cluster_costs.py prints.
"""

from __future__ import annotations

import heapq
import sys
import time
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np

from batt.runtime.cluster.dispatch import Dispatch, HandedBlock

SCHEDULER_S = 2.1e-3
"""CPU time of Dask's scheduler for a block."""
BLOCK_S, EVALUATION_S = 0.9e-3, 0.35e-6
"""CPU time of the process that runs the run: for a block, and for an evaluation that is decoded and stored."""
REPLY_BYTES, ORDER_BYTES, LOAD_BYTES = 9.1, 0.06, 360_204
"""Bytes that travel for an evaluation, there and back, and once for each worker."""
STORED_BYTES = 10.0
LOOK_S = 0.25


@dataclass(frozen=True)
class Scenario:
    """A run: evaluations, workers, evaluations per second of a worker, and how many of them fail in an hour."""

    name: str
    evaluations: int
    workers: int
    rate: float
    dying: float = 0.0
    hanging: float = 0.0


SCENARIOS = {
    each.name: each
    for each in (
        Scenario("10^9, 6 us, 16 workers", 10**9, 16, 166_000),
        Scenario("10^9, 6 us, 1000 workers", 10**9, 1_000, 166_000),
        Scenario("10^9, 1 ms, 1000 workers", 10**9, 1_000, 1_000),
        Scenario("10^9, 1 ms, 1000 workers, faults", 10**9, 1_000, 1_000, dying=0.5, hanging=0.5),
        Scenario("10^12, 6 us, 1000 workers", 10**12, 1_000, 166_000),
    )
}


class Span:
    """A range of evaluations, in place of a block: a thousand million of them fit into memory."""

    def __init__(self, start: int, stop: int) -> None:
        self.start, self.stop = start, stop

    def __len__(self) -> int:
        return self.stop - self.start

    def __getitem__(self, key: slice) -> Span:
        start, stop, _ = key.indices(len(self))
        return Span(self.start + start, self.start + stop)


class Simulation:
    """A run with a clock of its own. `logic_s` is the real time that the logic took."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.random = np.random.default_rng(0)
        self.dispatch = Dispatch()
        self.now_s = self.logic_s = self.scheduler_free_s = 0.0
        self.scheduler_busy_s = self.busy_s = self.worker_busy_s = self.worker_s = 0.0
        self.at = self.done = self.blocks = self.twice = self.here = self.lost = 0
        self.block_s: list[float] = []
        self._events: list[tuple[float, int, str, tuple[Any, ...]]] = []
        self._order = count()
        self._answers: list[tuple[str, HandedBlock, float]] = []
        self._is_busy = False
        self._rates: dict[str, float] = {}
        self._joined_s: dict[str, float] = {}
        self._ready_s: dict[str, float] = {}

    def run(self) -> Simulation:
        """Run until every evaluation is done."""
        for number in range(self.scenario.workers):
            self._later(float(self.random.uniform(0, 30)), "join", f"w{number}")
        self._later(0.0, "look")
        while self.done < self.scenario.evaluations:
            self.now_s, _, what, args = heapq.heappop(self._events)
            getattr(self, f"_{what}")(*args)
        self.worker_s = sum([self.now_s - since_s for since_s in self._joined_s.values()])
        return self

    def _later(self, after_s: float, what: str, *args: Any) -> None:
        heapq.heappush(self._events, (self.now_s + after_s, next(self._order), what, args))

    def _join(self, name: str) -> None:
        self._rates[name] = self.scenario.rate * float(self.random.lognormal(0, 0.3))
        self._joined_s[name] = self.now_s
        self._ready_s[name] = self.now_s
        self.dispatch.join(name)
        for what, each in (("die", self.scenario.dying), ("hang", self.scenario.hanging)):
            if each:
                self._later(float(self.random.exponential(3_600 / each)), what, name)

    def _hand_out(self) -> None:
        began_s = time.perf_counter()
        while True:
            left = self.scenario.evaluations - self.at
            for hand in self.dispatch.free(left):
                piece = self.dispatch.again(hand)
                if piece is None and left:
                    size = min(left, self.dispatch.size(hand, left))
                    piece = HandedBlock(Span(self.at, self.at + size))  # type: ignore[arg-type]
                    self.at += size
                if piece is not None:
                    break
            else:
                break
            self.dispatch.assign(hand, piece, self.now_s)
            self._begin(hand.name, piece)
        self.logic_s += time.perf_counter() - began_s

    def _begin(self, name: str, piece: HandedBlock) -> None:
        takes_s = len(piece.block) / (self._rates[name] * float(self.random.lognormal(0, 0.1)))
        self._ready_s[name] = max(self._ready_s[name], self.now_s) + takes_s
        self.worker_busy_s += takes_s
        self._later(self._ready_s[name] - self.now_s, "ran", name, piece, takes_s)

    def _ran(self, name: str, piece: HandedBlock, takes_s: float) -> None:
        if name not in self.dispatch.hands:
            return
        if self._ready_s[name] > self.now_s + 1e9:
            # It hangs: the answer comes when it goes on.
            self._later(600.0, "ran", name, piece, takes_s)
            return
        self.scheduler_free_s = max(self.scheduler_free_s, self.now_s) + SCHEDULER_S
        self.scheduler_busy_s += SCHEDULER_S
        self._later(self.scheduler_free_s - self.now_s, "answer", name, piece, takes_s)

    def _answer(self, name: str, piece: HandedBlock, takes_s: float) -> None:
        self._answers.append((name, piece, takes_s))
        if not self._is_busy:
            self._take()

    def _take(self) -> None:
        """Take all results that are here; those that come meanwhile wait."""
        taken, self._answers = self._answers, []
        cost_s = sum([BLOCK_S + EVALUATION_S * len(piece.block) for _, piece, _ in taken])
        self.busy_s += cost_s
        self._is_busy = True
        self._later(cost_s, "taken", taken)

    def _taken(self, taken: list[tuple[str, HandedBlock, float]]) -> None:
        self._is_busy = False
        for name, piece, takes_s in taken:
            began_s = time.perf_counter()
            is_first = self.dispatch.finish(name, piece, len(piece.block), takes_s, self.now_s)
            self.logic_s += time.perf_counter() - began_s
            self.blocks += 1
            self.block_s.append(takes_s)
            if is_first:
                self.done += len(piece.block)
            else:
                self.twice += len(piece.block)
        self._guard()
        if self._answers:
            self._take()

    def _guard(self) -> None:
        """Look for overdue blocks, and hand out."""
        began_s = time.perf_counter()
        for name, piece, _ in self._answers:
            self.dispatch.arrive(name, piece, self.now_s)
        self._run_here(self.dispatch.find_overdue(self.now_s)[1])
        self.logic_s += time.perf_counter() - began_s
        self._hand_out()

    def _look(self) -> None:
        self._later(LOOK_S, "look")
        if not self._is_busy:
            self._guard()

    def _die(self, name: str) -> None:
        if name in self.dispatch.hands:
            self.lost += 1
            self.worker_s += self.now_s - self._joined_s.pop(name)
            self._run_here(self.dispatch.leave(name))
            self._later(120.0, "join", f"{name}'")

    def _hang(self, name: str) -> None:
        if name in self.dispatch.hands:
            self.lost += 1
            self._ready_s[name] += 2e9
            self._later(600.0, "wake", name)

    def _wake(self, name: str) -> None:
        self._ready_s[name] = self.now_s

    def _run_here(self, pieces: list[HandedBlock]) -> None:
        for piece in pieces:
            self.here += len(piece.block)
            self.done += len(piece.block)


def main(names: list[str]) -> None:
    """Simulate the scenarios, and print a row for each."""
    for name in names or SCENARIOS:
        began_s = time.perf_counter()
        run = Simulation(SCENARIOS[name]).run()
        total, hours = run.scenario.evaluations, run.now_s / 3_600
        moved = total * (REPLY_BYTES + ORDER_BYTES) + run.scenario.workers * LOAD_BYTES
        print(
            f"{name}: {hours:.2f} h; workers busy {run.worker_busy_s / max(run.worker_s, 1e-9):.0%}, "
            f"{run.worker_s / 3_600:,.0f} worker-hours; storing process busy {run.busy_s / run.now_s:.0%}, "
            f"scheduler busy {run.scheduler_busy_s / run.now_s:.0%}\n"
            f"    {run.blocks:,} blocks of {np.median(run.block_s):.1f} s, {run.blocks / run.now_s:.1f} per second, "
            f"logic {1e6 * run.logic_s / run.blocks:.0f} µs each; {moved / 1e9:,.0f} GB moved, "
            f"{total * STORED_BYTES / 1e9:,.0f} GB stored\n"
            f"    {run.lost:,} workers died or hung: {run.twice / total:.3%} of the evaluations ran twice, "
            f"{run.here:,} ran here (simulated in {time.perf_counter() - began_s:.0f} s)",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
