"""Measure exports: CPU time in user mode and size of each format, for the rows of a stored run.

python3 benchmarks/exporting.py DIR [REPEATS]
"""

from __future__ import annotations

import resource
import sys
import tempfile
from pathlib import Path

import batt

FORMATS = ("jsonl", "jsonl.gz", "csv", "csv.gz", "parquet")


def user_s() -> float:
    """Return the time that this process spent in user mode."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def main() -> None:
    """Print a row for each format, and one for a table of pandas."""
    folder, repeats = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3
    results = batt.open_run(folder)
    print(f"{len(results) - results.not_run:,} evaluations")
    with tempfile.TemporaryDirectory() as made:
        for suffix in FORMATS:
            path = Path(made, f"rows.{suffix}")
            times = []
            for _ in range(repeats):
                before = user_s()
                batt.export(results, path)
                times.append(user_s() - before)
            print(f"{suffix:10} {min(times):8.2f} s {path.stat().st_size / 1e6:8.1f} MB")
    times = []
    for _ in range(repeats):
        before = user_s()
        table = results.to_pandas()
        times.append(user_s() - before)
    size = int(table.memory_usage(deep=True).sum())
    print(f"{'to_pandas':10} {min(times):8.2f} s {size / 1e6:8.1f} MB in memory")


if __name__ == "__main__":
    main()
