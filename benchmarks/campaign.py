"""A campaign of differential evaluations: random programs on many samples, every evaluation on two engines or more.

python3 benchmarks/campaign.py FOLDER --minutes 5 [--engines cpu-noshare,cpu-direct,cpu] [--reference 0.01] [--seed 0]
                               [--programs 1000] [--samples 1000] [--processes 2] [--gpu-jobs 4] [--label TEXT]
python3 benchmarks/campaign.py FOLDER

The engines are compared with the last one: `cpu` (compiled, shared), `cpu-noshare`, `cpu-direct`, `cuda`,
`cuda-share` (staged values) and `cuda-warps` (all but the lightest evaluations in warps). `--reference` is the share of
all evaluations that the reference engine runs as well.

A batch follows from its seed; `campaign_batches.py` makes it. FOLDER keeps a line for every batch, and the digests of
its programs and samples. A seed is run once for the same engines, so a campaign goes on where it ended, on this machine
or another one; give each machine seeds of its own, and put their folders together. With nothing but FOLDER, the script
prints the totals: comparisons by engines, and how many pairs of program and sample are distinct.

Exit codes: 0 no difference, 1 a difference or a crash, 2 bad input.
"""

from __future__ import annotations

import argparse
import multiprocessing
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from itertools import count as count_from
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

import campaign_totals
from batt.check.engines import ENGINES, GPUS, EngineResults, NativeEngine, Reference, SharedProgress, on_gpus
from batt.errors import BattError, UsageError
from batt.jobs import choose_engine
from batt.jobs.prepare import prepare
from batt.runtime import Status
from batt.runtime.collected import Collected
from batt.runtime.cuda import launch
from batt.runtime.cuda.modes import THREADS, WARPS
from batt.runtime.evaluations import Evaluations
from batt.runtime.job import Job
from batt.runtime.ladder import Ladder
from batt.runtime.records import RECORD_TYPE
from campaign_batches import WORDS, Made, made
from campaign_totals import Batch, Pair

OK, DIFFERENT, BAD_INPUT = 0, 1, 2
GPU_MEMORY = 0.95
"""The part of a GPU that may be in use. A job takes what its launches need, so that some fit side by side."""
SHARED_ON_GPU, ON_WARPS = "cuda-share", "cuda-warps"
ON_GPU = (GPUS, SHARED_ON_GPU, ON_WARPS)
REFERENCE = "reference"
STEPS_IN_A_THREAD = 100
"""Steps after which `cuda-warps` defers an evaluation to warps."""
BYTES_OF_A_WARP = 4 << 20
TRIES = 3
"""Runs on a GPU before a batch fails: others may hold the memory for a while."""
REFERENCE_STEPS, REFERENCE_S = 200_000, 2.0
"""The most steps of an evaluation that the reference engine runs, and its CPU time for a batch."""
GUARD_S = 3.0
"""The CPU time after which an evaluation of the reference engine ends: a few take minutes in Python."""
AT_ONCE = 100
"""Evaluations of the reference engine between two looks at the clock."""
SHOWN = 3
NOT_COMPARED = (Status.TIMED_OUT, Status.NOT_RUN)
Numbers: TypeAlias = npt.NDArray[Any]
Results: TypeAlias = tuple[Any, Numbers]

_gpu_turn: AbstractContextManager[Any] = nullcontext()
"""Held while a process of the campaign uses a GPU."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a batch is made of, and which engines run it."""

    engines: str
    programs: int
    samples: int
    reference: float = 0.0
    label: str = ""


def main(arguments: Sequence[str]) -> int:
    """Run a campaign for some minutes, or print its totals."""
    given = _parser().parse_args(arguments)
    folder = Path(given.folder)
    is_whole = True
    if given.minutes:
        try:
            chosen_engines(given.engines)
        except BattError as error:
            print(f"error: {error}", file=sys.stderr)
            return BAD_INPUT
        folder.mkdir(parents=True, exist_ok=True)
        plan = Plan(given.engines, given.programs, given.samples, given.reference, given.label)
        is_whole = _run(folder, plan, given.seed, given.minutes, given.processes, given.gpu_jobs)
    elif not folder.is_dir():
        print(f"error: there is no folder {folder}", file=sys.stderr)
        return BAD_INPUT
    return OK if campaign_totals.print_totals(folder) and is_whole else DIFFERENT


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--engines", default="cpu-noshare,cpu-direct,cpu", help="the others are compared with the last")
    parser.add_argument("--reference", type=float, default=0.01, help="share of evaluations that it runs as well")
    parser.add_argument("--seed", type=int, default=0, help="of the first batch")
    parser.add_argument("--minutes", type=float, default=0.0, help="begin no batch after this time")
    parser.add_argument("--programs", type=int, default=1_000, help="of a batch")
    parser.add_argument("--samples", type=int, default=1_000, help="of a batch; fewer for those with large values")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--gpu-jobs", type=int, default=4, help="the most processes that use a GPU at the same time")
    parser.add_argument("--label", default="", help="kept with every batch, such as the commit and the machine")
    return parser


def chosen_engines(names: str) -> list[NativeEngine]:
    """Return the native engines of a list of names."""
    chosen = [name.strip() for name in names.split(",")]
    known = [name for name in (*ENGINES, SHARED_ON_GPU, ON_WARPS) if name != REFERENCE]
    if not set(chosen) <= set(known):
        raise UsageError(f"engines are {', '.join(known)}, got {names!r}; --reference adds the reference engine")
    if len(set(chosen)) < 2 or len(set(chosen)) < len(chosen):
        raise UsageError(f"name at least two different engines to compare, got {names!r}")
    if set(chosen) & set(ON_GPU):
        choose_engine(GPUS)
    return [_engine(name) for name in chosen]


def _engine(name: str) -> NativeEngine:
    if name in ON_GPU:
        return replace(on_gpus(share=name == SHARED_ON_GPU, gpu_memory=GPU_MEMORY), name=name)
    engine = ENGINES[name]
    assert isinstance(engine, NativeEngine)
    return engine


def _run(folder: Path, plan: Plan, first: int, minutes: float, processes: int, gpu_jobs: int) -> bool:
    """Run batches until the time is over; keep each when it is done. Return False if one failed."""
    done = {batch.seed for batch, _, _ in campaign_totals.kept(folder) if batch.engines == plan.engines}
    seeds = (seed for seed in count_from(first) if seed not in done)
    until_s = time.monotonic() + 60 * minutes
    failed: list[int] = []
    begun: set[int] = set()
    while time.monotonic() < until_s or not begun:
        with _pool(processes, gpu_jobs) as pool:
            running: dict[Future[tuple[Batch, Numbers, Numbers]], int] = {}
            try:
                while True:
                    while len(running) < processes and (time.monotonic() < until_s or not begun):
                        seed = next(seeds)
                        begun.add(seed)
                        running[pool.submit(compare, plan, seed)] = seed
                    if not running:
                        break
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        error = future.exception()
                        if isinstance(error, BrokenProcessPool):
                            raise error
                        seed = running.pop(future)
                        if error is None:
                            campaign_totals.keep(folder, *future.result())
                            continue
                        print(f"seed {seed} failed: {error!r}", flush=True)
                        failed.append(seed)
            except BrokenProcessPool:
                print(f"a process crashed; one of these seeds did it: {sorted(running.values())}", flush=True)
                failed += running.values()
    return not failed


def _pool(processes: int, gpu_jobs: int) -> ProcessPoolExecutor:
    spawn = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(processes, spawn, _begin, (spawn.BoundedSemaphore(gpu_jobs),))


def _begin(gpu_turn: AbstractContextManager[Any]) -> None:
    """Begin a process of the campaign."""
    global _gpu_turn
    _gpu_turn = gpu_turn


def compare(plan: Plan, seed: int) -> tuple[Batch, Numbers, Numbers]:
    """Run a batch on all engines. Return what became of it, and the digests of its programs and its samples."""
    began_s, began_cpu_s = time.monotonic(), time.process_time()
    batch = made(seed, plan.programs, plan.samples)
    engines = chosen_engines(plan.engines)
    tiers: Counter[str] = Counter()
    jobs: dict[Any, Job] = {}
    *others, base = [_results(engine, batch, jobs, tiers) for engine in engines]
    pairs = {
        engine.name: _compared(seed, engine.name, batch, np.arange(len(base[0])), base, found)
        for engine, found in zip(engines, others, strict=False)
    }
    callers = 0
    if plan.reference:
        numbers = _sampled(seed, plan.reference, base)
        numbers, found, callers = _reference(batch, numbers)
        pairs[REFERENCE] = _compared(seed, REFERENCE, batch, numbers, base, found)
    records, steps = base
    statuses, counts = np.unique(records["status"], return_counts=True)
    names = [Status(each).name.lower() for each in statuses.tolist()]
    told = Batch(
        seed,
        plan.engines,
        plan.label,
        batch.kind,
        len(batch.programs),
        len(batch.samples),
        pairs,
        dict(zip(names, counts.tolist(), strict=True)),
        campaign_totals.by_power(steps),
        dict(tiers),
        round(time.process_time() - began_cpu_s, 3),
        round(time.monotonic() - began_s, 3),
        callers,
    )
    return told, np.array(batch.program_digests, np.uint64), np.array(batch.sample_digests, np.uint64)


def _results(engine: NativeEngine, batch: Made, jobs: dict[Any, Job], tiers: Counter[str]) -> Results:
    """Return the records and the steps of every program on every sample, program by program."""
    options = replace(engine.options, limits=batch.limits)
    form = options.compiled, options.share
    if form not in jobs:
        jobs[form] = prepare(batch.programs, options)
    evaluations = Evaluations(batch.samples, len(batch.programs))
    for _ in range(TRIES):
        found = Collected(evaluations.total)
        ladder = Ladder(jobs[form].on(evaluations), options, engine.tiers, found)
        with _turn(engine.name):
            ladder.run()
        if not ladder.without:
            break
        time.sleep(1)
    else:
        raise UsageError(f"{engine.name}: a GPU failed, so nothing is compared: {ladder.without[0]}")
    for tier, count in ladder.counts.finished.items():
        tiers[f"{engine.name} on {tier.name.lower()}"] += count
    return found.records, found.steps


@contextmanager
def _turn(engine: str) -> Iterator[None]:
    """Wait for a turn on the GPU if the engine uses it. One launch at a time, so that several jobs have room.

    For `cuda-warps`, threads have few steps meanwhile, and warps less memory.
    """
    if engine not in ON_GPU:
        yield
        return
    usual = THREADS.steps, WARPS.arena_bytes
    launch.SLOTS = launch.THREAD_SLOTS = 1
    with _gpu_turn:
        try:
            if engine == ON_WARPS:
                _set_modes(STEPS_IN_A_THREAD, BYTES_OF_A_WARP)
            yield
        finally:
            _set_modes(*usual)


def _set_modes(steps: int, warp_bytes: int) -> None:
    object.__setattr__(THREADS, "steps", steps)
    object.__setattr__(WARPS, "arena_bytes", warp_bytes)


def _sampled(seed: int, share: float, base: Results) -> Numbers:
    """Return a random part of the evaluations that native code finished within `REFERENCE_STEPS` steps."""
    records, steps = base
    chosen = np.random.default_rng(seed).choice(len(records), max(1, int(share * len(records))), replace=False)
    is_done = ~np.isin(records["status"][chosen], NOT_COMPARED)
    light: Numbers = chosen[is_done & (steps[chosen] <= REFERENCE_STEPS)]
    return light


def _reference(batch: Made, numbers: Numbers) -> tuple[Numbers, Results, int]:
    """Run the reference engine on these evaluations, or on the first of them until `REFERENCE_S` are over.

    Return which it has run, their results, and how many programs called a new word.
    """
    programs, engine = list(batch.programs.values()), Reference(count_ops=batch.kind == WORDS)
    until_s = time.process_time() + REFERENCE_S
    found: list[EngineResults] = []
    done = 0
    while done < len(numbers) and (not found or time.process_time() < until_s):
        pairs = [divmod(number, len(batch.samples)) for number in numbers[done : done + AT_ONCE].tolist()]
        with _guarded():
            found.append(engine.run(programs, batch.samples, pairs, batch.limits, SharedProgress()))
        done += len(pairs)
    records = np.concatenate([each.records for each in found]) if found else np.empty(0, RECORD_TYPE)
    steps = np.concatenate([each.steps for each in found]) if found else np.empty(0, np.int64)
    return numbers[:done], (records, steps), len({program for each in found for program in each.callers})


@contextmanager
def _guarded() -> Iterator[None]:
    """Let an evaluation of the reference engine time out, as one that lacks memory does, after `GUARD_S`."""
    usual = signal.signal(signal.SIGVTALRM, _time_out)
    signal.setitimer(signal.ITIMER_VIRTUAL, GUARD_S, GUARD_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, usual)


def _time_out(number: int, frame: object) -> None:
    raise MemoryError


def _compared(seed: int, engine: str, batch: Made, numbers: Numbers, base: Results, found: Results) -> Pair:
    """Compare what an engine gives for these evaluations with what the last engine gives; show some differences."""
    (theirs, their_steps), (records, steps) = found, (base[0][numbers], base[1][numbers])
    both = ~(np.isin(records["status"], NOT_COMPARED) | np.isin(theirs["status"], NOT_COMPARED))
    unequal = both & ((records != theirs) | (steps != their_steps))
    for place in np.flatnonzero(unequal)[:SHOWN].tolist():
        program, sample = divmod(int(numbers[place]), len(batch.samples))
        what = f"seed {seed}, program {program}, sample {sample}"
        gives = f"{engine} gives {theirs[place]} in {their_steps[place]} steps"
        print(f"{what}: {gives}, the last engine {records[place]} in {steps[place]} steps, for")
        shown = batch.samples[sample]
        print(batch.programs[f"p{program}"].text, shown.input, shown.demonstrations, sep="\n", flush=True)
    return Pair(int(both.sum()), len(numbers) - int(both.sum()), int(unequal.sum()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
