"""A trial's programs on GPUs. Owns how their outcomes are compared: by hash, since values stay on the device."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from batt.bytecode.abi import Ended
from batt.bytecode.image import Builder
from batt.bytecode.table import Table
from batt.codegen.direct import encode_each
from batt.ir import Program
from batt.runtime import ERROR_KINDS, Options, Sample, Status
from batt.runtime.cuda.engine import CudaEngine
from batt.runtime.evaluations import Evaluations
from batt.runtime.job import Job
from batt.runtime.thread import Call
from batt.types import fingerprint


@dataclass(frozen=True, slots=True)
class Seen:
    """What native code made of a program: a value, by its hash, or the kind of an error; and the steps."""

    told: str
    steps: int
    hash: int

    def matches(self, told: str, steps: int, value: Any) -> bool:
        """Whether it is that outcome."""
        return (self.told, self.steps) == (told, steps) and (told != "ok" or self.hash == fingerprint(value))

    def __str__(self) -> str:
        what = f"a value of hash {self.hash:016x}" if self.told == "ok" else self.told
        return f"{what} in {self.steps:,} steps"


def on_gpu(programs: Sequence[Program], table: Table, sample: Sample, options: Options) -> list[Seen | None]:
    """What GPUs make of programs, and threads beside them of what they leave; None where native code leaves it too."""
    named = {str(number): program for number, program in enumerate(programs)}
    job = Job.of(named, encode_each(Builder(table), named)).on(Evaluations((sample,), len(programs)))
    found: list[Seen | None] = [None] * len(programs)

    def observe(part: Call) -> None:
        for number, result in zip(part.ran.numbers.tolist(), part.results, strict=True):
            if int(result["status"]) < Ended.UNSUPPORTED:
                found[number] = _seen(result)

    for _ in CudaEngine(job, options, observe=observe, beside=False).run(natively_only=True):
        pass
    return found


def _seen(result: np.void) -> Seen:
    status = Status(int(result["status"]))
    told = ERROR_KINDS[int(result["error"])] if status is Status.RAISED else status.word
    return Seen(told, int(result["steps"]), int(result["hash"]))
