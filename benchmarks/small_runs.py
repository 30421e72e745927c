"""Measure small runs of two checkouts in turn, by processor time, and compare them.

python benchmarks/small_runs.py OLD NEW [--times 7]

OLD and NEW are as for `benchmarks/alternate.py`, whose `--growth` measures the same sizes by wall time. A process calls
`evaluate` many times for each size and engine; the median counts. The table has the median of old ÷ new of the pairs.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from alternate import order
from checkouts import CheckoutError, add_arguments, opened, table

TIMES = 7
DECK = Path(__file__).resolve().parents[1] / "src" / "batt" / "bench" / "decks" / "first-132.py"
CODE = """
import json
import sys
import time
from statistics import median
from batt.bench.growth import sized
from batt.front import load_deck
from batt.jobs import evaluate, samples_of
from batt.runtime import Limits
from batt.tasks import load_tasks
deck, tasks, limits, found = load_deck(sys.argv[1]), load_tasks("arc1-training"), Limits(steps=10_000_000), {}
for wanted, passes in ((10, 40), (100, 40), (1_000, 15)):
    solvers, chosen = sized(deck, tasks, wanted)
    for name, engine, workers in (("cpu:1", "cpu", 1), ("cpu:2", "cpu", 2), ("auto", "auto", None)):
        times = []
        for _ in range(passes):
            began = time.process_time()
            evaluate(solvers, chosen, engine=engine, workers=workers, limits=limits)
            times.append(1000 * (time.process_time() - began))
        found[f"{len(solvers) * len(samples_of(chosen)):,} {name}"] = median(times)
print(json.dumps(found))
"""
"""What a process of either checkout runs: it prints milliseconds by size and engine."""


def rows_of(old: Sequence[dict[str, float]], new: Sequence[dict[str, float]]) -> list[list[str]]:
    """Return the rows of the table: by size and engine the medians of either, and of their ratio."""
    made = []
    for key in old[0]:
        ratio = median([one[key] / other[key] for one, other in zip(old, new, strict=True)])
        times = [f"{median([each[key] for each in side]):.2f} ms" for side in (old, new)]
        made.append([*key.split(), *times, f"{ratio:.3f}"])
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--times", type=int, default=TIMES, metavar="N", help=f"pairs of runs (default: {TIMES})")
    args = parser.parse_args(arguments)
    found: tuple[list[dict[str, float]], list[dict[str, float]]] = [], []
    try:
        with opened(args) as checkouts:
            for _, place in order(args.times):
                found[place].append(json.loads(checkouts[place].run_python(CODE, str(DECK))))
    except CheckoutError as error:
        print(f"small_runs: {error}", file=sys.stderr)
        return 2
    print(table([["evaluations", "engine", "old", "new", "old ÷ new"], *rows_of(*found)]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
