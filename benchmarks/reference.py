"""The reference engine beside plain Python: the same programs, the same inputs, one core, one run.

Plain Python is the primitives that the package `reasoning_gym` ships (frozensets, no budget) running its 400 verifiers;
the reference engine parses the same file. Each verifier runs on its own task's pairs and on a seeded choice of others.

    python benchmarks/reference.py [--foreign N] [--seed N]
"""

from __future__ import annotations

import argparse
import gc
import importlib
import random
import signal
import statistics
import sys
import time
from collections.abc import Callable
from types import FrameType, ModuleType
from typing import Any

import batt
import rearc
from batt.jobs import own_task, samples_of
from batt.runtime import Limits, Status, evaluate_one

GUARD_S = 20.0
UNLIMITED = Limits(steps=10**15, max_items=10**15)


class Stopped(BaseException):
    """The guard ended a plain evaluation."""


def stop(signum: int, frame: FrameType | None) -> None:
    """End the plain evaluation under way."""
    raise Stopped


def plain_verifiers() -> ModuleType:
    """The module of the verifiers with its primitives, without importing the package around it."""
    sys.path.insert(0, str(rearc.folder().parent))
    return importlib.import_module("rearc_utils.verifiers")


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds and result of a call; the error's class name where it raised."""
    started_s = time.perf_counter()
    try:
        result = call()
    except (TypeError, ValueError, LookupError, AttributeError, StopIteration, RuntimeError, ArithmeticError) as error:
        result = type(error).__name__
    return time.perf_counter() - started_s, result


def main() -> None:
    """Time both on every chosen evaluation."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--foreign", type=int, default=8, help="inputs of other tasks for each verifier")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    plain = plain_verifiers()
    deck = rearc.verifiers()
    tasks = batt.load_tasks("arc1-training")
    samples = samples_of(tasks)
    chooser = random.Random(args.seed)
    signal.signal(signal.SIGALRM, stop)
    gc.disable()
    rows: list[tuple[str, float, float, str]] = []
    skipped = 0
    for solver in deck:
        own = own_task(solver.name, tasks)
        chosen = [s for s in samples if s.task == own] + chooser.sample(samples, args.foreign)
        for sample in chosen:
            signal.setitimer(signal.ITIMER_REAL, GUARD_S)
            try:
                plain_s, _ = timed(lambda: getattr(plain, solver.name)(sample.input))  # noqa: B023
            except Stopped:
                skipped += 1
                continue
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
            ours_s, outcome = timed(lambda: evaluate_one(solver.program, sample, UNLIMITED))  # noqa: B023
            assert outcome.status in (Status.OK, Status.RAISED)
            rows.append((solver.name, plain_s, ours_s, sample.task))
    report(rows, skipped)


def report(rows: list[tuple[str, float, float, str]], skipped: int) -> None:
    """Print the ratios, in total and by evaluation."""
    plain_s, ours_s = sum(row[1] for row in rows), sum(row[2] for row in rows)
    ratios = sorted(row[2] / row[1] for row in rows)
    print(f"{len(rows):,} evaluations, {skipped} stopped by the guard in plain Python and left out")
    print(f"total: plain {plain_s:.2f} s, reference {ours_s:.2f} s, ratio {ours_s / plain_s:.2f}")
    print(f"by evaluation: median {statistics.median(ratios):.2f}, 90 % below {ratios[len(ratios) * 9 // 10]:.2f}")
    medians = statistics.median(row[1] for row in rows), statistics.median(row[2] for row in rows)
    print(f"median evaluation: plain {medians[0] * 1e3:.3f} ms, reference {medians[1] * 1e3:.3f} ms, "
          f"ratio {medians[1] / medians[0]:.2f}")  # fmt: skip
    for name, a, b, task in sorted(rows, key=lambda row: row[1] - row[2])[:8]:
        print(f"  costlier here: {name} on {task}: {a * 1e3:.1f} ms -> {b * 1e3:.1f} ms")


if __name__ == "__main__":
    main()
