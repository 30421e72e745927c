"""Columns in Python, in one process on one core: plain Python, and the reference engine timed by evaluation.

Plain Python uses the primitives that `reasoning_gym` ships: frozensets in the order of their hashes, no budget.
re-arc's verifiers run as they are published there; programs of other decks are written out as functions over the same
primitives, their helpers too. The time of an evaluation is that of the program alone, without scoring it; the total of
batt's engines includes everything.
"""

from __future__ import annotations

import gc
import importlib
import resource
import signal
import sys
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from types import FrameType, ModuleType
from typing import Any

import numpy as np

from batt.bench import rearc
from batt.bench.cases import BenchCase
from batt.bench.columns import BenchColumn, ColumnKind
from batt.bench.passes import Pass, peak_bytes, reset_peak
from batt.front import Solver
from batt.ir import Helper
from batt.ir.functions import all_helpers, functions_of
from batt.ir.writing import source_text
from batt.ops import OPS
from batt.runtime import ERROR_KINDS, Limits, Outcome, Sample, Status, evaluate_one
from batt.runtime.evaluations import Integers
from batt.runtime.packing import pack
from batt.runtime.records import RECORD_TYPE, unfilled
from batt.runtime.reference.evaluation import FRAMES

GUARD_S = 10.0
"""The seconds after which an evaluation in plain Python is stopped, and left out of every ratio."""
MAX_BYTES = 8 << 30
RAISED = (TypeError, ValueError, LookupError, AttributeError, StopIteration, RuntimeError, ArithmeticError)


class Stopped(BaseException):
    """The guard ended an evaluation."""


class PythonRunner:
    """A case in Python. It sets an alarm, so it must be in the main thread.

    A single call of C, such as the hash of a value of 2**60 parts, never reacts to an alarm. So `begin` is called with
    the position of each evaluation, and the caller may end the process.
    """

    def __init__(
        self, case: BenchCase, column: BenchColumn, limits: Limits, guard_s: float, begin: Callable[[int], None]
    ) -> None:
        self.case = case
        self.begin = begin
        self.limits = limits
        self.is_plain = column.kind is ColumnKind.PLAIN
        self.guard_s = guard_s if self.is_plain else limits.wall_s
        self.functions = plain_functions(case) if self.is_plain else {}
        sys.setrecursionlimit(max(FRAMES, sys.getrecursionlimit()))

    def run(self, numbers: Integers | None, lost: Collection[int] = ()) -> Pass:
        """Run the evaluations `numbers` of the case, or all; those at the positions `lost` count as timed out."""
        solvers, samples = self.case.pairs if numbers is None else (each[numbers] for each in self.case.pairs)
        records, times_ns = unfilled(len(solvers)), np.full(len(solvers), -1, np.int64)
        reset_peak()
        before = signal.signal(signal.SIGALRM, _stop)
        gc.collect()
        gc.disable()
        started_s = time.perf_counter()
        first_s = 0.0
        for at, (program, position) in enumerate(zip(solvers.tolist(), samples.tolist(), strict=True)):
            self.begin(at)
            solver, sample = self.case.deck[program], self.case.samples[position]
            if at in lost:
                records["status"][at] = Status.TIMED_OUT
            elif not self.is_plain or solver.name in self.functions:
                times_ns[at], record = self._guarded(solver, sample)
                records[at] = np.frombuffer(record, RECORD_TYPE)[0]
            first_s = first_s or time.perf_counter() - started_s
        wall_s = time.perf_counter() - started_s
        gc.enable()
        signal.signal(signal.SIGALRM, before)
        return Pass(records, times_ns, wall_s, 0.0, first_s, peak_bytes())

    def _guarded(self, solver: Solver, sample: Sample) -> tuple[int, bytes]:
        """Return the nanoseconds and the record of an evaluation; -1 if the guard ended it."""
        one = self._plain if self.is_plain else self._reference
        try:
            signal.setitimer(signal.ITIMER_REAL, self.guard_s)
            try:
                return one(solver, sample)
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
        except (Stopped, MemoryError):
            return -1, pack(Outcome(Status.TIMED_OUT), sample)

    def _reference(self, solver: Solver, sample: Sample) -> tuple[int, bytes]:
        started_ns = time.thread_time_ns()
        outcome = evaluate_one(solver.program, sample, self.limits)
        took_ns = time.thread_time_ns() - started_ns
        return took_ns, pack(outcome, sample)

    def _plain(self, solver: Solver, sample: Sample) -> tuple[int, bytes]:
        function, arguments = self.functions[solver.name], sample.arguments(solver.program.arity)
        error = ""
        value: Any = None
        started_ns = time.thread_time_ns()
        try:
            value = function(*arguments)
        except RAISED as raised:
            error = type(raised).__name__
        took_ns = time.thread_time_ns() - started_ns
        return took_ns, _packed(value, error, sample)


def bound_memory() -> None:
    """Limit the memory of this process from now on: plain Python has no budget."""
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MAX_BYTES, resource.getrlimit(resource.RLIMIT_AS)[1]))


def plain_functions(case: BenchCase) -> dict[str, Callable[..., Any]]:
    """Return the solvers of a case as plain functions, without those that use what these primitives lack."""
    verifiers = _module("verifiers")
    if all(hasattr(verifiers, name) for name in case.deck.names):
        return {name: getattr(verifiers, name) for name in case.deck.names}
    primitives = {name: each for name, each in vars(_module("dsl")).items() if name in OPS}
    made: dict[str, Callable[..., Any]] = {}
    for solver in case.deck:
        helpers = all_helpers(solver.program)
        programs = [solver.program, *[helper.program for helper in helpers]]
        used = [each for program in programs for each in functions_of(program)]
        if all(isinstance(each, Helper) or each.name in primitives for each in used):
            # The text is batt's own, of parsed programs: calls of primitives and helpers, names and numbers.
            space: dict[str, Any] = {**primitives, "T": True, "F": False}
            # The name is longer than that of each helper.
            name = "_".join(["plain", *[helper.name for helper in helpers]])
            exec(source_text(solver.program, name), space)
            made[solver.name] = space[name]
    return made


def _packed(value: Any, error: str, sample: Sample) -> bytes:
    """Return the outcome as a record, as far as plain Python's value or error is one of the language."""
    if error:
        return pack(Outcome(Status.RAISED, error if error in ERROR_KINDS else ""), sample)
    try:
        return pack(Outcome(Status.OK, value=value), sample)
    except (TypeError, RecursionError):
        return pack(Outcome(Status.OK), sample)


def _module(name: str) -> ModuleType:
    """Import a module of the verifiers' folder, without the package around it."""
    parent = str(rearc.folder().parent)
    sys.path.insert(0, parent)
    try:
        return importlib.import_module(f"rearc_utils.{name}")
    finally:
        sys.path.remove(parent)


def _stop(signum: int, frame: FrameType | None) -> None:
    raise Stopped
