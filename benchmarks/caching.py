"""What the cache saves: the time to evaluate a deck on tasks without it, while it is filled, and from it.

python3 benchmarks/caching.py [DECK [TASKS]]        DECK is built-in, re-arc or a path; TASKS as for `batt run --tasks`
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import batt
from batt.bench import rearc
from batt.cache import ResultCache


def cpu_s() -> float:
    """Return the CPU time of this process, user and system."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main(deck_name: str, tasks_name: str) -> None:
    """Print wall time and CPU time of each way, and the size of the cache; check that the records are equal."""
    began = time.monotonic()
    sources = {"built-in": batt.load_deck, "re-arc": rearc.verifiers}
    deck = sources[deck_name]() if deck_name in sources else batt.load_deck(deck_name)
    tasks = batt.load_tasks(tasks_name)
    print(f"loading deck and tasks {time.monotonic() - began:9.2f} s")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "cache", "results.db")
        records = None
        for way in ("without", "filling", "from the cache", "from the cache"):
            wall, cpu = time.monotonic(), cpu_s()
            results = batt.evaluate(deck, tasks, cache=way != "without" and ResultCache(path))
            wall, cpu = time.monotonic() - wall, cpu_s() - cpu
            print(f"{way:16} {wall:9.2f} s {cpu:9.2f} s of CPU {results.cached:12,} of {len(results):,}", flush=True)
            records = results.records if records is None else records
            assert np.array_equal(records, results.records)
        print(f"{path.stat().st_size / 1e6:,.1f} MB")


if __name__ == "__main__":
    main(*[*sys.argv[1:], *["built-in", "arc1-training"][len(sys.argv) - 1 :]])
