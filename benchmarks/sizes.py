"""Measure engines side by side on a light deck and a heavy one, by the number of evaluations.

python3 benchmarks/sizes.py [--powers 4,5,6] [--passes 5] [--engines auto,cpu,cuda] [--decks first-132,re-arc]

Each size is run by `evaluate`, as users do: starting, compiling and collecting count. Passes of the engines take turns,
and all records are compared with those of the first pass. Rates are medians.

Exit codes: 0 all records are equal, 1 some differ.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Sequence

from batt.bench import rearc
from batt.bench.frozen import first_132
from batt.bench.growth import TASKS, sized
from batt.bench.measure import LIMITS, differing
from batt.front import Deck
from batt.jobs import Results, evaluate, samples_of
from batt.tasks import load_tasks

DECKS: dict[str, Callable[[], Deck]] = {"first-132": first_132, "re-arc": rearc.verifiers}
AUTO = "auto"


def main(arguments: Sequence[str]) -> int:
    """Print a line for each deck and size."""
    given = _parser().parse_args(arguments)
    engines, is_equal, tasks = given.engines.split(","), True, load_tasks(TASKS)
    for name in given.decks.split(","):
        deck = DECKS[name]()
        for power in map(float, given.powers.split(",")):
            solvers, chosen = sized(deck, tasks, int(10**power))
            times_s: dict[str, list[float]] = {engine: [] for engine in engines}
            first: Results | None = None
            for number in range(given.passes):
                turn = number % len(engines)
                for engine in engines[turn:] + engines[:turn]:
                    # To give the last pass's memory back is no part of this one.
                    found: Results | None = None
                    started_s = time.perf_counter()
                    found = evaluate(solvers, chosen, engine=engine, limits=LIMITS)
                    times_s[engine].append(time.perf_counter() - started_s)
                    first = first or found
                    is_equal &= not differing(first.records, found.records).any()
            print(line(name, len(solvers) * len(samples_of(chosen)), times_s), flush=True)
    print("all records are equal" if is_equal else "RECORDS DIFFER")
    return int(not is_equal)


def line(deck: str, total: int, times_s: dict[str, list[float]]) -> str:
    """Describe one size: the rate of each engine, and that of `auto` relative to the best of the others."""
    medians = {engine: statistics.median(found) for engine, found in times_s.items()}
    rates = [f"{engine} {total / median_s:,.0f}/s" for engine, median_s in medians.items()]
    forced = [median_s for engine, median_s in medians.items() if engine != AUTO]
    if AUTO in medians and forced:
        rates.append(f"auto {min(forced) / medians[AUTO]:.2f} of the best")
    return f"{deck}, {total:,} evaluations: {', '.join(rates)}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--powers", default="4,5,6", help="of ten: the numbers of evaluations")
    parser.add_argument("--passes", type=int, default=5, help="of each engine and size")
    parser.add_argument("--engines", default="auto,cpu,cuda")
    parser.add_argument("--decks", default="first-132,re-arc")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
