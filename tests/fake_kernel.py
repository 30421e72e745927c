"""The kernel for a fake card: it reads what a launch is told from the card's memory, and evaluates with native code.

It checks what the real kernel counts on, and fails where a launch would reach outside its memory.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.bytecode.abi import FRAME_BYTES, STAGE_ENTRY_BYTES, Cause, Ended
from batt.runtime.cuda.launch import LAUNCH_TYPE, NO_EVALUATION
from batt.runtime.cuda.modes import LIGHT_WARPS, THREADS, WARPS, Mode
from batt.runtime.memory import WorkerMemory
from batt.runtime.native import (
    DEVICE_SAMPLE_TYPE,
    RESULT_TYPE,
    Budget,
    NativeBatch,
    NativeProgram,
    NativeWorker,
    Outputs,
)
from fake_cupy import FakeCupy

Rule = Callable[[npt.NDArray[Any]], npt.NDArray[Any]]
"""Which evaluations to defer, given a number for each that is spread evenly."""


def nothing(numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.zeros(len(numbers), bool)


class FakeKernel:
    """To be a FakeCupy's kernel. `loaded` gives the program and the batch of the run that is under way.

    `over` picks what meets a limit of a launch of threads, `full` what has no room, for `cause`; `over_warps` and
    `full_warps` are those of a launch of warps; `full_stages` picks the samples for whose shared values there is no
    room. `before` and `after` are called with the number of the launch; `counts` and `modes` have the rows and the mode
    of each, `staged` the samples for which it computed shared values.
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
        self.over_warps: Rule = nothing
        self.full = full
        self.full_stages: Rule = nothing
        self.staged: list[list[int]] = []
        self.full_warps: Rule = nothing
        self.cause = Cause.ARENA_FULL
        self.before: Callable[[int], None] = lambda launch: None
        self.after: Callable[[int], None] = lambda launch: None
        self.counts: list[int] = []
        self.modes: list[Mode] = []
        self.lock = threading.Lock()
        self.ended = 0
        cupy.kernel = self
        cupy.stage_kernel = self.stage_samples

    def __call__(self, blocks: int, threads: int, argument: int) -> None:
        told = read(argument, LAUNCH_TYPE, 1)[0].copy()
        with self.lock:
            launch = len(self.counts)
            self.counts.append(int(told["count"]))
            self.modes.append(mode_of(told))
        self.check(told, blocks, threads)
        self.before(launch)
        # What lies in a lane's memory is nobody else's.
        ctypes.memset(
            int(told["memory"]), 0xEE, blocks * threads // mode_of(told).threads * min(int(told["lane_bytes"]), 1 << 16)
        )
        self.evaluate(told)
        read(told["next"], np.dtype("<u4"), 1)[0] = told["count"]
        self.check(told, blocks, threads, after=True)
        self.ended += 1
        self.after(launch)

    def stage_samples(self, blocks: int, threads: int, argument: int) -> None:
        """Compute the shared values of the samples that a launch is told."""
        told = read(argument, LAUNCH_TYPE, 1)[0].copy()
        count, lanes = int(told["count"]), blocks * threads // WARPS.threads
        assert threads == WARPS.block * WARPS.threads
        assert 0 < lanes < count + WARPS.block
        self.check_memory(told, lanes, stage_sizes(told, count))
        ctypes.memset(int(told["memory"]), 0xEE, lanes * min(int(told["lane_bytes"]), 1 << 16))
        samples = read(told["stage_samples"], np.dtype("<u4"), count)
        assert len(set(samples.tolist())) == count, "a sample twice"
        ctypes.memset(int(told["stages"]), 0xEE, count * int(told["stage_bytes"]))
        self.fill_stages(told)
        with self.lock:
            self.staged.append(samples.tolist())

    def fill_stages(self, told: np.void) -> None:
        """Here just a word that tells whose it is, and whether there was room for it."""
        count = int(told["count"])
        samples = read(told["stage_samples"], np.dtype("<u4"), count)
        stages = read(told["stages"], np.dtype("u1"), count * int(told["stage_bytes"])).reshape(count, -1)
        heads = stages[:, :16].copy().view("<u8")
        heads[:, 0], heads[:, 1] = samples, self.full_stages(samples.astype(np.uint64) * 104_729 % 1000)
        stages[:, :16] = heads.view("u1")

    def check(self, told: np.void, blocks: int, threads: int, after: bool = False) -> None:
        mode = mode_of(told)
        count, lanes = int(told["count"]), blocks * threads // mode.threads
        assert threads == mode.block * mode.threads
        assert count % mode.group == 0
        assert 0 < lanes < count + mode.block
        sizes = {"results": count * RESULT_TYPE.itemsize, "numbers": count * 4, "routines": count * 4}
        if told["outputs"]:
            sizes |= {"outputs": int(told["output_room"]), "output_used": 8, "output_ends": count * 8}
        if told["stage_entries"]:
            numbers = read(told["numbers"], np.dtype("<u4"), count)
            sizes |= stage_sizes(told, int(numbers[numbers != NO_EVALUATION].max()) + 1)
        self.check_memory(told, lanes, sizes, after)

    def check_memory(self, told: np.void, lanes: int, sizes: dict[str, int], after: bool = False) -> None:
        assert after or read(told["next"], np.dtype("<u4"), 1)[0] == 0
        assert told["lane_bytes"] % 128 == 0
        assert told["value_room"] * 16 < told["lane_bytes"]
        sizes = sizes | {
            "memory": lanes * int(told["lane_bytes"]),
            "frames": lanes * int(told["frame_room"]) * FRAME_BYTES,
            "next": 4,
        }
        parts = sorted((int(told[name]), int(told[name]) + size) for name, size in sizes.items())
        # Other threads take and free meanwhile.
        all_taken = self.cupy.taken.copy()
        taken = [(at, at + size) for at, (card, size, _) in all_taken.items() if card == self.cupy.current]
        assert all(any(start <= at and end <= stop for start, stop in taken) for at, end in parts), "outside"
        assert all(first[1] <= then[0] for first, then in pairwise(parts)), "one over the other"
        alone = ("program_code", "program_constants", "program_routines", "helper_names", "samples", "stage_rows")
        assert all(any(start <= told[name] <= stop for start, stop in taken) for name in alone)

    def evaluate(self, told: np.void) -> None:
        program, batch = self.loaded()
        count, u4 = int(told["count"]), np.dtype("<u4")
        routines, numbers = read(told["routines"], u4, count), read(told["numbers"], u4, count)
        group = mode_of(told).group
        groups = routines.reshape(-1, group)
        assert (groups == groups[:, :1]).all(), "a group of several slices"
        there = numbers != NO_EVALUATION
        assert there.reshape(-1, group)[:, 0].all(), "a group without an evaluation"
        routine_of = program.frozen(lambda size: 0).routine_of
        slice_of = {int(routine): at for at, routine in enumerate(routine_of)}
        slices = np.array([slice_of[each] for each in routines[there].tolist()], np.uint32)
        samples, no_stage = self.samples_of(told, numbers[there])
        rows = read(told["samples"], DEVICE_SAMPLE_TYPE, int(samples.max()) + 1)
        assert set(rows["is_known"].tolist()) <= {0, 1}
        budget = Budget(told["budget_steps"], told["budget_max_items"], told["budget_work"], told["budget_scores"])
        worker = NativeWorker(program.library, WorkerMemory(64 << 20))
        room, ends = np.zeros(64 << 20, np.uint8), np.zeros(len(samples), np.uint64)
        outputs = Outputs(room.ctypes.data, len(room), 0, ends.ctypes.data, 0) if told["outputs"] else None
        done, results = worker.run(program, batch, slices, samples, budget, outputs)
        worker.close()
        assert done == len(results)
        spread = (slices.astype(np.uint64) * 7919 + samples * 104_729) % 1000
        is_warps = mode_of(told) is not THREADS
        full, over = (self.full_warps, self.over_warps) if is_warps else (self.full, self.over)
        results["status"][full(spread)] = Ended.UNSUPPORTED
        results["cause"][full(spread)] = self.cause
        results["status"][no_stage] = Ended.UNSUPPORTED
        results["cause"][no_stage] = Cause.ARENA_FULL
        results["status"][over(spread) | (results["steps"] > told["steps"])] = Ended.LAUNCH_LIMIT
        if told["outputs"]:
            self.put_outputs(told, results, np.flatnonzero(there), room, ends)
        read(told["results"], RESULT_TYPE, count)[there] = results

    def samples_of(self, told: np.void, numbers: Any) -> tuple[Any, Any]:
        """Return the samples of evaluations, and for which of them a shared value is missing."""
        if not told["stage_entries"]:
            return numbers, np.zeros(len(numbers), bool)
        count = int(numbers.max()) + 1
        stages = read(told["stages"], np.dtype("u1"), count * int(told["stage_bytes"])).reshape(count, -1)
        heads = stages[:, :16].copy().view("<u8")
        samples = read(told["stage_samples"], np.dtype("<u4"), count)
        assert (heads[:, 0] == samples).all(), "a stage of another sample"
        assert (stages[:, 16:] == 0xEE).all(), "written over"
        return samples[numbers], heads[numbers, 1] != 0

    def put_outputs(self, told: np.void, results: npt.NDArray[Any], rows: Any, room: Any, ends: Any) -> None:
        """Put grids of small ints where outputs go, one after the other; all other values are left."""
        used, at = 0, read(told["output_ends"], np.dtype("<u8"), int(told["count"]))
        space = read(told["outputs"], np.dtype("u1"), int(told["output_room"]))
        for k, start in enumerate([0, *ends[:-1].tolist()]):
            wire = room[start : int(ends[k])]
            if results["status"][k]:
                continue
            if (
                results["shape"][k]
                and len(wire) == _wire_bytes(int(results["shape"][k]))
                and used + len(wire) <= len(space)
            ):
                space[used : used + len(wire)] = wire
                at[rows[k]] = used << 24 | len(wire)
                used += len(wire)
            else:
                results["status"][k], results["cause"][k] = Ended.UNSUPPORTED, Cause.OTHER_OUTPUT
        read(told["output_used"], np.dtype("<u8"), 1)[0] = used


def mode_of(told: np.void) -> Mode:
    """Return the mode of a launch."""
    room, arenas = int(told["value_room"]), THREADS.per_sm // LIGHT_WARPS.per_sm
    return {THREADS.value_room: THREADS, arenas * THREADS.value_room: LIGHT_WARPS}.get(room, WARPS)


def stage_sizes(told: np.void, count: int) -> dict[str, int]:
    """What the stages of so many samples take."""
    assert told["stages"] % 16 == 0
    assert told["stage_bytes"] % 16 == 0
    assert told["stage_bytes"] > told["stage_entries"] * STAGE_ENTRY_BYTES
    return {"stages": count * int(told["stage_bytes"]), "stage_samples": count * 4}


def _wire_bytes(shape: int) -> int:
    height, width = divmod(shape, 1 << 16)
    return 5 + height * (5 + width)


def read(address: Any, dtype: np.dtype[Any], count: int) -> npt.NDArray[Any]:
    """So many items at an address; they can be written to."""
    raw = (ctypes.c_uint8 * (dtype.itemsize * count)).from_address(int(address))
    return np.frombuffer(memoryview(raw), dtype)
