"""How evaluations stand in a launch, and what one slot does with its memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from batt.bytecode.abi import Cause
from batt.compiler import encode_programs
from batt.runtime import Sample
from batt.runtime.batch import pack_samples
from batt.runtime.cuda import Device
from batt.runtime.cuda.faults import OutOfMemory
from batt.runtime.cuda.launch import LAUNCH_TYPE, THREAD_SLOTS, LaunchSlot, Prepared
from batt.runtime.cuda.memory import NoRoom
from batt.runtime.cuda.modes import THREADS, WARPS
from batt.runtime.evaluations import Block
from batt.runtime.native import (
    DEVICE_SAMPLE_TYPE,
    Budget,
    NativeBatch,
    NativeProgram,
    library,
)
from batt.runtime.options import Options
from batt.runtime.tier import CUDA_THREADS, CUDA_WARPS
from fake_cupy import Card, FakeCupy
from fake_kernel import FakeKernel, read
from handmade import MIRROR, RAISES, SAME, evaluations_of, program, sample
from native_library import needs_library
from output_texts import texts_of

BUDGET = Budget(100_000, 100_000, 10**9)


def loaded(*programs: tuple[str, ...]) -> NativeProgram:
    image = encode_programs({f"s{number}": program(*lines) for number, lines in enumerate(programs)}).image
    return NativeProgram(library(), image.words, image.pool)


def loaded_batch(*samples: Sample) -> NativeBatch:
    batch = pack_samples(samples)
    return NativeBatch(library(), batch.data, batch.ends, batch.rows)


def test_the_record_is_thirty_fields_of_eight_bytes():
    assert LAUNCH_TYPE.itemsize == 240
    assert {LAUNCH_TYPE[at].itemsize for at in range(30)} == {8}


@needs_library
def test_frozen_samples_point_at_their_values():
    samples = [sample(((1, 2), (3, 4)), ((5,),), 0), sample(((7,),), None, 1)]
    memory = np.empty(0, np.uint8)

    def place(size: int) -> int:
        nonlocal memory
        memory = np.zeros(size, np.uint8)
        return memory.ctypes.data

    batch = loaded_batch(*samples)
    memory[:] = batch.frozen(place)
    rows = memory[: 2 * DEVICE_SAMPLE_TYPE.itemsize].view(DEVICE_SAMPLE_TYPE)
    assert rows["is_known"].tolist() == [1, 0]
    # The second word of a grid is where its cells lie.
    assert read(rows["input"][0][1], np.dtype("u1"), 4).tolist() == [1, 2, 3, 4]
    assert read(rows["expected"][0][1], np.dtype("u1"), 1).tolist() == [5]
    assert read(rows["input"][1][1], np.dtype("u1"), 1).tolist() == [7]


@needs_library
def test_a_frozen_program_lies_where_it_was_told_to():
    given = loaded(MIRROR, RAISES, SAME)
    sizes = []
    frozen = given.frozen(lambda size: sizes.append(size) or 4096)
    assert sizes == [len(frozen.data)]
    assert set(frozen.addresses) == {"code", "constants", "routines", "names", "stage"}
    assert all(4096 <= each <= 4096 + len(frozen.data) for each in frozen.addresses.values())
    assert len(frozen.routine_of) == given.slices == 3
    assert len(set(frozen.routine_of.tolist())) == 3


@needs_library
@pytest.mark.parametrize("width", range(1, 18))
def test_whole_words_of_what_is_frozen_can_be_read_to_its_end(width: int):
    batch = loaded_batch(sample(((3,) * width,), ((5,) * width,) * 3, 0))
    assert len(batch.frozen(lambda size: 4096)) % 16 == 0
    assert len(loaded(MIRROR, RAISES).frozen(lambda size: 4096).data) % 16 == 0


class Made:
    """A prepared fake card with one program of three slices on a few samples."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, folder: Path, total_bytes: int = 1 << 30, outputs: bool = False
    ) -> None:
        monkeypatch.setenv("BATT_CACHE_DIR", str(folder))
        self.cupy = FakeCupy([Card(total_bytes=total_bytes, processors=2)]).use(monkeypatch)
        self.program = loaded(MIRROR, RAISES, SAME)
        self.batch = loaded_batch(*[sample(((n % 10, 1),), ((1, n % 10),), n) for n in range(700)])
        self.kernel = FakeKernel(self.cupy, lambda: (self.program, self.batch))
        self.device = Device(0)
        self.function = self.device.load(b"cubin", "batt_evaluate")
        self.prepared = self.prepare(Options(outputs=outputs))

    def prepare(self, options: Options, budget: Budget = BUDGET) -> Prepared:
        return Prepared(self.device, self.function, self.program, self.batch, budget, options)

    def slots(self, rows: int = 4096) -> list[LaunchSlot]:
        return self.prepared.slots(rows)

    def warp_slots(self) -> list[LaunchSlot]:
        return self.prepared.warp_slots(self.function, self.slots())


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Made:
    return Made(monkeypatch, tmp_path)


def block_of(solvers: int = 3, samples: int = 700) -> Block:
    return evaluations_of(solvers, samples, sizes=np.zeros(samples, np.int64)).block(0, solvers * samples)


@needs_library
def test_results_stand_where_their_evaluations_do(made: Made):
    slot, _ = made.slots()
    block = block_of()[np.r_[0:5, 690:710, 1500:1900]]
    part = slot.run(block, block.solvers)()
    assert (part.block.numbers.tolist(), part.rest, part.deferred) == (block.numbers.tolist(), None, {})
    assert (part.tier, part.worker) == (CUDA_THREADS, "GPU 0 (Fake Card)")
    statuses = [int(each) for each in part.records["status"]]
    assert statuses == [1 if solver == 1 else 0 for solver in block.solvers.tolist()]
    first = slot.run(block[:1], block.solvers[:1])().records
    assert first["hash"].tolist() == part.records["hash"][:1].tolist()
    assert made.kernel.counts == [256 * 4, 256]


@needs_library
def test_a_block_larger_than_a_launch_is_begun_and_its_rest_comes_back(made: Made):
    slot = made.slots(1024)[0]
    block: Block | None = block_of()
    seen: list[int] = []
    while block is not None:
        part = slot.run(block, block.solvers)()
        seen += part.block.numbers.tolist()
        block = part.rest
    assert seen == list(range(2100))
    assert made.kernel.counts == [1024, 1024, 256]
    assert max(made.kernel.counts) <= slot.room.evaluations


@needs_library
def test_memory_is_taken_once_and_given_back(made: Made):
    before = made.cupy.used(0)
    slots = made.slots()
    assert made.cupy.used(0) == before
    for slot in slots * 2:
        slot.run(block_of(), block_of().solvers)()
    assert made.cupy.used(0) == before + sum(slot.room.bytes + 24 for slot in slots)
    for slot in slots:
        slot.close()
        slot.close()
    assert made.cupy.used(0) == before
    made.device.close()
    assert (made.cupy.taken, made.cupy.handles) == ({}, set())


@needs_library
def test_where_memory_is_short_a_launch_is_smaller(made: Made):
    slot = made.slots(1 << 15)[0]
    assert slot.room.blocks == 2
    made.cupy.most_bytes = slot.room.bytes - 1
    block = block_of()
    part = slot.run(block, block.solvers)()
    assert slot.room.blocks == 1
    assert len(part.block) == len(block)
    made.cupy.most_bytes = 1000
    slot.close()
    with pytest.raises(NoRoom, match=r"not even .* of the GPU's memory could be allocated"):
        slot.run(block, block.solvers)()
    assert made.cupy.used(0) == sum(buffer.bytes for buffer in made.prepared._buffers)


@needs_library
def test_host_memory_that_is_short_costs_nothing_but_size(made: Made, monkeypatch: pytest.MonkeyPatch):
    pinned, asked = made.device.pinned, []

    def short(dtype: object, count: int) -> object:
        asked.append(count)
        if count > 2100:
            raise OutOfMemory(0, "Fake Card", "out of memory")
        return pinned(dtype, count)

    monkeypatch.setattr(made.device, "pinned", short)
    slot = made.slots(1 << 15)[0]
    part = slot.run(block_of(), block_of().solvers)()
    assert part.rest is not None
    assert len(part.block) + len(part.rest) == 2100
    # It asks for the rows of the launch, until one is small enough.
    assert list(dict.fromkeys(asked)) == [2304, 2048]
    made.device.close()
    assert made.cupy.taken == {}


@needs_library
def test_slots_keep_to_the_share_of_the_card(made: Made):
    rooms = [slot.room for slot in made.slots(1 << 30)]
    assert len(rooms) == THREAD_SLOTS
    assert rooms[0].arenas == 512
    assert sum(room.bytes for room in rooms) < 0.8 * (1 << 30)
    made.prepared = made.prepare(Options(gpu_memory=0.001))
    with pytest.raises(NoRoom):
        made.slots()


@needs_library
def test_a_small_card_has_one_slot(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    # Half of what may be used is for launches of threads.
    made = Made(monkeypatch, tmp_path, int(2 * THREADS.need.block_bytes / 0.8) + (8 << 20))
    (slot,) = made.slots()
    assert slot.room.blocks == 1
    assert len(slot.run(block_of(), block_of().solvers)().block) == 2100


@needs_library
@pytest.mark.parametrize("outputs", [False, True])
@pytest.mark.parametrize(("total", "count"), [(700 << 20, 1), (1 << 30, 1), (3 << 30, 2)])
def test_all_places_keep_to_the_share_of_the_card(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, total: int, count: int, outputs: bool
):
    made = Made(monkeypatch, tmp_path, total, outputs)
    slots = made.slots(1 << 30)
    for_warps = made.prepared.warp_slots(made.function, slots)
    # There are two only where both have all lanes.
    assert [slot.room.arenas for slot in for_warps][1:] == [2 * WARPS.per_sm] * (count - 1)
    assert (len(slots), len(for_warps)) == (THREAD_SLOTS, count)
    slots += for_warps
    assert sum(slot.room.bytes for slot in slots) <= 0.8 * total - made.cupy.used(0)
    for slot in slots:
        slot.run(block_of(), block_of().solvers)()
    assert made.cupy.used(0) <= 0.8 * total


@needs_library
def test_warps_run_evaluations_as_they_come(made: Made):
    slot = made.warp_slots()[0]
    block = block_of()[np.r_[0:5, 1500:1502, 690:710]]
    part = slot.run(block, block.solvers)()
    assert part.block.numbers.tolist() == block.numbers.tolist()
    by_threads = made.slots()[0].run(block, block.solvers)()
    assert (part.tier, by_threads.tier) == (CUDA_WARPS, CUDA_THREADS)
    assert part.records.tolist() == by_threads.records.tolist()
    assert part.steps.tolist() == by_threads.steps.tolist()
    assert made.kernel.modes == [WARPS, THREADS]
    # No group, no row without an evaluation.
    assert made.kernel.counts[0] == len(block)


@needs_library
@pytest.mark.parametrize("is_warps", [False, True])
def test_what_meets_a_limit_of_a_launch_is_deferred_for_the_cause_of_its_mode(made: Made, is_warps: bool):
    made.kernel.over = made.kernel.over_warps = lambda spread: spread < 300
    made.kernel.full = made.kernel.full_warps = lambda spread: spread > 900
    slot = (made.warp_slots() if is_warps else made.slots())[0]
    block = block_of()[:100].because(Cause.HEAVY if is_warps else None)
    part = slot.run(block, block.solvers)()
    assert set(part.deferred) == {Cause.WARP_LIMIT if is_warps else Cause.THREAD_LIMIT, Cause.ARENA_FULL}
    # What a warp ran is still known to be heavy.
    assert {each.cause for each in part.deferred.values()} == {block.cause}
    numbers = [part.block.numbers, *[each.numbers for each in part.deferred.values()]]
    assert sorted(np.concatenate(numbers).tolist()) == list(range(100))
    assert len(part.records) == len(part.steps) == len(part.block) > 0


@needs_library
def test_where_other_slots_leave_too_little_there_is_none_for_warps(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    made = Made(monkeypatch, tmp_path, int(WARPS.need.block_bytes / 0.8) + (16 << 20))
    (alone,) = made.prepared.warp_slots(made.function, [])
    assert len(alone.run(block_of()[:9], block_of().solvers[:9])().block) == 9
    alone.close()
    with pytest.raises(NoRoom, match=f"one block of {WARPS.block} arenas takes "):
        made.warp_slots()


@needs_library
@pytest.mark.parametrize("is_warps", [False, True])
def test_grids_come_beside_their_results(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, is_warps: bool):
    made = Made(monkeypatch, tmp_path, outputs=True)
    slot = (made.warp_slots() if is_warps else made.slots())[0]
    block = block_of()[np.r_[0:3, 700:702, 1409:1411]]
    for _ in range(2):
        part = slot.run(block, block.solvers)()
        assert texts_of(part.outputs) == ["[[1,0]]", "[[1,1]]", "[[1,2]]", "null", "null", "[[9,1]]", "[[0,1]]"]
    made.device.close()
    assert made.cupy.taken == {}


@needs_library
def test_outputs_that_find_no_room_are_deferred(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr("batt.runtime.cuda.launch.OUTPUT_BYTES", 8)
    made = Made(monkeypatch, tmp_path, outputs=True)
    slot = made.slots(512)[0]
    block = block_of(1, 500)
    part = slot.run(block, block.solvers)()
    fitting = 8 * 512 // len(b"\xf2....\xf2....12")
    assert part.block.numbers.tolist() == list(range(fitting))
    assert {cause: each.numbers.tolist() for cause, each in part.deferred.items()} == {
        Cause.OTHER_OUTPUT: list(range(fitting, 500))
    }
    assert texts_of(part.outputs) == [f"[[1,{n % 10}]]" for n in range(fitting)]


@needs_library
def test_values_that_are_no_grids_are_deferred(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    made = Made(monkeypatch, tmp_path, outputs=True)
    made.program = loaded(("x = size(I)",), MIRROR, ("x = (I, I)",))
    made.prepared = made.prepare(Options(outputs=True))
    block = block_of()[np.r_[0, 700, 1400]]
    part = made.slots()[0].run(block, block.solvers)()
    assert part.block.numbers.tolist() == [700]
    assert part.deferred[Cause.OTHER_OUTPUT].numbers.tolist() == [0, 1400]
    assert texts_of(part.outputs) == ["[[1,0]]"]


@needs_library
def test_a_large_grid_comes_whole(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr("batt.runtime.cuda.launch.OUTPUT_BYTES", 1 << 13)
    made = Made(monkeypatch, tmp_path, outputs=True)
    made.program = loaded(("x = upscale(I, 200)",))
    budget = Budget(10**6, 10**6, 10**9)
    made.prepared = made.prepare(Options(outputs=True), budget)
    block = block_of(1, 3)
    part = made.warp_slots()[0].run(block, block.solvers)()
    rows = [",".join([str(n)] * 200 + ["1"] * 200) for n in range(3)]
    assert texts_of(part.outputs) == [f"[{','.join([f'[{row}]'] * 200)}]" for row in rows]
