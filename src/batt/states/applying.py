"""Apply ops and programs to states: make calls of them, and run these on threads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from batt.bytecode.abi import Cause, Ended
from batt.bytecode.table import STANDARD
from batt.errors import UsageError
from batt.front import Solver
from batt.ir import Program
from batt.ops import EVERY_OP, Op
from batt.runtime.cpu.worker import ThreadWorker
from batt.runtime.native import Budget, library
from batt.source import did_you_mean
from batt.states.derivations import Derivations
from batt.states.native import (
    CALLEE_TYPE,
    CANDIDATE_TYPE,
    MOST_ARGUMENTS,
    NO_STATE,
    SLICE,
    Calls,
    Evaluated,
    NativeStates,
)
from batt.states.programs import KeptPrograms
from batt.states.threads import KeptThreads

BLOCK = 1_024
"""Candidates that a thread evaluates before they are merged."""
ROUND = 1 << 16
"""Candidates in one call of native code with one thread, between which an interrupt ends the call."""

CalleeSource: TypeAlias = "str | Op | Program | Solver"
HandleSource: TypeAlias = "int | npt.ArrayLike"


class Applier:
    """Applies ops and programs to the states of one task."""

    def __init__(
        self,
        native: NativeStates,
        derivations: Derivations,
        threads: KeptThreads,
        programs: KeptPrograms,
        budget: Budget,
    ) -> None:
        self._native = native
        self._derivations = derivations
        self._threads = threads
        self._programs = programs
        self._budget = budget

    def apply(
        self,
        callees: Sequence[CalleeSource],
        called: npt.ArrayLike | None,
        arguments: Sequence[HandleSource],
        demonstrations: int,
    ) -> npt.NDArray[np.void]:
        """Apply `callees[called[k]]` to the arguments of candidate k; `demonstrations` is the S of programs."""
        if self._native.closed:
            raise UsageError("the states are closed")
        which = None if called is None else np.asarray(called, np.int64).reshape(-1)
        if which is not None and len(which) and not 0 <= int(which.min()) <= int(which.max()) < len(callees):
            raise UsageError(f"a callee is out of range: there are {len(callees):,}")
        columns = [np.asarray(each, np.int64).reshape(-1) for each in arguments]
        count = np.broadcast_shapes(*[each.shape for each in (*columns, *([] if which is None else [which]))])[0]
        table, slices = self._table(callees, count * self._native.samples)
        if table.program is not None:
            columns = self._inputs(columns, demonstrations)
        made = np.zeros(count, CANDIDATE_TYPE)
        rows = np.full((count, MOST_ARGUMENTS), NO_STATE, np.uint32)
        for place, column in enumerate(columns):
            rows[:, place] = np.where(column < 0, NO_STATE, column)
        numbers = None if which is None else np.broadcast_to(which, count).astype(np.uint32)
        calls = Calls(table.callees, numbers, rows, table.program)
        if (slices < 0).any():
            return self._without_refused(calls, slices, made)
        self._run(calls, made)
        return made

    def _inputs(self, columns: Sequence[npt.NDArray[np.int64]], demonstrations: int) -> list[npt.NDArray[np.int64]]:
        """Return the columns of S, I and parameters for programs."""
        if not 1 <= len(columns) <= MOST_ARGUMENTS:
            raise UsageError(
                f"a program takes the state of I, or those of S, I and at most {MOST_ARGUMENTS - 2} parameters; "
                f"got {len(columns)}"
            )
        return [np.array([demonstrations]), columns[0]] if len(columns) == 1 else list(columns)

    def _table(self, callees: Sequence[CalleeSource], evaluations: int) -> tuple[Calls, npt.NDArray[np.int64]]:
        """Return the callees as native code reads them, and the slice of each; -1 if native code refuses one."""
        given = [each.program if isinstance(each, Solver) else each for each in callees]
        programs = [each for each in given if isinstance(each, Program)]
        none = np.zeros((0, MOST_ARGUMENTS), np.uint32)
        if not programs:
            numbers = [STANDARD.numbers[op_named(each)] for each in given]  # type: ignore[arg-type]
            rows = np.array([(number, number, 1) for number in numbers], CALLEE_TYPE)
            return Calls(rows, None, none), np.array(numbers, np.int64)
        if len(programs) < len(given):
            raise UsageError("ops and programs cannot be applied in one call")
        image, slices = self._programs.together(programs, evaluations)
        names = [self._derivations.callee(each) for each in programs]
        lengths = [max(1, len(each.steps)) for each in programs]
        codes = [SLICE | max(place, 0) for place in slices]
        rows = np.array(list(zip(codes, names, lengths, strict=True)), CALLEE_TYPE)
        return Calls(rows, None, none, self._programs.images[image].native), np.array(slices, np.int64)

    def _without_refused(
        self, calls: Calls, slices: npt.NDArray[np.int64], made: npt.NDArray[np.void]
    ) -> npt.NDArray[np.void]:
        """Run the candidates whose program native code accepts; the others are not supported."""
        called = np.zeros(len(calls), np.uint32) if calls.called is None else calls.called
        accepted = np.flatnonzero(slices[called] >= 0)
        made["handle"], made["status"], made["cause"] = -1, Ended.UNSUPPORTED, Cause.REFUSED
        ran = np.zeros(len(accepted), CANDIDATE_TYPE)
        self._run(Calls(calls.callees, called[accepted], calls.arguments[accepted], calls.program), ran)
        made[accepted] = ran
        return made

    def _run(self, calls: Calls, made: npt.NDArray[np.void]) -> None:
        if self._threads.count == 1 or len(calls) <= BLOCK:
            with self._threads.one() as worker:
                self._run_alone(worker, calls, made)
        else:
            self._run_on_threads(calls, made)

    def _run_alone(self, worker: ThreadWorker, calls: Calls, made: npt.NDArray[np.void]) -> None:
        worker.native.stop.value = 0
        at = 0
        while at < len(calls):
            some = slice(at, at + ROUND)
            at += self._native.apply(worker.native, calls[some], self._budget, made[some])

    def _run_on_threads(self, calls: Calls, made: npt.NDArray[np.void]) -> None:
        """Evaluate blocks on all threads, and merge them in order: the states do not depend on the threads."""

        def work(worker: ThreadWorker, place: int) -> int:
            worker.native.stop.value = 0
            some = slice(blocks[place], min(blocks[place] + BLOCK, len(calls)))
            return self._native.apply(worker.native, calls[some], self._budget, made[some], kept[place])

        kept = [Evaluated(library()) for _ in range(4 * self._threads.count)]
        at = 0
        while at < len(calls):
            blocks = list(range(at, len(calls), BLOCK))[: len(kept)]
            for place, done in enumerate(self._threads.map(work, range(len(blocks)))):
                start, end = blocks[place], min(blocks[place] + BLOCK, len(calls))
                some = slice(start, start + done)
                self._native.merge(calls[some], made[some], kept[place])
                if start + done < end:
                    rest = slice(start + done, end)
                    with self._threads.one() as worker:
                        self._run_alone(worker, calls[rest], made[rest])
                at = end
        for each in kept:
            each.close()


def op_named(name: str | Op) -> Op:
    """Return the op of this name, or the op itself."""
    if isinstance(name, Op):
        return name
    if name not in EVERY_OP:
        raise UsageError(f"unknown op {name!r}{did_you_mean(name, EVERY_OP)}")
    return EVERY_OP[name]
