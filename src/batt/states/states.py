"""The states of a task: values over all its samples, each once, under a handle and with its shortest program.

A state is what an op or a program makes of other states on every sample. One that fails on any sample is no state. Two
programs with the same values have the same state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from batt.bytecode.wire import Unencodable, write_value
from batt.errors import UsageError
from batt.ir import Program
from batt.ir.graph import is_input
from batt.jobs.samples import samples_of
from batt.jobs.values import as_value, read_output
from batt.ops import Op
from batt.runtime import Limits, Sample, Split
from batt.runtime.context import MOST
from batt.runtime.native import Budget, library
from batt.states.applied import Applied, StateKind
from batt.states.applying import Applier
from batt.states.calls import CalleeSource, CallMaker, HandleSource, op_named
from batt.states.derivations import Derivations, ProgramNumbers
from batt.states.features import MOST_PARTS, Features, compute_features
from batt.states.native import NO_ROOM, Handles, NativeStates, PackedGrids
from batt.states.programs import KeptPrograms
from batt.states.threads import KeptThreads
from batt.tasks import Task, Tasks

STEPS = 100_000
"""The steps of a candidate on a sample. Few candidates of a search need more, but those take long."""
LIMITS = Limits(steps=STEPS)
MOST_BYTES = 1 << 30
"""The memory of a set of states."""
WORK_PER_STEP = 1_000
"""Comparisons and copies for each step of the limits, after which a candidate is given up."""
TaskSource: TypeAlias = "Task | Sequence[Sample]"


class States:
    """The distinct states of a task. `S` and `I` are the handles of the demonstrations and of the inputs.

    Given a task, S leaves out the pair itself on each demonstration, so that nothing sees the output that it is fitted
    to. Given samples, S has their demonstrations as they are.
    """

    def __init__(
        self,
        task: TaskSource,
        threads: KeptThreads,
        programs: KeptPrograms,
        limits: Limits = LIMITS,
        work: int = MOST,
        most_bytes: int = MOST_BYTES,
        numbers: ProgramNumbers | None = None,
    ) -> None:
        self.samples = _samples_of(task)
        self.limits = limits
        self.most_bytes = most_bytes
        numbers = numbers or ProgramNumbers()
        self.native = NativeStates(library(), len(self.samples), most_bytes)
        self._derivations = Derivations(self.native, numbers)
        self._threads = threads
        self._maker = CallMaker(programs, numbers, threads)
        self._applier = Applier(self.native, threads, budget_of(limits, work))
        self._constants: dict[bytes, int] = {}
        self.S = self.add([sample.demonstrations for sample in self.samples], name="S")
        self.I = self.add([sample.input for sample in self.samples], name="I")

    def __len__(self) -> int:
        return self.native.counts()[0]

    @property
    def used_bytes(self) -> int:
        """Return the memory that the states use."""
        return self.native.counts()[1]

    @property
    def refused(self) -> int:
        """Return how many new values were refused because there was no memory left for them."""
        return self.native.counts()[2]

    def __repr__(self) -> str:
        size, used, refused = self.native.counts()
        more = f" | {refused:,} refused" if refused else ""
        return f"<States | {size:,} states on {len(self.samples)} samples | {used:,} bytes{more}>"

    def add(self, values: Sequence[Any], name: str = "") -> int:
        """Add a state with these values, one for each sample; return its handle.

        Programs of states call it `name`, which is P0, P1 and so on. Without a name, a program that makes these values
        of others stands for it; as long as none is known, programs of it cannot be written.
        """
        if len(values) != len(self.samples):
            raise UsageError(f"{len(values):,} values for {len(self.samples):,} samples")
        handle = self._add([as_value(each) for each in values], is_input(name))
        self._derivations.name(handle, name)
        return handle

    def constant(self, value: Any) -> int:
        """Return the handle of a value that is the same on every sample: a number, a pair, a function of `batt.dsl`."""
        made = as_value(value)
        wire = _wire(made)
        handle = self._constants.get(wire)
        if handle is None:
            handle = self._constants[wire] = self._add([made] * len(self.samples), is_named=True)
            self._derivations.literal(handle, made)
        return handle

    def apply(self, callee: CalleeSource, *arguments: HandleSource) -> Applied:
        """Apply an op or a program to argument states, given as handles or as arrays of handles, one per candidate.

        A single handle stands for all candidates. A program takes the state in the place of I, or those in the places
        of S, I, P0, P1 and so on.
        """
        return self.apply_each([callee], None, *arguments)

    def apply_each(
        self, callees: Sequence[CalleeSource], called: npt.ArrayLike | None, *arguments: HandleSource
    ) -> Applied:
        """Apply `callees[called[k]]` to the arguments of candidate k; without `called`, the first callee to all.

        Callees are ops or programs, not both. An op ignores the arguments beyond its own; they may be -1.
        """
        calls, slices = self._maker.make(callees, called, arguments, lambda: np.array([self.S]), len(self.samples))
        return Applied(self._applier.apply(calls, slices))

    def kinds(self, handles: HandleSource | None = None) -> npt.NDArray[np.uint8]:
        """Return the StateKind of each state, by default of all."""
        return self.native.describe(self._checked(handles))[2]

    def of_kind(self, *kinds: StateKind) -> npt.NDArray[np.int64]:
        """Return the handles of the states of these kinds, ascending."""
        return np.flatnonzero(np.isin(self.kinds(), kinds))

    def hashes(self, handles: HandleSource | None = None) -> npt.NDArray[np.uint64]:
        """Return the hashes of values, as in records: a row for each state, a column for each sample."""
        return self.native.describe(self._checked(handles))[0]

    def lengths(self, handles: HandleSource | None = None) -> npt.NDArray[np.uint32]:
        """Return the number of steps of each state's shortest program; steps that are used twice count twice.

        A state that was given without a name, and that no program makes, counts as 2 ** 24 steps.
        """
        found: npt.NDArray[np.uint32] = self.native.describe(self._checked(handles))[1]["length"]
        return found

    def grids(self, handles: HandleSource) -> PackedGrids:
        """Return the values of states as packed grids: grid `k * samples + s` is that of state k on sample s."""
        return self.native.grids(self._checked(handles))

    def shapes(self, handles: HandleSource) -> npt.NDArray[np.uint16]:
        """Return (height, width) of states on each sample, (0, 0) where the value is no grid of colours."""
        return self.native.shapes(self._checked(handles))

    def values(self, handle: int) -> list[Any]:
        """Return the values of a state, one for each sample."""
        return [read_output(wire) for wire in self.wires(handle)]

    def wires(self, handles: HandleSource) -> list[bytes]:
        """Return the values of states as wire bytes, by state and then by sample."""
        return self.native.wires(self._checked(handles))

    def features(self, handles: HandleSource, form: str, *, most_parts: int = MOST_PARTS) -> Features:
        """Take the grids of states apart and return the features of all parts, by state and then by sample.

        `form` and `most_parts` are those of `OpenEngine.features`.
        """
        checked = self._checked(handles)
        if (self.kinds(checked) != StateKind.GRID).any():
            raise UsageError("features are those of grids, and a state has other values")
        return compute_features(self.native.grids(checked), form, self._threads, most_parts)

    def program(self, handle: int) -> Program:
        """Return the shortest program that is known to make a state."""
        return self._derivations.program(int(self._checked(handle)[0]))

    def call_program(self, op: str | Op, *handles: int) -> Program:
        """Return the program of an op on states, whether or not it makes a state."""
        return self._derivations.call_program(op_named(op), self._checked(handles).tolist())

    def close(self) -> None:
        """Free the memory of all states."""
        self.native.close()

    def _add(self, values: Sequence[Any], is_named: bool) -> int:
        handle = self.native.add([_wire(each) for each in values], is_named)
        if handle == NO_ROOM:
            raise UsageError(f"the states have no room for more values in {self.most_bytes:,} bytes")
        if handle < 0:
            raise UsageError("native code does not support a value of the state")
        return handle

    def _checked(self, handles: HandleSource | None) -> Handles:
        count = len(self)
        if handles is None:
            return np.arange(count, dtype=np.uint32)
        found = np.asarray(handles, np.int64).reshape(-1)
        if len(found) and not 0 <= int(found.min()) <= int(found.max()) < count:
            raise UsageError(f"a handle is out of range: there are {count:,} states")
        return found.astype(np.uint32)


def budget_of(limits: Limits, work: int) -> Budget:
    """Return the budget of a candidate on a sample."""
    return Budget(min(limits.steps, MOST), min(limits.max_items, MOST), min(work, WORK_PER_STEP * limits.steps))


def _wire(value: Any) -> bytes:
    try:
        return write_value(value)
    except Unencodable as reason:
        raise UsageError(f"a state cannot hold {reason}") from None


def _samples_of(task: TaskSource) -> Sequence[Sample]:
    """Return the samples of a task, each demonstration without itself in S; or the samples that are given."""
    if not isinstance(task, Task):
        return task
    shown = task.demonstrations

    def without(sample: Sample) -> tuple[Any, ...]:
        is_shown = sample.part is Split.TRAIN
        return (*shown[: sample.index], *shown[sample.index + 1 :]) if is_shown else shown

    return [
        Sample(each.task, each.part, each.index, without(each), each.input, each.expected)
        for each in samples_of(Tasks((task,), ""))
    ]
