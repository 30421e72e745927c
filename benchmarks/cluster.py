"""What workers of a cluster are worth: the same run on one worker and on several, each of one thread, in alternation.

python3 benchmarks/cluster.py [WORKERS] [ROUNDS] [DECK] [TASKS …]

DECK is `first-132`, the lightest deck and the default, `built-in` or `re-arc`. What one process does for a run, such as
packing the samples, counts for either number of workers, and for little if a deck has much to do. Every worker is a
process of this machine, which should have at least WORKERS idle cores, and one for this process. Workers use the CPU
alone: they would share a GPU.
"""

from __future__ import annotations

import hashlib
import resource
import statistics
import sys

import batt
from batt.bench.frozen import first_132
from batt.bench.rearc import verifiers

DECKS = {"first-132": first_132, "built-in": batt.load_deck, "re-arc": verifiers}


def main(workers: int, rounds: int, deck_name: str, sources: list[str]) -> None:
    """Print the evaluations per second of each number of workers, and their ratio: the median of all pairs of runs."""
    deck, tasks = DECKS[deck_name](), batt.load_tasks(*sources)
    rates: dict[int, list[float]] = {1: [], workers: []}
    own_s: dict[int, list[float]] = {1: [], workers: []}
    digests = set()
    for _ in range(rounds):
        for count in rates:
            before = resource.getrusage(resource.RUSAGE_SELF)
            results = batt.evaluate(deck, tasks, cluster=f"local:{count}", workers=1, engine="cpu")
            after = resource.getrusage(resource.RUSAGE_SELF)
            rates[count].append(len(results) / results.wall_s)
            own_s[count].append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
            digests.add(hashlib.sha256(results.records.tobytes()).hexdigest())
    assert len(digests) == 1, "results differ"
    print(f"{len(results):,} evaluations, {rounds} rounds; all results are equal")
    for count, found in rates.items():
        print(
            f"{count:3} workers: {statistics.median(found):10,.0f} evaluations/s; "
            f"this process: {statistics.median(own_s[count]):5.2f} s of CPU"
        )
    ratios = [more / one for one, more in zip(rates[1], rates[workers], strict=True)]
    print(f"{workers} workers are {statistics.median(ratios):.2f} times as fast as 1")


if __name__ == "__main__":
    main(
        int(sys.argv[1]) if sys.argv[1:] else 2,
        int(sys.argv[2]) if sys.argv[2:] else 3,
        sys.argv[3] if sys.argv[3:] else "first-132",
        sys.argv[4:] or ["arc1-training@symmetries"],
    )
