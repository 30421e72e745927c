"""C++ bodies held against Python bodies on generated arguments. Owns when two bodies are the same.

They are where they give the same value or error in the same number of steps, for every list of arguments, in whatever
form native code holds these. The lightest arguments come first, and a difference is made small.
"""

from __future__ import annotations

import mmap
import os
import time
from collections.abc import Callable, Iterator, Sequence
from ctypes import c_uint64
from dataclasses import dataclass, replace
from typing import Any

from batt.bytecode.table import Table
from batt.bytecode.wire import Cut, read_value
from batt.errors import BattError
from batt.ir import Literal, Operand, Program, Slot, Step
from batt.ops import OPS, Op
from batt.own.declaring import OwnOp
from batt.own.inputs import random_arguments, smaller_values
from batt.own.outcomes import on_tiers
from batt.runtime import Limits, Options, Sample, Split, Status, evaluate_one
from batt.runtime.child import pipes, receive, reply
from batt.runtime.memory import WorkerMemory
from batt.runtime.tier import CPU, CUDA_THREADS, CUDA_WARPS
from batt.types import form
from batt.types.plain import weight

PYTHON, NATIVE = 1, 2
"""Which body is called."""
SHARED_BYTES = 24
"""The body that is called, the number of its arguments, and how many calls there were."""
SEED, COUNT = 7, 600
SHRINK_S = 5.0
LIMITS = Limits(steps=1_000_000, max_items=100_000)
SHOWN = 160
MEMORY = WorkerMemory(arena_bytes=256 << 20)

_SAMPLE = Sample("trial", Split.TEST, 0, (), ((0,),), None)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a body makes of arguments: a value or the kind of an error, and the steps."""

    told: str
    steps: int
    value: Any = None

    def __str__(self) -> str:
        return form(self.value, SHOWN) if self.told == "ok" else self.told

    def same(self, other: Outcome) -> bool:
        """Whether nobody could tell the two apart."""
        return (self.told, self.steps) == (other.told, other.steps) and bool(self.value == other.value)


def arguments_of(op: OwnOp) -> list[tuple[Any, ...]]:
    """The arguments that an op is tried on, the lightest first."""
    return random_arguments(op.signatures[0].params, SEED, COUNT)


def shown(args: Sequence[Any]) -> str:
    """Arguments as a call shows them, cut where they are long."""
    return f"({', '.join([form(each, SHOWN) for each in args])})"


def main(shared_handle: int) -> None:
    """Try one op and answer what was found; every call of a body is written to shared memory before it is made."""
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
    # The mapping is in use to the end.
    os._exit(0)


class _Trial:
    """One op with its two bodies."""

    def __init__(self, op: OwnOp, table: Table, tell: Callable[[int, int], None]) -> None:
        self.op = op
        self.table = table
        self.tell = tell
        self.arguments = arguments_of(op)

    def on_cpu(self) -> str:
        """What differs first between the Python body and native code, with the smallest arguments found."""
        native = _Native(self.table)
        for number, args in enumerate(self.arguments):
            difference = self._difference(native, args, number)
            if difference:
                return self._smallest(native, args, number) or difference
        return ""

    def _difference(self, native: _Native, args: Sequence[Any], number: int) -> str:
        """What differs for these arguments, given as they are or in their plainest form, in words."""
        for program in (_calling(self.op, args), _calling(self.op, args, rebuilt=True)):
            self.tell(PYTHON, number)
            expected = _in_python(program)
            self.tell(NATIVE, number)
            got = native.run(program) if expected else None
            if expected and got and not got.same(expected):
                return self._told(args, expected, got)
        return ""

    def _told(self, args: Sequence[Any], expected: Outcome, got: Outcome) -> str:
        call = f"{self.op.name}{shown(args)}"
        if str(got) == str(expected):
            return f"its C++ body takes {got.steps:,} steps, its Python body {expected.steps:,}, for {call}"
        return f"its C++ body gives {got}, its Python body {expected}, for {call}"

    def _smallest(self, native: _Native, args: Sequence[Any], number: int) -> str:
        """The difference for the smallest arguments that still show one."""
        until_s, told = time.monotonic() + SHRINK_S, ""
        smaller = True
        while smaller:
            smaller = False
            for each in _smaller(args):
                if time.monotonic() > until_s:
                    return told
                difference = self._difference(native, each, number)
                if difference:
                    args, told, smaller = each, difference, True
                    break
        return told

    def on_cuda(self, options: Options) -> str:
        """What differs first between the Python body and a GPU; the arguments come by their weight."""
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
            if got is not None and not got.matches(expected.told, expected.steps, expected.value):
                call = f"{self.op.name}{shown(args)}"
                return f"on a GPU its C++ body gives {got}, its Python body {expected}, for {call}"
        return ""


def _smaller(args: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    for at, arg in enumerate(args):
        for each in smaller_values(arg):
            if weight(each) < weight(arg) or (weight(each) == weight(arg) and form(each) < form(arg)):
                yield (*args[:at], each, *args[at + 1 :])


def _calling(op: Op, args: Sequence[Any], rebuilt: bool = False) -> Program:
    """A program that calls an op with these; rebuilt, containers are first made anew, item by item.

    Native code packs grids and sets of cells where it reads them, and not where it makes them so.
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


def _in_python(program: Program) -> Outcome | None:
    """What the Python body makes of it; None without memory for it, and where a run will tell a mistake of the file."""
    try:
        outcome = evaluate_one(program, _SAMPLE, LIMITS)
    except (BattError, MemoryError):
        return None
    told = outcome.error if outcome.status is Status.RAISED else outcome.status.word
    return Outcome(told, outcome.steps, outcome.value)


class _Native:
    """The cpu tier, which runs one program after another."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.options = Options(engine="cpu", limits=LIMITS, workers=1, outputs=True, memory=MEMORY)

    def run(self, program: Program) -> Outcome | None:
        """Return what native code makes of a program; None where it defers it."""
        (seen,) = on_tiers([program], self.table, _SAMPLE, self.options, (CPU,))
        if seen is None or seen.told != "ok":
            return None if seen is None else Outcome(seen.told, seen.steps)
        try:
            return Outcome("ok", seen.steps, read_value(seen.wire, (), self.table))
        except Cut:
            return None
