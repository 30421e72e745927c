"""The kernel for a fake card: it reads what a launch is told from the card's memory, and evaluates with native code.

It checks what the real kernel counts on, and fails where a launch would reach outside its memory.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.runtime.cuda.launch import FRAME_BYTES, GROUP, LAUNCH_TYPE, LEFT_OVER, NO_EVALUATION
from batt.runtime.native import (
    DEVICE_SAMPLE_TYPE,
    RESULT_TYPE,
    UNSUPPORTED,
    Budget,
    NativeBatch,
    NativeProgram,
    NativeWorker,
)
from fake_cupy import FakeCupy

ARENA_FULL = 2

Rule = Callable[[npt.NDArray[Any]], npt.NDArray[Any]]
"""Which evaluations to leave, given a number for each that is spread evenly."""


def nothing(numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.zeros(len(numbers), bool)


class FakeKernel:
    """To be a FakeCupy's kernel. `loaded` gives the program and the batch of the engine that is under way.

    `over` picks what meets a limit of the launch, `full` what has no room. `before` and `after` are called with the
    number of the launch.
    """

    def __init__(
        self,
        cupy: FakeCupy,
        loaded: Callable[[], tuple[NativeProgram, NativeBatch]],
        over: Rule = nothing,
        full: Rule = nothing,
    ) -> None:
        self.cupy = cupy
        self.loaded = loaded
        self.over = over
        self.full = full
        self.before: Callable[[int], None] = lambda launch: None
        self.after: Callable[[int], None] = lambda launch: None
        self.counts: list[int] = []
        self.ended = 0
        cupy.kernel = self

    def __call__(self, blocks: int, threads: int, argument: int) -> None:
        told = read(argument, LAUNCH_TYPE, 1)[0].copy()
        launch = len(self.counts)
        self.counts.append(int(told["count"]))
        self.check(told, blocks, threads)
        self.before(launch)
        # What lies in a lane's memory is nobody else's.
        ctypes.memset(int(told["memory"]), 0xEE, blocks * threads * int(told["lane_bytes"]))
        self.evaluate(told)
        read(told["next"], np.dtype("<u4"), 1)[0] = told["count"]
        self.check(told, blocks, threads, after=True)
        self.ended += 1
        self.after(launch)

    def check(self, told: np.void, blocks: int, threads: int, after: bool = False) -> None:
        count, lanes = int(told["count"]), blocks * threads
        assert threads == GROUP
        assert count % GROUP == 0
        assert 0 < lanes <= count
        assert after or read(told["next"], np.dtype("<u4"), 1)[0] == 0
        assert told["lane_bytes"] % 128 == 0
        assert told["value_room"] * 16 < told["lane_bytes"]
        sizes = {
            "memory": lanes * int(told["lane_bytes"]),
            "frames": lanes * int(told["frame_room"]) * FRAME_BYTES,
            "results": count * RESULT_TYPE.itemsize,
            "numbers": count * 4,
            "routines": count * 4,
            "next": 4,
        }
        parts = sorted((int(told[name]), int(told[name]) + size) for name, size in sizes.items())
        taken = [(at, at + size) for at, (card, size, _) in list(self.cupy.taken.items()) if card == self.cupy.current]
        assert all(any(start <= at and end <= stop for start, stop in taken) for at, end in parts), "outside"
        assert all(first[1] <= then[0] for first, then in pairwise(parts)), "one over the other"
        alone = ("code", "constants", "routines_table", "helper_names", "samples")
        assert all(any(start <= told[name] <= stop for start, stop in taken) for name in alone)

    def evaluate(self, told: np.void) -> None:
        program, batch = self.loaded()
        count, u4 = int(told["count"]), np.dtype("<u4")
        routines, numbers = read(told["routines"], u4, count), read(told["numbers"], u4, count)
        groups = routines.reshape(-1, GROUP)
        assert (groups == groups[:, :1]).all(), "a group of several slices"
        there = numbers != NO_EVALUATION
        assert there.reshape(-1, GROUP)[:, 0].all(), "a group without an evaluation"
        routine_of = program.frozen(lambda size: 0).routine_of
        slice_of = {int(routine): at for at, routine in enumerate(routine_of)}
        slices = np.array([slice_of[each] for each in routines[there].tolist()], np.uint32)
        samples = numbers[there]
        rows = read(told["samples"], DEVICE_SAMPLE_TYPE, int(samples.max()) + 1)
        assert set(rows["is_known"].tolist()) <= {0, 1}
        budget = Budget(told["budget_steps"], told["budget_max_items"], told["budget_work"])
        worker = NativeWorker(program.library, 64 << 20)
        done, results = worker.run(program, batch, slices, samples, budget)
        worker.close()
        assert done == len(results)
        spread = (slices.astype(np.uint64) * 7919 + samples * 104_729) % 1000
        results["status"][self.full(spread)] = UNSUPPORTED
        results["cause"][self.full(spread)] = ARENA_FULL
        results["status"][self.over(spread) | (results["steps"] > told["steps"])] = LEFT_OVER
        read(told["results"], RESULT_TYPE, count)[there] = results


def read(address: Any, dtype: np.dtype[Any], count: int) -> npt.NDArray[Any]:
    """So many items at an address; they can be written to."""
    raw = (ctypes.c_uint8 * (dtype.itemsize * count)).from_address(int(address))
    return np.frombuffer(memoryview(raw), dtype)
