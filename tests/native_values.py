"""Programs through native code, one evaluation each, with whole values."""

from __future__ import annotations

from typing import Any

import numpy as np

from batt.compiler import encode_programs
from batt.ir import Program
from batt.runtime import Limits
from batt.runtime.batch import pack_samples
from batt.runtime.memory import WorkerMemory
from batt.runtime.native import Budget, NativeBatch, NativeProgram, NativeWorker, Outputs, library
from handmade import sample

LIMITS = Limits()
ROOM = 1 << 24


class Native:
    """What native code makes of programs: status, kind of error, steps, cause and the bytes of the value."""

    def __init__(self, programs: list[Program]) -> None:
        self.encoded = encode_programs({str(number): each for number, each in enumerate(programs)})
        self.worker = NativeWorker(library(), WorkerMemory(1 << 28))
        self.program = NativeProgram(library(), self.encoded.image.words, self.encoded.image.pool)
        batch = pack_samples([sample()])
        self.batch = NativeBatch(library(), batch.data, batch.ends, batch.rows)
        self.room = np.empty(ROOM, np.uint8)

    def run(self, number: int) -> tuple[Any, bytes]:
        ends = np.zeros(1, np.uint64)
        outputs = Outputs(self.room.ctypes.data, ROOM, 0, ends.ctypes.data, 0)
        slices = np.array([self.encoded.slice_of[str(number)]], np.uint32)
        budget = Budget(LIMITS.steps, LIMITS.max_items, 1 << 40)
        done, results = self.worker.run(self.program, self.batch, slices, np.zeros(1, np.uint32), budget, outputs)
        assert done == 1
        return results[0], self.room[: int(ends[0])].tobytes()
