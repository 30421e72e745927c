"""Check whether batt works on this machine.

Each check runs on the real machine. It is `not available` if something that it needs is missing, and says what. It has
`failed` if it finds something wrong, or raises any other error of batt.
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import numpy as np

from batt.check import gpu
from batt.check.fuzz import Request, fuzz
from batt.check.gpu import Wrong
from batt.errors import BattError
from batt.front import Deck, load_deck
from batt.jobs import Results, evaluate, export
from batt.ops import OPS
from batt.runtime import Status, cuda, usable_cores
from batt.runtime.cuda.memory import gib
from batt.runtime.memory import MEMORY
from batt.runtime.native import NativeWorker, library, missing, places
from batt.runtime.options import Options, read_options
from batt.tasks import Tasks, load_tasks

TASKS = "arc1-training"
FEW_TASKS = 4
"""The number of tasks for runs on the reference engine, evenly spread over the set."""
PROGRAMS = 600
MAX_PROGRAMS = 6000


class Lacking(BattError):
    """Something that a check needs is missing; the message says what to do about it."""


class State(Enum):
    """The ways in which a check can end."""

    OK = "ok"
    FAILED = "failed"
    NOT_AVAILABLE = "not available"


class Subject(Enum):
    """The part of batt that a check is about."""

    NATIVE = "native code"
    GPU = "GPUs"
    ENGINES = "engines"


@dataclass(frozen=True, slots=True)
class Check:
    """One check. `run` returns a line about what it found, or raises."""

    name: str
    about: Subject
    run: Callable[[Options], str]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The state in which a check ended, with a line about it and its time."""

    name: str
    about: Subject
    state: State
    line: str
    wall_s: float


def check_machine(tell: Callable[[CheckResult], None] | None = None) -> list[CheckResult]:
    """Run all checks. Pass each result to `tell` as soon as it is there."""
    options = read_options()
    done: list[CheckResult] = []
    for check in CHECKS:
        started_s = time.perf_counter()
        state, line = _ended(check, options)
        done.append(CheckResult(check.name, check.about, state, line, time.perf_counter() - started_s))
        if tell:
            tell(done[-1])
    return done


def _ended(check: Check, options: Options) -> tuple[State, str]:
    """Run a check. Only detection says why something is missing; the other checks name it."""
    if check.name != DETECTION:
        if check.about is not Subject.ENGINES and missing():
            return State.NOT_AVAILABLE, "needs the native library"
        if check.about is Subject.GPU and cuda.missing():
            return State.NOT_AVAILABLE, "needs a GPU"
    try:
        return State.OK, check.run(options)
    except Lacking as lacking:
        return State.NOT_AVAILABLE, str(lacking)
    except BattError as error:
        return State.FAILED, str(error)


def _detect_native(options: Options) -> str:
    why = missing()
    if why:
        # A library that exists and cannot be used is a fault; a missing one is not.
        raise (Wrong if any(path.is_file() for path in places()) else Lacking)(why)
    return f"{library().path.name}, interface {library().call('batt_abi'):08x}, {usable_cores()} usable cores"


def _detect_gpus(options: Options) -> str:
    why = cuda.missing()
    if why:
        raise Lacking(why)
    fit = [each for each in cuda.devices() if cuda.missing((each.number,)) is None]
    return ", ".join([f"{each}, compute capability {each.capability}" for each in fit])


def _arena(options: Options) -> str:
    worker = NativeWorker(library(), MEMORY)
    got = worker.memory.arena_bytes
    worker.close()
    if got < MEMORY.arena_bytes:
        raise Wrong(f"a thread gets {gib(got)} of address space, {gib(MEMORY.arena_bytes)} are wanted (see ulimit -v)")
    return f"{gib(got)} of address space for each of {usable_cores()} threads"


def _operations(options: Options) -> str:
    with tempfile.TemporaryDirectory() as folder:
        lines: list[str] = []
        done = fuzz(Request(0, PROGRAMS, None, usable_cores(), Path(folder)), lines.append)
        # The op table decides which ops random programs call, so a fixed number may not call all of them.
        while not (done.differences or done.interrupted or done.least_executed[1] or done.programs >= MAX_PROGRAMS):
            done.add(fuzz(Request(done.batches, PROGRAMS, None, usable_cores(), Path(folder)), lines.append))
    if done.differences:
        raise Wrong(f"{done.differences:,} differences from the reference engine; see batt check --fuzz\n{lines[0]}")
    name, least = done.least_executed
    if not least:
        raise Wrong(f"{name} was never called")
    compared = (
        f"{done.tally.compared:,} evaluations of {done.programs:,} random programs equal to the reference engine's"
    )
    return f"all {len(OPS)} primitives, each at least {least:,} times; {compared}"


def small_set(count: int = FEW_TASKS) -> tuple[Deck, Tasks]:
    """Return every third solver of the built-in deck, and `count` real tasks, evenly spread."""
    try:
        tasks = load_tasks(TASKS)
    except BattError as error:
        raise Lacking(str(error)) from None
    return load_deck()[::3], tasks.select([tasks.ids[at * len(tasks) // count] for at in range(count)])


def _processor(options: Options) -> str:
    deck, tasks = small_set(40)
    return _complete(evaluate(deck, tasks, engine="cpu"))


def _complete(results: Results) -> str:
    """Return a line about a run. Raise Wrong if evaluations are missing."""
    lost = results.not_run + results.crashed + results.counts[Status.TIMED_OUT.word]
    if lost:
        raise Wrong(f"{lost:,} of {len(results):,} evaluations were not run, crashed or timed out")
    return f"{len(results):,} evaluations in {results.wall_s:.2f} s on the {results.engine} engine, none lost"


def _clean_up(options: Options) -> str:
    deck, tasks = small_set(1)
    threads, processes = set(threading.enumerate()), _children()
    engines = ["reference"] if missing() else ["reference", "cpu"]
    for engine in engines:
        evaluate(deck, tasks, engine=engine)
    # What was there before may have ended meanwhile.
    left = len(set(threading.enumerate()) - threads), len(_children() - processes)
    if any(left):
        raise Wrong(f"left of a run: threads: {left[0]}, processes: {left[1]}")
    return f"no thread and no process is left of runs on {' and '.join(engines)}"


def _children() -> set[str]:
    """Return the numbers of child processes; none if the system does not say."""
    folder = Path("/proc/self/task")
    try:
        return {number for task in folder.iterdir() for number in (task / "children").read_text().split()}
    except OSError:
        return set()


def _equality(options: Options) -> str:
    deck, tasks = small_set()
    if missing():
        raise Lacking("needs the native library: there is nothing to compare")
    engines = ["reference", "cpu", *([] if cuda.missing() else ["cuda"])]
    with tempfile.TemporaryDirectory() as folder:
        texts = {}
        for engine in engines:
            results = evaluate(deck, tasks, engine=engine, compiled=True)
            _complete(results)
            export(results, os.path.join(folder, engine))
            texts[engine] = Path(folder, engine).read_bytes(), results.records
    wanted, records = texts["reference"]
    for engine, (text, got) in texts.items():
        if text != wanted:
            raise Wrong(
                f"{engine} differs from reference in {int(np.sum(got != records)):,} of {len(got):,} evaluations"
            )
    return f"{len(records):,} evaluations of the built-in deck: exports of {', '.join(engines)} are the same bytes"


DETECTION = "detection"
CHECKS = (
    Check(DETECTION, Subject.NATIVE, _detect_native),
    Check(DETECTION, Subject.GPU, _detect_gpus),
    Check("memory", Subject.NATIVE, _arena),
    Check("memory", Subject.GPU, gpu.memory),
    Check("batch size", Subject.GPU, lambda options: gpu.batch_size(options, *small_set(40))),
    Check("operations", Subject.NATIVE, _operations),
    Check("operations", Subject.GPU, gpu.operations),
    Check("processor", Subject.NATIVE, _processor),
    Check("processor", Subject.GPU, lambda options: gpu.processor(options, *small_set(40))),
    Check("clean-up", Subject.ENGINES, _clean_up),
    Check("clean-up", Subject.GPU, lambda options: gpu.clean_up(options, *small_set(10))),
    Check("equality", Subject.ENGINES, _equality),
)
