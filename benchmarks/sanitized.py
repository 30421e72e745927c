"""A small part of the campaign on a GPU in one process, for compute-sanitizer, and a summary of what that reports.

python3 benchmarks/sanitized.py --prepare
compute-sanitizer --tool memcheck --log-file LOG python3 benchmarks/sanitized.py [--engines cuda,cuda-share,cpu]
                                  [--seconds 60] [--programs 20] [--samples 64] [--seed 0]
python3 benchmarks/sanitized.py --summary LOG

The kernels are compiled with line numbers; `--prepare` does that alone, which takes minutes under the sanitizer.
`--summary` counts the hazards and errors of a log by kind and place.

Exit codes: 0 no difference, 1 a difference; with `--summary`, 1 if the log reports something.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Sequence
from itertools import count as count_from
from itertools import pairwise, zip_longest
from pathlib import Path

from batt.runtime.cuda import Device, kernels, launch, opening
from batt.runtime.cuda.modes import LIGHT_WARPS, THREADS, WARPS
from batt.runtime.cuda_warps import tier
from batt.runtime.waiting import Waiting
from campaign import Plan, compare

LINES = "-lineinfo"
NO_END = 1 << 60
"""Ticks that no launch takes."""
REPORT = re.compile(r"========= (?:Error|Warning|Info): (.*)|========= (Invalid .*|Program hit .*|.* error detected.*)")
PLACE = re.compile(r"in [\w./-]*?([\w-]+\.(?:h|cu)):(\d+)")
ACCESS = re.compile(r"(Read|Write) (?:[Aa]ccess|Thread)")
THREAD = re.compile(r"Thread \((\d+),")
VALUES = re.compile(r"Current Value : (\w+), Incoming Value : (\w+)")


def main(arguments: Sequence[str]) -> int:
    """Run batches until the time is over, or sum up a log."""
    given = _parser().parse_args(arguments)
    if given.summary:
        return print_summary(Path(given.summary))
    _with_line_numbers()
    _let_warps_run()
    if given.prepare:
        with Device() as device:
            for more in ((), LIGHT_WARPS.options, WARPS.options):
                kernels.load(device, more)
        return 0
    until_s = time.monotonic() + given.seconds
    plan = Plan(given.engines, given.programs, given.samples)
    compared, tiers, different = Counter[str](), Counter[str](), 0
    for seed in count_from(given.seed):
        batch, _, _ = compare(plan, seed)
        compared.update({name: pair.compared for name, pair in batch.pairs.items()})
        tiers.update(batch.tiers)
        different += sum([pair.different for pair in batch.pairs.values()])
        if time.monotonic() > until_s:
            break
    print(f"seeds {given.seed} to {seed}: {dict(compared)} compared, {different} different, {dict(tiers)}", flush=True)
    return int(different > 0)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prepare", action="store_true", help="compile the kernels, nothing else")
    parser.add_argument("--summary", metavar="LOG", help="sum up a log of compute-sanitizer")
    parser.add_argument("--engines", default="cuda,cuda-share,cpu")
    parser.add_argument("--seconds", type=float, default=60.0, help="begin no batch after this time")
    parser.add_argument("--programs", type=int, default=20)
    parser.add_argument("--samples", type=int, default=64)
    parser.add_argument("--seed", type=int, default=0)
    return parser


def _with_line_numbers() -> None:
    """Compile kernels with line numbers in this process, and let launches take little memory and any time."""
    # A tool slows a launch down so much that all of it would be deferred.
    for mode in (THREADS, WARPS):
        object.__setattr__(mode, "ticks", NO_END)
    # Small arenas, so that other processes have room beside it.
    object.__setattr__(THREADS, "arena_bytes", 64 << 10)
    object.__setattr__(WARPS, "arena_bytes", 2 << 20)
    usual = kernels.options
    kernels.options = lambda compiler, more=(): (*usual(compiler, more), LINES)


def _let_warps_run() -> None:
    """Let warps run even one evaluation, and the CPU none that waits for them: under a tool there are few."""
    tier.GPU_FROM = opening.GPU_FROM = launch.LEAST_AGAIN = 1

    def nothing(waiting: Waiting, threads: int) -> None:
        return None

    Waiting.for_idle_cpu = nothing


def print_summary(log: Path) -> int:
    """Print how often a log reports each kind of hazard or error at each place; return 1 if it reports any."""
    lines = log.read_text("utf-8", "replace").splitlines()
    starts = [number for number, line in enumerate(lines) if REPORT.match(line)]
    found = Counter([_report(lines[start:stop]) for start, stop in pairwise([*starts, len(lines)])])
    for what, count in found.most_common():
        print(f"{count:>8} {what}")
    totals = [line.strip("= ") for line in lines if "SUMMARY" in line]
    print(f"{len(found)} kinds by place; {'; '.join(totals) or 'the log has no summary'}")
    return int(bool(found))


def _report(lines: Sequence[str]) -> str:
    """Return a report in short: its kind, whether one warp did it, the accesses, their places, equal values."""
    head = REPORT.match(lines[0])
    assert head is not None
    text = " ".join(lines[:5])
    places = [f"{name}:{number}" for name, number in PLACE.findall(text)[:2]]
    accesses = [each.lower() for each in ACCESS.findall(text)[:2]]
    parts = [" ".join(each) for each in zip_longest(accesses, places, fillvalue="")] if accesses else places[:1]
    warps = {int(thread) // 32 for thread in THREAD.findall(text)[:2]} if "hazard" in lines[0] else set()
    where = [["", "within a warp", "between warps"][len(warps)]] if warps else []
    values = VALUES.search(text)
    same = ["the same value"] if values and values[1] == values[2] else []
    return " ".join([_kind(head[1] or head[2]), *where, " / ".join(parts), *same])


def _kind(head: str) -> str:
    """Return the kind of a report without addresses and numbers."""
    return re.sub(r"\s*(\(|at |between |in |0x).*", "", head)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
