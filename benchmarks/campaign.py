"""A campaign of differential evaluations: random programs on many samples, every evaluation on two engines or more.

python3 benchmarks/campaign.py FOLDER [--engines cpu,cpu-direct] [--seed 0] [--minutes 5] [--programs 1000]
                               [--samples 1000] [--processes 2] [--gpu-memory 0.8]
python3 benchmarks/campaign.py FOLDER

All engines are compared with the last one: `cpu` (compiled, shared), `cpu-noshare`, `cpu-direct`, `cuda`, `reference`.
A batch follows from its seed: so many programs, each on all of so many samples, which are parts of real tasks and
random grids. FOLDER keeps one line for every batch and the digests of its programs. A seed is run once for the same
engines, so a campaign goes on where it ended, on this machine or another one; give each machine seeds of its own, and
put their folders together. With nothing but FOLDER, the script prints the totals: evaluations of distinct pairs of
program and sample, by engines, and how many of them differed.

Exit codes: 0 no difference, 1 a difference, 2 bad input.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from itertools import count as count_from
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.check.batches import random_sample, sources
from batt.check.engines import ENGINES, NativeEngine, Reference, SharedProgress, engines_named
from batt.errors import BattError
from batt.front import Deck
from batt.ir import Program
from batt.jobs.prepare import prepare
from batt.runtime import Limits, Sample, Status
from batt.runtime.collected import Collected
from batt.runtime.evaluations import Evaluations
from batt.runtime.ladder import Ladder

OK, DIFFERENT, BAD_INPUT = 0, 1, 2
LIMITS = Limits(steps=20_000, max_items=20_000)
"""The usual budget; programs are short, and a few of them grow without end."""
TIGHT = (Limits(steps=150, max_items=30), Limits(steps=700, max_items=300))
"""Budgets that many programs exceed, for one batch of eight each."""
SHOWN = 3
NOT_COMPARED = (Status.TIMED_OUT, Status.NOT_RUN)
Numbers = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a batch is made of, and which engines run it."""

    engines: str
    programs: int
    samples: int
    gpu_memory: float


@dataclass(frozen=True, slots=True)
class Batch:
    """What became of a batch: distinct programs and samples, and evaluations compared, deferred or ended by a guard."""

    seed: int
    engines: str
    programs: int
    samples: int
    compared: int
    not_compared: int
    different: int
    by_status: dict[str, int]
    wall_s: float


def main(arguments: Sequence[str]) -> int:
    """Run a campaign for some minutes, or print its totals."""
    given = _parser().parse_args(arguments)
    folder = Path(given.folder)
    if given.minutes:
        try:
            engines_named(given.engines)
        except BattError as error:
            print(f"error: {error}", file=sys.stderr)
            return BAD_INPUT
        folder.mkdir(parents=True, exist_ok=True)
        plan = Plan(given.engines, given.programs, given.samples, given.gpu_memory / given.processes)
        _run(folder, plan, given.seed, given.minutes, given.processes)
    elif not folder.is_dir():
        print(f"error: there is no folder {folder}", file=sys.stderr)
        return BAD_INPUT
    return _print_totals(folder)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--engines", default="cpu,cpu-direct", help=f"of {', '.join(ENGINES)}")
    parser.add_argument("--seed", type=int, default=0, help="of the first batch")
    parser.add_argument("--minutes", type=float, default=0.0, help="begin no batch after this time")
    parser.add_argument("--programs", type=int, default=1_000, help="of a batch, at most 1,000")
    parser.add_argument("--samples", type=int, default=1_000, help="of a batch")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--gpu-memory", type=float, default=0.8, help="of a GPU, for all processes together")
    return parser


def _run(folder: Path, plan: Plan, first: int, minutes: float, processes: int) -> None:
    """Run batches until the time is over; keep each when it is done."""
    done = {batch.seed for batch in _kept(folder) if batch.engines == plan.engines}
    seeds = (seed for seed in count_from(first) if seed not in done)
    until_s = time.monotonic() + 60 * minutes
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        running = {pool.submit(compare, plan, next(seeds)) for _ in range(processes)}
        while running:
            ended, running = wait(running, return_when=FIRST_COMPLETED)
            for future in ended:
                _keep(folder, *future.result())
                if time.monotonic() < until_s:
                    running.add(pool.submit(compare, plan, next(seeds)))


def _keep(folder: Path, batch: Batch, digests: Numbers) -> None:
    name = f"{batch.engines.replace(',', '-')}.{batch.seed}"
    np.save(folder / f"{name}.npy", digests)
    (folder / f"{name}.json").write_text(json.dumps(asdict(batch)) + "\n", "utf-8")
    print(
        f"seed {batch.seed}: {batch.compared:,} compared, {batch.different} different, {batch.wall_s:.1f} s", flush=True
    )


def _kept(folder: Path) -> list[Batch]:
    return [Batch(**json.loads(path.read_text("utf-8"))) for path in sorted(folder.glob("*.json"))]


def compare(plan: Plan, seed: int) -> tuple[Batch, Numbers]:
    """Run a batch on all engines. Return what became of it, and the digests of its programs."""
    began_s = time.monotonic()
    engines = engines_named(plan.engines, gpu_memory=plan.gpu_memory)
    deck = distinct(Deck.from_sources(sources(seed, plan.programs)))
    samples = samples_of(seed, plan.samples)
    limits = TIGHT[seed % 8] if seed % 8 < len(TIGHT) else LIMITS
    *others, (records, steps) = [_results(engine, deck, samples, limits) for engine in engines]
    compared, different = 0, 0
    for engine, (theirs, their_steps) in zip(engines, others, strict=False):
        both = ~(np.isin(records["status"], NOT_COMPARED) | np.isin(theirs["status"], NOT_COMPARED))
        unequal = both & ((records != theirs) | (steps != their_steps))
        compared += int(both.sum())
        different += int(unequal.sum())
        for number in np.flatnonzero(unequal)[:SHOWN].tolist():
            _show(seed, engine.name, deck, samples, number, records[number], theirs[number])
    found = Counter([Status(each).name.lower() for each in records["status"].tolist()])
    counts = compared, len(others) * len(records) - compared, different
    batch = Batch(seed, plan.engines, len(deck), len(samples), *counts, dict(found), time.monotonic() - began_s)
    return batch, np.array([_digest(program) for program in deck.programs.values()], np.uint64)


def distinct(deck: Deck) -> Deck:
    """Return the deck without programs that it has already."""
    first: dict[int, str] = {}
    for name, program in deck.programs.items():
        first.setdefault(_digest(program), name)
    return deck.select(list(first.values()))


def _digest(program: Program) -> int:
    return int.from_bytes(sha256(program.text.encode()).digest()[:8], "little")


def samples_of(seed: int, count: int) -> tuple[Sample, ...]:
    """Return distinct samples."""
    random, found = Random(~seed), dict[tuple[Any, ...], Sample]()
    while len(found) < count:
        sample = random_sample(random)
        found.setdefault((sample.demonstrations, sample.input, sample.expected), sample)
    return tuple(found.values())


def _results(engine: Any, deck: Deck, samples: Sequence[Sample], limits: Limits) -> tuple[Any, Numbers]:
    """Return the records and the steps of every program on every sample, program by program."""
    if isinstance(engine, Reference):
        pairs = [(program, sample) for program in range(len(deck)) for sample in range(len(samples))]
        found = engine.open(deck, samples)(pairs, limits, SharedProgress(bytearray(16 + 4 * len(pairs))))
        return found.records, found.steps
    assert isinstance(engine, NativeEngine)
    job = prepare(deck.programs, engine.options)
    evaluations = Evaluations(samples, len(deck))
    kept = Collected(evaluations.total)
    Ladder(job.on(evaluations), replace(engine.options, limits=limits), engine.tiers, kept).run()
    return kept.records, kept.steps


def _show(seed: int, engine: str, deck: Deck, samples: Sequence[Sample], number: int, one: Any, other: Any) -> None:
    solver, sample = divmod(number, len(samples))
    print(f"seed {seed}, sample {sample}: {engine} gives {other}, the last engine {one}, for")
    print(deck[deck.names[solver]].source, samples[sample].input, samples[sample].demonstrations, sep="\n", flush=True)


def _print_totals(folder: Path) -> int:
    """Print the totals by engines; return whether there are differences."""
    totals: dict[str, Counter[str]] = defaultdict(Counter)
    digests: dict[str, list[Numbers]] = defaultdict(list)
    for batch in _kept(folder):
        own = np.load(folder / f"{batch.engines.replace(',', '-')}.{batch.seed}.npy")
        digests[batch.engines].append(own)
        totals[batch.engines] += Counter(batches=1, compared=batch.compared, different=batch.different)
        totals[batch.engines] += Counter(not_compared=batch.not_compared, **batch.by_status)
    for engines, total in totals.items():
        programs = len(np.unique(np.concatenate(digests[engines])))
        print(f"{engines}: {programs:,} distinct programs")
        print("  " + ", ".join([f"{name.replace('_', ' ')} {value:,}" for name, value in total.items()]))
    if not totals:
        return OK
    programs = len(np.unique(np.concatenate([each for found in digests.values() for each in found])))
    compared, different = (sum([total[name] for total in totals.values()]) for name in ("compared", "different"))
    print(f"in all: {programs:,} distinct programs, {compared:,} comparisons, {different:,} different")
    return DIFFERENT if different else OK


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
