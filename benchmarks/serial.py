"""Measure what the main thread does of a run, by its own processor time: the threads of the cpu engine may wait for it.

python3 benchmarks/serial.py [--powers 5,6,7] [--passes 3] [--workers 16] [--begin]

`evaluate` runs the deck first-132. Each line has the milliseconds until the first block is handed out, those of the
whole run, and the number of blocks: medians of passes, after one that does not count. There may be fewer cores than
workers. With `--begin` a run is interrupted when its first block has come back. To measure another checkout, run the
script with its folder `src` in PYTHONPATH and its library in
BATT_NATIVE_LIBRARY.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from statistics import median
from typing import Any

from batt.bench.frozen import first_132
from batt.bench.growth import TASKS, sized
from batt.bench.measure import LIMITS
from batt.front import Deck
from batt.jobs import evaluate
from batt.runtime.cpu import CpuTier
from batt.tasks import Tasks, load_tasks


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for each size."""
    given = _parser().parse_args(arguments)
    deck, tasks = first_132(), load_tasks(TASKS)
    for power in map(float, given.powers.split(",")):
        solvers, chosen = sized(deck, tasks, int(10**power))
        passes = [one_pass(solvers, chosen, given.workers, given.begin) for _ in range(given.passes + 1)][1:]
        total = passes[0][0]
        first_ms, whole_ms, blocks = [median([each[at] for each in passes]) for at in (1, 2, 3)]
        print(f"{total:,} evaluations: {first_ms:,.1f} ms before the first block, {whole_ms:,.1f} ms in all, "
              f"{blocks:,.0f} blocks", flush=True)  # fmt: skip
    return 0


def one_pass(deck: Deck, tasks: Tasks, workers: int, begin: bool = False) -> tuple[int, float, float, int]:
    """Return the evaluations of a run, the main thread's milliseconds to its first block and in all, and its blocks.

    With `begin`, it ends when one has come back.
    """

    def interrupt(_: Any) -> None:
        raise KeyboardInterrupt

    began_s = time.thread_time()
    with handed_out() as times_s:
        on_block = interrupt if begin else None
        results = evaluate(deck, tasks, engine="cpu", workers=workers, limits=LIMITS, on_block=on_block)
    ended_s = time.thread_time()
    return len(results), 1000 * (times_s[0] - began_s), 1000 * (ended_s - began_s), len(times_s)


@contextmanager
def handed_out() -> Iterator[list[float]]:
    """Yield a list to which the time of each block that is handed out is appended."""
    real, times_s = CpuTier.submit, list[float]()

    def submit(tier: CpuTier, block: Any) -> Future[Any]:
        times_s.append(time.thread_time())
        return real(tier, block)

    CpuTier.submit = submit  # type: ignore[method-assign]
    try:
        yield times_s
    finally:
        CpuTier.submit = real  # type: ignore[method-assign]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--powers", default="5,6,7", help="of ten: the numbers of evaluations")
    parser.add_argument("--passes", type=int, default=3, help="of each size")
    parser.add_argument("--workers", type=int, default=16, help="threads")
    parser.add_argument("--begin", action="store_true", help="run only until the first block has come back")
    return parser


if __name__ == "__main__":
    sys.exit(main())
