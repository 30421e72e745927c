"""C++ bodies held against Python bodies on generated arguments. Owns when two bodies are the same.

They are where they give the same value or error in the same number of steps, for every list of arguments, in whatever
form native code holds these. The lightest arguments come first, and a difference is made small.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from batt.bytecode.abi import Ended
from batt.bytecode.image import Builder
from batt.bytecode.table import Table
from batt.bytecode.wire import Cut, Unencodable, read_value
from batt.codegen.direct import encode_solver
from batt.errors import BattError
from batt.ir import Literal, Operand, Program, Slot, Step
from batt.ops import OPS, Op
from batt.own.declaring import OwnOp
from batt.own.inputs import random_arguments, smaller_values
from batt.runtime import ERROR_KINDS, Limits, Options, Part, Sample, Status, evaluate_one
from batt.runtime.batch import batch_of
from batt.runtime.memory import WorkerMemory
from batt.runtime.native import (
    Budget,
    NativeBatch,
    NativeProgram,
    NativeWorker,
    Outputs,
    library,
)
from batt.types import form
from batt.types.plain import weight

SEED, COUNT = 7, 600
SHRINK_S = 5.0
LIMITS = Limits(steps=1_000_000, max_items=100_000)
SHOWN = 160
ROOM = 8 << 20
MEMORY = WorkerMemory(arena_bytes=256 << 20)
WORK = 2_000_000_000

_SAMPLE = Sample("trial", Part.TEST, 0, (), ((0,),), None)


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


def main() -> None:
    """Try one op and tell what was found; every call of a body is told before it is made."""
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "w", buffering=1)
    sys.stdout = sys.stderr
    own, folder, salt, name, options = pickle.load(sys.stdin.buffer)
    table = Table(own, folder, salt)
    (op,) = [each for each in own if each.name == name]
    trial = _Trial(op, table, lambda which, number: replies.write(f"{which} {number}\n"))
    told = trial.on_cpu() if options.engine == "cpu" else trial.on_cuda(options)
    replies.write(json.dumps({"told": told}) + "\n")
    replies.flush()


class _Trial:
    """One op with its two bodies."""

    def __init__(self, op: OwnOp, table: Table, tell: Callable[[str, int], object]) -> None:
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
            self.tell("python", number)
            expected = _in_python(program)
            self.tell("native", number)
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
        from batt.own.gpu import on_gpu

        programs, kept = [], []
        for number, args in enumerate(self.arguments):
            for program in (_calling(self.op, args), _calling(self.op, args, rebuilt=True)):
                self.tell("python", number)
                expected = _in_python(program)
                if expected:
                    programs.append(program)
                    kept.append((args, expected))
        self.tell("native", 0)
        found = on_gpu(programs, self.table, _SAMPLE, replace(options, limits=LIMITS, outputs=False, workers=1))
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
    """Native code that runs one program after another."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.library = library(table)
        batch = batch_of((_SAMPLE,))
        self.batch = NativeBatch(self.library, batch.data, batch.ends, batch.rows)
        self.worker = NativeWorker(self.library, MEMORY)
        self.room = np.empty(ROOM, np.uint8)

    def run(self, program: Program) -> Outcome | None:
        """What native code makes of it; None where it leaves it to the reference engine."""
        builder = Builder(self.table)
        try:
            builder.slice("trial", encode_solver(builder, program))
        except Unencodable:
            return None
        image = builder.image()
        loaded = NativeProgram(self.library, image.words, image.pool)
        ends, first = np.zeros(1, np.uint64), np.zeros(1, np.uint32)
        outputs = Outputs(self.room.ctypes.data, len(self.room), 0, ends.ctypes.data, 0)
        budget = Budget(LIMITS.steps, LIMITS.max_items, WORK)
        done, results = self.worker.run(loaded, self.batch, first, first, budget, outputs)
        loaded.close()
        if not done or results["status"][0] == Ended.UNSUPPORTED:
            return None
        status, steps = Status(int(results["status"][0])), int(results["steps"][0])
        if status is Status.OK:
            try:
                return Outcome("ok", steps, read_value(self.room[: int(ends[0])].tobytes(), (), self.table))
            except Cut:
                return None
        return Outcome(ERROR_KINDS[int(results["error"][0])] if status is Status.RAISED else status.word, steps)
