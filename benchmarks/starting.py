"""How long `batt run` takes besides its evaluations, from the start of the process to its end.

python3 benchmarks/starting.py [DECK [TASKS [RUNS]]]      DECK is built-in, re-arc or a path; by default re-arc, 12, 5

The cache folder is empty before the first run, so that nothing is kept. The others find what it kept.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from batt.bench import rearc

CHILD = """
import gc
import json
import os
import sys
import time
gc.disable()
from batt.runtime.ladder import Ladder
run = Ladder.run
def timed(ladder):
    began = time.perf_counter(), time.process_time()
    try:
        run(ladder)
    finally:
        with open(os.environ["TIMES"], "w") as file:
            json.dump([time.perf_counter() - began[0], time.process_time() - began[1]], file)
Ladder.run = timed
from batt.__main__ import main
sys.exit(main())
"""
"""What a process runs: `batt`, with a clock around the evaluations."""


@dataclass(frozen=True, slots=True)
class Times:
    """The time of a run and that of its evaluations, in seconds."""

    total_s: float
    evaluations_s: float

    @property
    def besides_s(self) -> float:
        """Return the time besides the evaluations."""
        return self.total_s - self.evaluations_s


def run_once(folder: Path, command: list[str]) -> tuple[Times, Times, bytes]:
    """Run `command` of batt. Return wall time, CPU time, and what it prints."""
    variables = {**os.environ, "BATT_CACHE_DIR": str(folder / "cache"), "TIMES": str(folder / "times")}
    wall, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, "-c", CHILD, *command], env=variables, capture_output=True, check=True)
    wall, after = time.perf_counter() - wall, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    wall_in, cpu_in = json.loads((folder / "times").read_bytes())
    return Times(wall, wall_in), Times(cpu, cpu_in), done.stdout


def main(deck: str, tasks: int, runs: int) -> None:
    """Print the times of the first run, and the medians of the others."""
    path = str(rearc.folder() / "verifiers.py") if deck == "re-arc" else deck
    command = ["run", *([] if path == "built-in" else [path]), "-c", str(tasks)]
    with tempfile.TemporaryDirectory() as folder:
        made = [run_once(Path(folder), command) for _ in range(1 + runs)]
    outcomes = {next(line for line in text.splitlines() if line.startswith(b"outcomes")) for _, _, text in made}
    assert len(outcomes) == 1, outcomes
    print(f"{'':24}{'whole run':>12}{'evaluations':>14}{'besides':>10}")
    for name, chosen in (("first run", made[:1]), (f"median of {runs} more", made[1:])):
        for clock, times in (("wall", [each[0] for each in chosen]), ("CPU", [each[1] for each in chosen])):
            figures = [
                median([getattr(each, field) for each in times]) for field in ("total_s", "evaluations_s", "besides_s")
            ]
            print(f"{f'{name}, {clock}':24}{figures[0]:10.3f} s{figures[1]:12.3f} s{figures[2]:8.3f} s")


if __name__ == "__main__":
    given = [*sys.argv[1:], *["re-arc", "12", "5"][len(sys.argv) - 1 :]]
    main(given[0], int(given[1]), int(given[2]))
