"""Make calls on states: from callees and handles, as native code reads them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from batt.bytecode.table import STANDARD
from batt.errors import UsageError
from batt.front import Solver
from batt.ir import Program
from batt.ops import EVERY_OP, Op
from batt.runtime.native import library
from batt.source import did_you_mean
from batt.states.derivations import ProgramNumbers
from batt.states.native import CALLEE_TYPE, MOST_ARGUMENTS, SLICE, Calls, Handles
from batt.states.programs import KeptPrograms
from batt.states.threads import KeptThreads

CalleeSource: TypeAlias = "str | Op | Program | Solver"
HandleSource: TypeAlias = "int | npt.ArrayLike"
Integers: TypeAlias = npt.NDArray[np.int64]

READ = 1 << 15
"""Calls that a thread reads at once."""


class CallMaker:
    """Makes calls. `programs` compiles the programs that are called, `numbers` gives them their numbers as callees."""

    def __init__(self, programs: KeptPrograms, numbers: ProgramNumbers, threads: KeptThreads) -> None:
        self._programs = programs
        self._numbers = numbers
        self._threads = threads

    def make(
        self,
        callees: Sequence[CalleeSource],
        called: npt.ArrayLike | None,
        arguments: Sequence[HandleSource],
        demonstrations: Callable[[], Integers],
        samples: int,
        of: Integers | None = None,
    ) -> tuple[Calls, Integers]:
        """Return calls of `callees[called[k]]`, and the slice of each callee; -1 if native code refuses a program.

        `demonstrations` gives the handles of S, one for all or one for each call, and `samples` is about how many
        samples a call has. With `of`, there are as many calls as it has items.
        """
        which = None if called is None else np.asarray(called, np.int64).reshape(-1)
        columns = [np.asarray(each, np.int64).reshape(-1) for each in arguments]
        shapes = [each.shape for each in (*columns, which, of) if each is not None]
        count = np.broadcast_shapes(*shapes)[0]
        if of is not None and count != len(of):
            raise UsageError(f"{count:,} candidates of {len(of):,} tasks: name a task for each candidate")
        table, slices = self._table(callees, count * samples)
        if table.program is not None:
            columns = _inputs(columns, demonstrations())
        rows, numbers = self._read(columns, which, count, len(callees))
        return Calls(table.callees, numbers, rows, table.program), slices

    def _read(
        self, columns: Sequence[Integers], which: Integers | None, count: int, callees: int
    ) -> tuple[Handles, Handles | None]:
        """Return the handles and the callees of calls as native code reads them; threads share many calls."""
        if len(columns) > MOST_ARGUMENTS:
            raise UsageError(f"an op takes at most {MOST_ARGUMENTS} arguments, got {len(columns)}")
        rows = np.empty((count, MOST_ARGUMENTS), np.uint32)
        numbers = None if which is None else np.empty(count, np.uint32)
        given = [(each.ctypes.data, each.strides[0] * (len(each) > 1)) for each in columns]
        places = np.array(given, np.int64).reshape(-1, 2)
        called = None if which is None else np.array([which.ctypes.data, which.strides[0] * (len(which) > 1)], np.int64)

        def read(worker: object, start: int) -> bool:
            some = start, min(READ, count - start)
            at = None if called is None else called.ctypes.data
            to = rows.ctypes.data, None if numbers is None else numbers.ctypes.data
            return bool(library().call("batt_calls_read", places.ctypes.data, len(columns), at, callees, *some, *to))

        if not all([read(None, 0)] if count <= READ else self._threads.map(read, range(0, count, READ))):
            raise UsageError(f"a callee or a handle is out of range: there are {callees:,} callees")
        return rows, numbers

    def _table(self, callees: Sequence[CalleeSource], evaluations: int) -> tuple[Calls, Integers]:
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
        names = [self._numbers.callee(each) for each in programs]
        lengths = [max(1, len(each.steps)) for each in programs]
        codes = [SLICE | max(place, 0) for place in slices]
        rows = np.array(list(zip(codes, names, lengths, strict=True)), CALLEE_TYPE)
        return Calls(rows, None, none, self._programs.images[image].native), np.array(slices, np.int64)


def _inputs(columns: Sequence[Integers], demonstrations: Integers) -> list[Integers]:
    """Return the columns of S, I and parameters for programs."""
    if not 1 <= len(columns) <= MOST_ARGUMENTS:
        raise UsageError(
            f"a program takes the state of I, or those of S, I and at most {MOST_ARGUMENTS - 2} parameters; "
            f"got {len(columns)}"
        )
    return [demonstrations, columns[0]] if len(columns) == 1 else list(columns)


def op_named(name: str | Op) -> Op:
    """Return the op of this name, or the op itself."""
    if isinstance(name, Op):
        return name
    if name not in EVERY_OP:
        raise UsageError(f"unknown op {name!r}{did_you_mean(name, EVERY_OP)}")
    return EVERY_OP[name]
