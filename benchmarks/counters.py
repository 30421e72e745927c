"""Run one launch of each kernel on evaluations by their steps, for NVIDIA's profiler, and make a table of its counters.

python3 benchmarks/counters.py --prepare FOLDER [--deck re-arc]
python3 benchmarks/counters.py FOLDER [--deck re-arc] [--part 4] [--launches threads-1000,light-43000]
ncu --replay-mode application --clock-control none --csv --log-file LOG --metrics "$(python3 benchmarks/counters.py
    --metrics)" python3 benchmarks/counters.py FOLDER
python3 benchmarks/counters.py --table LOG

`--prepare` runs the deck on ARC-1 training on the CPU, and writes steps and records to the folder. The name of a launch
says in what it runs, and the most steps of its evaluations, which have more than those of the launch before. It has one
of `--part` of them, and each record is compared with the CPU's. No launch has a limit of time, since the profiler slows
it down.

Exit codes: 0 all records are equal, 1 some differ.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from batt.bench.growth import TASKS
from batt.bench.measure import LIMITS
from batt.jobs import samples_of
from batt.jobs.prepare import prepare
from batt.runtime.collected import Collected
from batt.runtime.context import MOST, Loaded
from batt.runtime.cuda import Device, kernels
from batt.runtime.cuda.grouping import GROUP
from batt.runtime.cuda.launch import LaunchSlot, Prepared
from batt.runtime.cuda.memory import Room
from batt.runtime.cuda.modes import LIGHT_WARPS, THREADS, WARPS, Mode
from batt.runtime.evaluations import Block, Evaluations
from batt.runtime.job import Job
from batt.runtime.ladder import Ladder
from batt.runtime.native import Budget
from batt.runtime.options import Options
from batt.tasks import load_tasks
from sanitized import NO_END
from sizes import DECKS

STEPS, RECORDS = "steps.npy", "records.npy"
OPTIONS = Options(engine="cuda", limits=LIMITS, compiled=True, share=False)

TIME, EXECUTED, LANES = "gpu__time_duration.sum", "smsp__inst_executed.sum", "smsp__thread_inst_executed.sum"
FETCHED = "gcc__cache_requests_type_instruction.sum"
"""Instructions that the SMs' own caches did not have."""
ISSUE = "smsp__issue_active.avg.pct_of_peak_sustained_active"
IN_ALL = "smsp__average_warp_latency_per_inst_issued.ratio"
STALL = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"
STALLS = {
    "barrier": ("barrier",),
    "no instruction": ("no_instruction",),
    "memory": ("long_scoreboard", "lg_throttle", "short_scoreboard", "mio_throttle"),
}
METRICS = (
    TIME,
    EXECUTED,
    LANES,
    FETCHED,
    ISSUE,
    IN_ALL,
    *[STALL.format(each) for names in STALLS.values() for each in names],
)


@dataclass(frozen=True, slots=True)
class Launch:
    """A launch: the kernel's mode, and how many steps its evaluations have."""

    name: str
    mode: Mode
    above: int
    most: int


LAUNCHES = (
    Launch("threads-1000", THREADS, 0, 1_000),
    Launch("threads-5000", THREADS, 1_000, 5_000),
    Launch("light-43000", LIGHT_WARPS, 5_000, 43_000),
    Launch("warps-300000", WARPS, 43_000, 300_000),
    Launch("warps-more", WARPS, 300_000, 3_000_000),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Prepare, launch, or make a table."""
    given = _parser().parse_args(arguments)
    if given.metrics:
        print(",".join(METRICS))
        return 0
    if given.table:
        print(*table(counted(Path(given.table).read_text("utf-8").splitlines())), sep="\n")
        return 0
    job = whole_job(given.deck)
    if given.prepare:
        prepare_folder(job, Path(given.prepare))
        return 0
    wanted = given.launches.split(",")
    different = run(job, Path(given.folder), [each for each in LAUNCHES if each.name in wanted], given.part)
    return int(different > 0)


def whole_job(name: str) -> Job:
    """Return a deck on all samples of ARC-1 training."""
    deck, samples = DECKS[name](), samples_of(load_tasks(TASKS))
    return prepare(deck.programs, OPTIONS).on(Evaluations(samples, len(deck)))


def prepare_folder(job: Job, folder: Path) -> None:
    """Run all evaluations on the CPU, and keep their steps and records."""
    found = Collected(job.evaluations.total)
    Ladder(job, replace(OPTIONS, engine="cpu"), observer=found).run()
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / STEPS, found.steps)
    np.save(folder / RECORDS, found.records)


def run(job: Job, folder: Path, launches: Sequence[Launch], part: int) -> int:
    """Run each launch, print a line for it, and return how many records differ from the CPU's."""
    steps, records = np.load(folder / STEPS), np.load(folder / RECORDS)
    budget = Budget(min(LIMITS.steps, MOST), min(LIMITS.max_items, MOST), OPTIONS.work, OPTIONS.scores)
    loaded, different = Loaded.of(job, outputs=False), 0
    with Device() as device:
        of_ops = kernels.op_options(job.image)
        for each in launches:
            kernel = kernels.load(device, (*each.mode.options, *of_ops))
            prepared = Prepared(device, kernel, loaded.program, loaded.batch, budget, OPTIONS)
            block = chosen(job, steps, each, part)
            arenas = each.mode.per_sm * device.info.sms
            slot = LaunchSlot(
                prepared, replace(each.mode, ticks=NO_END), kernel, Room(each.mode.need, arenas, GROUP * len(block))
            )
            started_s = time.perf_counter()
            found = slot.run(block, job.slice_of[block.solvers])()
            wall_s = time.perf_counter() - started_s
            slot.close()
            wrong = int((found.records != records[found.numbers]).sum())
            different += wrong
            deferred = {cause.text: len(rest) for cause, rest in found.deferred.items()}
            print(f"{each.name}: {len(block):,} evaluations, {1000 * wall_s:.1f} ms, "
                  f"{len(found.numbers):,} finished, {wrong} differ; deferred {deferred}", flush=True)  # fmt: skip
    loaded.close()
    return different


def chosen(job: Job, steps: npt.NDArray[np.int64], launch: Launch, part: int) -> Block:
    """Return one of `part` groups of neighbours whose steps the launch is for, solver by solver."""
    numbers = np.flatnonzero((steps > launch.above) & (steps <= launch.most))
    width = len(job.evaluations.samples)
    # Whole groups of one solver: threads of a launch take the same path.
    numbers = numbers[np.arange(len(numbers)) // GROUP % part == 0]
    return Block(numbers, numbers // width, numbers % width)


def counted(lines: Iterable[str]) -> Mapping[int, Mapping[str, float]]:
    """Return the counters of each launch of a log of `ncu --csv`, by the number of the launch."""
    rows = csv.DictReader([line for line in lines if line.startswith('"')])
    found: dict[int, dict[str, float]] = defaultdict(dict)
    for row in rows:
        found[int(row["ID"])][row["Metric Name"]] = float(row["Metric Value"].replace(",", ""))
    return found


def table(launches: Mapping[int, Mapping[str, float]]) -> Iterator[str]:
    """Describe the launches, in the order in which they ran."""
    yield "| launch | ms | warp instructions | active lanes | fetched | issue slots | " + " | ".join(STALLS) + " |"
    yield "|--:|" + "--:|" * (5 + len(STALLS))
    for number, counts in launches.items():
        cells = [f"{counts[TIME] / 1e6:.1f}", f"{counts[EXECUTED]:,.0f}", f"{counts[LANES] / counts[EXECUTED]:.1f}"]
        cells += [f"{counts[FETCHED]:,.0f}", f"{counts[ISSUE]:.1f} %"]
        for names in STALLS.values():
            cells.append(f"{100 * sum(counts[STALL.format(each)] for each in names) / counts[IN_ALL]:.0f} %")
        yield f"| {number} | " + " | ".join(cells) + " |"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", default="counters")
    parser.add_argument("--deck", default="re-arc", choices=sorted(DECKS))
    parser.add_argument("--prepare", metavar="FOLDER", help="run all evaluations on the CPU, nothing else")
    parser.add_argument("--table", metavar="LOG", help="make a table of a log of ncu")
    parser.add_argument("--metrics", action="store_true", help="print the metrics for ncu")
    parser.add_argument("--part", type=int, default=4)
    parser.add_argument("--launches", default=",".join(each.name for each in LAUNCHES[:4]))
    return parser


if __name__ == "__main__":
    sys.exit(main())
