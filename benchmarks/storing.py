"""What storing a run costs: the CPU time of a process that runs in memory, and that stores, in alternation.

python3 benchmarks/storing.py [ROUNDS] [TASKS …]
"""

from __future__ import annotations

import statistics
import subprocess
import sys

WAYS = ("memory", "all", "hits")

CHILD = """
import resource, sys, tempfile
import batt
from batt.jobs.keeping import Keep
from batt.store import Session
from batt.store.manifest import Choices

way, *sources = sys.argv[1:]
deck, tasks = batt.load_deck(), batt.load_tasks(*sources)
with tempfile.TemporaryDirectory() as folder:
    before = resource.getrusage(resource.RUSAGE_SELF)
    if way == "memory":
        results = batt.evaluate(deck, tasks)
    else:
        with Session.begin(folder, deck, tasks, Choices(keep=Keep(way))) as session:
            results = session.evaluate()
    after = resource.getrusage(resource.RUSAGE_SELF)
print(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, len(results))
"""


def main(rounds: int, sources: list[str]) -> None:
    """Print the median CPU time of each way, and how much more storing takes: the median of all pairs."""
    seconds: dict[str, list[float]] = {way: [] for way in WAYS}
    for _ in range(rounds):
        for way in WAYS:
            command = [sys.executable, "-c", CHILD, way, *sources]
            took, count = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
            seconds[way].append(float(took))
    print(f"{int(count):,} evaluations, {rounds} rounds")
    for way in WAYS:
        more = statistics.median([one / other for one, other in zip(seconds[way], seconds["memory"], strict=True)]) - 1
        print(f"{way:8} {statistics.median(seconds[way]):7.3f} s of CPU  {more:+7.1%}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 7, sys.argv[2:] or ["arc1-training"])
