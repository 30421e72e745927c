"""Compare C++ bodies of own ops with their Python bodies on generated arguments, each in its own process.

The bodies are equal if they give the same value or error in the same number of steps, for every list of arguments, in
each form in which native code stores these. The lightest arguments come first, and a difference is made small. A C++
body may crash or never end: before each call, the process writes to shared memory which call that is.
"""

from __future__ import annotations

import mmap
import os
import time
from collections.abc import Callable, Iterator, Sequence
from ctypes import c_uint64
from dataclasses import dataclass, field, replace
from typing import Any

from batt.bytecode.image import ImageBuilder
from batt.bytecode.table import Table
from batt.bytecode.wire import Cut, read_value
from batt.codegen.direct import encode_each
from batt.errors import BattError
from batt.ir import Literal, Operand, Program, Slot, Step
from batt.ops import OPS, Op
from batt.own.declaring import OwnOp
from batt.own.inputs import random_arguments, smaller_values, smallest
from batt.runtime import ERROR_KINDS, Limits, Options, Sample, Split, Status, evaluate_one
from batt.runtime.child import ChildProcess, pipes, receive, reply
from batt.runtime.evaluations import Evaluations
from batt.runtime.job import Job
from batt.runtime.ladder import Ladder
from batt.runtime.memory import WorkerMemory
from batt.runtime.tier import CPU, CUDA_THREADS, CUDA_WARPS, Observer, Part, TierName
from batt.types import fingerprint, form
from batt.types.plain import weight

PATIENCE_S = 15.0
"""The most seconds for one call of a body."""
POLL_S = 0.1
PYTHON, NATIVE = 1, 2
"""The body that is called."""
SHARED_BYTES = 24
"""The body that is called, the number of its arguments, and how many calls there were."""
SEED, COUNT = 7, 600
SHRINK_S = 5.0
LIMITS = Limits(steps=1_000_000, max_items=100_000)
ON_CPU = Options(engine="cpu", limits=LIMITS, workers=1, outputs=True, memory=WorkerMemory(arena_bytes=256 << 20))
SHOWN = 160

_SAMPLE = Sample("trial", Split.TEST, 0, (), ((0,),), None)


def untrusted(table: Table, ops: Sequence[OwnOp], options: Options, patience_s: float) -> dict[str, str]:
    """Return by name why the C++ bodies of `ops` are not trusted; trusted ones are left out."""
    found = {each.name: _try_alone(table, each, options, patience_s) for each in ops}
    return {name: why for name, why in found.items() if why}


def _try_alone(table: Table, op: OwnOp, options: Options, patience_s: float) -> str:
    """Return the first difference that a new process finds, or an empty text."""
    child = ChildProcess("batt.own.trial", SHARED_BYTES)
    seen, since_s = -1, 0.0

    def is_stuck() -> bool:
        nonlocal seen, since_s
        calls, now_s = child.word(2), time.monotonic()
        if calls != seen:
            seen, since_s = calls, now_s
        return now_s - since_s > patience_s

    try:
        child.send((table.own, table.folder, table.salt, op.name, options))
        if child.answers(POLL_S, is_stuck):
            return str(child.receive())
        why = f"does not end within {patience_s:g} s"
    except EOFError:
        why = f"ends the process (exit code {child.process.wait()})"
    finally:
        which, number = child.word(0), child.word(1)
        child.close()
    where = f" for {_call(op, _arguments(op)[number])}" if which else ""
    return f"its {'Python' if which == PYTHON else 'C++'} body {why}{where}"


def _arguments(op: OwnOp) -> list[tuple[Any, ...]]:
    return random_arguments(op.signatures[0].params, SEED, COUNT)


def _call(op: OwnOp, args: Sequence[Any]) -> str:
    """Return a call as text; long arguments are cut."""
    return f"{op.name}({', '.join([form(each, SHOWN) for each in args])})"


def main(shared_handle: int) -> None:
    """Compare the bodies of one op and answer with the first difference."""
    requests, replies = pipes()
    words = (c_uint64 * 3).from_buffer(mmap.mmap(shared_handle, SHARED_BYTES))
    own, folder, salt, name, options = receive(requests)
    table = Table(own, folder, salt)
    (op,) = [each for each in own if each.name == name]

    def tell(which: int, number: int) -> None:
        words[0], words[1] = which, number
        words[2] += 1

    trial = _Trial(op, table, tell)
    reply(replies, trial.on_cpu() if options.engine == "cpu" else trial.on_cuda(options))
    # A plain exit would close the mapping, which is still in use.
    os._exit(0)


@dataclass(frozen=True, slots=True)
class BodyOutcome:
    """The outcome of a body: `told` is "ok" or the kind of error, `hash` that of a value, `shown` is for people."""

    told: str
    hash: int
    steps: int
    shown: str = field(default="", compare=False)


class _Trial:
    """One op with its two bodies. `tell` is called before each call of a body."""

    def __init__(self, op: OwnOp, table: Table, tell: Callable[[int, int], None]) -> None:
        self.op = op
        self.table = table
        self.tell = tell
        self.arguments = _arguments(op)

    def on_cpu(self) -> str:
        """Describe the first difference between the Python body and native code, with small arguments."""
        for number, args in enumerate(self.arguments):
            difference = self._difference(args, number)
            if difference:
                until_s = time.monotonic() + SHRINK_S
                small = smallest(args, _smaller, lambda each: bool(self._difference(each, number)), until_s)  # noqa: B023
                return self._difference(small, number) or difference
        return ""

    def _difference(self, args: Sequence[Any], number: int) -> str:
        """Describe the difference for `args`, given as they are or rebuilt item by item."""
        for program in (_calling(self.op, args), _calling(self.op, args, rebuilt=True)):
            self.tell(PYTHON, number)
            expected = _in_python(program)
            if expected:
                self.tell(NATIVE, number)
                (got,) = on_tiers([program], self.table, _SAMPLE, ON_CPU, (CPU,))
                if got and got != expected:
                    return self._described(args, expected, got)
        return ""

    def _described(self, args: Sequence[Any], expected: BodyOutcome, got: BodyOutcome) -> str:
        call = _call(self.op, args)
        if (got.told, got.hash) == (expected.told, expected.hash):
            return f"its C++ body takes {got.steps:,} steps, its Python body {expected.steps:,}, for {call}"
        return f"its C++ body gives {got.shown}, its Python body {expected.shown}, for {call}"

    def on_cuda(self, options: Options) -> str:
        """Describe the first difference between the Python body and a GPU, the lightest arguments first."""
        programs, kept = [], []
        for number, args in enumerate(self.arguments):
            for program in (_calling(self.op, args), _calling(self.op, args, rebuilt=True)):
                self.tell(PYTHON, number)
                expected = _in_python(program)
                if expected:
                    programs.append(program)
                    kept.append((args, expected))
        self.tell(NATIVE, 0)
        wanted = replace(options, limits=LIMITS, outputs=False, workers=1)
        found = on_tiers(programs, self.table, _SAMPLE, wanted, (CUDA_THREADS, CUDA_WARPS, CPU))
        for (args, expected), got in zip(kept, found, strict=True):
            if got is not None and got != expected:
                return f"on a GPU {self._described(args, expected, got)}"
        return ""


def _smaller(args: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    for at, arg in enumerate(args):
        for each in smaller_values(arg):
            if weight(each) < weight(arg) or (weight(each) == weight(arg) and form(each) < form(arg)):
                yield (*args[:at], each, *args[at + 1 :])


def _calling(op: Op, args: Sequence[Any], rebuilt: bool = False) -> Program:
    """Return a program that calls `op` with `args`. With `rebuilt`, it first makes containers again, item by item.

    Native code packs the grids and sets of cells that it reads, but not those that it makes in this way.
    """
    steps: list[Step] = []
    operands: list[Operand] = []
    for arg in args:
        operand: Operand = Literal(arg)
        if rebuilt and isinstance(arg, tuple | frozenset):
            steps.append(Step(Literal(OPS["apply"]), (Literal(OPS["identity"]), operand), "x", 1))
            operand = Slot(len(steps))
        operands.append(operand)
    steps.append(Step(Literal(op), tuple(operands), "x", 1))
    return Program(("I",), 1, tuple(steps), Slot(len(steps)))


def _in_python(program: Program) -> BodyOutcome | None:
    """Return the outcome of the Python body; None if it needs too much memory, or its file has a mistake."""
    try:
        outcome = evaluate_one(program, _SAMPLE, LIMITS)
    except (BattError, MemoryError):
        return None
    if outcome.status is Status.OK:
        return BodyOutcome("ok", fingerprint(outcome.value), outcome.steps, form(outcome.value, SHOWN))
    told = outcome.error or outcome.status.word
    return BodyOutcome(told, 0, outcome.steps, told)


def on_tiers(
    programs: Sequence[Program], table: Table, sample: Sample, options: Options, tiers: Sequence[TierName]
) -> list[BodyOutcome | None]:
    """Run programs on native tiers; None stands for one that all of them deferred. The CPU runs what GPUs defer."""
    named = {str(number): program for number, program in enumerate(programs)}
    job = Job.of(named, encode_each(ImageBuilder(table), named)).on(Evaluations((sample,), len(programs)))
    observer = _Outcomes(len(programs), table)
    Ladder(job, options, tiers, observer, beside=False).run()
    return observer.found


class _Outcomes(Observer):
    """Keeps the outcome of each program in native code."""

    def __init__(self, programs: int, table: Table) -> None:
        self.table = table
        self.found: list[BodyOutcome | None] = [None] * programs

    def on_part(self, part: Part) -> None:
        """Keep the outcomes of a part."""
        numbers, steps_of = part.numbers.tolist(), part.steps.tolist()
        wires = [b""] * len(numbers) if part.outputs is None else part.outputs.wires
        for number, record, steps, wire in zip(numbers, part.records, steps_of, wires, strict=True):
            status, value_hash = Status(int(record["status"])), int(record["hash"])
            told = ERROR_KINDS[int(record["error"])] if status is Status.RAISED else status.word
            if status is not Status.OK:
                self.found[number] = BodyOutcome(told, 0, steps, told)
                continue
            try:
                shown = form(read_value(wire, (), self.table), SHOWN) if wire else ""
            except Cut:
                shown = ""
            self.found[number] = BodyOutcome(told, value_hash, steps, shown or f"a value of hash {value_hash:016x}")
