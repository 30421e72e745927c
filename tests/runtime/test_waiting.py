"""What waits in a run, and who takes how much of it: nothing is lost, and nothing comes twice."""

from __future__ import annotations

import sys
import threading
from collections import Counter, deque
from collections.abc import Sequence

import numpy as np
import pytest

from batt.bytecode.abi import Cause
from batt.runtime.cpu.tier import BLOCK_S, FIRST_BLOCK, MAX_BLOCK, MIN_BLOCK
from batt.runtime.cuda_warps.tier import GPU_FRACTION
from batt.runtime.evaluations import Block, Evaluations
from batt.runtime.pieces import joined, part_of, parted
from batt.runtime.tier import CPU, CUDA_THREADS, CUDA_WARPS, REFERENCE
from batt.runtime.waiting import FEWEST, HEAVY_PART, LIMIT_PART, TO_THE_END, Pace, Waiting
from handmade import evaluations_of

SOME = evaluations_of(5, 4, np.array([0, 0, 2, 2, 4, 1]), np.array([1, 3, 3, 0, 1, 3]))


def all_of(evaluations: Evaluations, workers: int = 2, size: int = FIRST_BLOCK) -> list[Block]:
    waiting = Waiting(evaluations)
    found = []
    while (block := waiting.first(size, workers)) is not None:
        found.append(block)
    return found


def numbered(start: int, stop: int) -> Block:
    numbers = np.arange(start, stop)
    return Block(numbers, numbers * 2, numbers * 3)


def for_warps(*heavy: int, limit: Sequence[int] = ()) -> Waiting:
    """What the CPU found heavy, and what met the limits of a GPU's threads, in blocks of these sizes."""
    made, at = Waiting(evaluations_of(0, 0)), 0
    for number, size in enumerate((*heavy, *limit)):
        cause = Cause.HEAVY if number < len(heavy) else Cause.THREAD_LIMIT
        made.defer(CUDA_WARPS, cause, numbered(at, at + size))
        at += size
    return made


def numbers_of(blocks: Sequence[Block]) -> list[int]:
    return [number for block in blocks for number in block.numbers.tolist()]


@pytest.mark.parametrize("evaluations", [evaluations_of(3, 7), evaluations_of(400, 60), evaluations_of(1, 1), SOME])
@pytest.mark.parametrize("workers", [1, 3])
def test_every_evaluation_comes_once_and_sample_by_sample(evaluations: Evaluations, workers: int):
    blocks = all_of(evaluations, workers)
    assert sorted(numbers_of(blocks)) == list(range(evaluations.total))
    samples = np.concatenate([block.samples for block in blocks])
    assert (np.diff(samples) >= 0).all()


def test_no_evaluations_are_no_blocks():
    assert all_of(evaluations_of(0, 7)) == all_of(evaluations_of(7, 0)) == []


def test_blocks_end_with_a_sample_where_they_can():
    waiting = Waiting(evaluations_of(10, 1000))
    assert [len(waiting.first(57, 1) or ()) for _ in range(2)] == [50, 50]


def test_a_sample_larger_than_a_block_is_cut():
    block = Waiting(evaluations_of(10_000, 2)).first(FIRST_BLOCK, 1)
    assert block is not None
    assert len(block) == FIRST_BLOCK


def test_blocks_grow_and_shrink_towards_their_time():
    pace = Pace(FIRST_BLOCK, MIN_BLOCK, MAX_BLOCK, BLOCK_S)
    for _ in range(100):
        pace.learn(pace.size, pace.size * BLOCK_S / 5000)
    assert pace.size == pytest.approx(5000, rel=0.01)
    for _ in range(100):
        pace.learn(pace.size, 60.0)
    assert pace.size == MIN_BLOCK
    for _ in range(100):
        pace.learn(pace.size, 0.0)
    assert pace.size == MAX_BLOCK


def test_no_block_is_more_than_a_fair_share_of_what_is_left():
    left = 7000
    for block in all_of(evaluations_of(7, 1000), 4, MAX_BLOCK):
        assert len(block) <= max(-(-left // 8), FEWEST)
        left -= len(block)
    assert left == 0


def test_a_few_evaluations_are_one_block():
    assert [len(block) for block in all_of(evaluations_of(FEWEST // 4, 4), workers=8)] == [FEWEST]


def test_an_order_of_no_pairs_is_empty():
    none = np.empty(0, np.int64)
    assert all_of(evaluations_of(5, 4, none, none).by_solver(np.array([30, 10, 20, 10]))) == []


@pytest.mark.parametrize("evaluations", [evaluations_of(40, 60), SOME])
def test_small_blocks_from_the_front_and_large_ones_from_the_end_meet(evaluations: Evaluations):
    waiting = Waiting(evaluations)
    found: list[Block] = []
    while waiting.new:
        assert waiting.is_any_new
        found += [each for each in (waiting.last(500), waiting.first(FIRST_BLOCK, 2)) if each is not None]
    assert not waiting.is_any_new
    assert (waiting.first(FIRST_BLOCK, 2), waiting.last(500)) == (None, None)
    assert sorted(numbers_of(found)) == list(range(evaluations.total))


def test_large_blocks_begin_with_a_sample_where_they_can():
    waiting = Waiting(evaluations_of(10, 1000))
    sizes = [len(waiting.last(count) or ()) for count in (57, 40, 9, 14)]
    # Nine are less than a sample, and one more is no half of what was asked for.
    assert sizes == [50, 40, 9, 11]
    assert waiting.new == 10_000 - sum(sizes)
    waiting.at = waiting.end - 7
    assert len(waiting.last(100) or ()) == 7


@pytest.mark.parametrize(("count", "solvers"), [(1, [0]), (6, [0]), (7, [0]), (13, [0]), (14, [0, 1]), (20, [0, 1])])
def test_a_block_is_parted_by_solver(count: int, solvers: list[int]):
    block = evaluations_of(3, 7).block(0, 21)
    first, others = parted(block, count)
    assert sorted(set(first.solvers.tolist())) == solvers
    assert len(first) == 7 * len(solvers)
    assert sorted([*first.numbers, *others.numbers]) == list(range(21))
    assert (np.diff(others.samples) >= 0).all()


def test_a_part_of_a_block_keeps_its_cause_and_joined_blocks_have_none():
    block = numbered(0, 5).because(Cause.HEAVY)
    assert block[2:].cause is block[np.array([True, False, True, False, False])].cause is Cause.HEAVY
    assert block[2:].numbers.tolist() == [2, 3, 4]
    blocks = deque([block])
    assert part_of(blocks, 2).cause is blocks[0].cause is Cause.HEAVY
    assert joined([block, block]).cause is None


def test_what_the_cpu_did_not_run_is_taken_again_first_and_in_pieces():
    waiting = Waiting(evaluations_of(4, 1000))
    waiting.give_back(CPU, numbered(100, 107).because(Cause.HEAVY))
    waiting.give_back(CPU, numbered(0, 10), pieces=3)
    waiting.give_back(REFERENCE, numbered(50, 52), pieces=9)
    assert waiting.new == 4000
    assert waiting.deferred(CPU) == waiting.deferred(REFERENCE) == 19
    assert (waiting.deferred(CUDA_THREADS), waiting.deferred(CUDA_WARPS)) == (0, 0)
    pieces: list[Block] = []
    while (block := waiting.returned()) is not None:
        pieces.append(block)
    assert [each.numbers.tolist() for each in pieces] == [
        [50],
        [51],
        [0, 1, 2],
        [3, 4, 5],
        [6, 7, 8, 9],
        list(range(100, 107)),
    ]
    # What is heavy stays heavy.
    assert [each.cause for each in pieces] == [None] * 5 + [Cause.HEAVY]


def test_what_launches_did_not_hold_is_launched_again_before_all_else():
    waiting = Waiting(evaluations_of(4, 1000))
    large = waiting.last(1000)
    assert large is not None
    waiting.give_back(CUDA_THREADS, large)
    assert waiting.new == 4000
    first = waiting.last(600)
    assert first is not None
    assert first.numbers.tolist() == large.numbers[:600].tolist()
    waiting.put_first(first)
    assert [len(waiting.last(600) or ()) for _ in range(3)] == [600, 400, 600]


def test_what_a_launch_did_not_hold_is_launched_with_new_ones_if_they_run_solver_by_solver():
    waiting = Waiting(evaluations_of(4, 1000).by_solver(np.zeros(1000, np.int64)))
    large = waiting.last(1000)
    assert large is not None
    waiting.give_back(CUDA_THREADS, large[:30])
    blocks = []
    while (block := waiting.last(500)) is not None:
        blocks.append(block)
    assert [len(block) for block in blocks] == [500, 500, 500, 500, 500, 500, 30]
    assert sorted(numbers_of(blocks)) == [*range(3000), *sorted(large.numbers[:30].tolist())]


def test_the_cpu_takes_what_gpus_deferred_shared_out_evenly_down_to_the_last_ones():
    waiting = Waiting(evaluations_of(0, 0))
    waiting.defer(CPU, Cause.LONG_WORK, numbered(0, 300))
    waiting.defer(CPU, Cause.THREAD_LIMIT, numbered(300, 301))
    again: list[Block] = []
    while waiting.deferred(CPU):
        block = waiting.for_cpu(FIRST_BLOCK, 2)
        assert block is not None
        again.append(block)
    assert waiting.for_cpu(FIRST_BLOCK, 2) is None
    assert (len(again[0]), len(again[-2]), len(again[-1])) == (75, 1, 1)
    assert numbers_of(again) == list(range(301))


def test_large_blocks_that_come_back_may_become_small_ones():
    waiting = Waiting(evaluations_of(1, 1000))
    block = waiting.last(1000)
    assert block is not None
    assert waiting.first(FIRST_BLOCK, 2) is None
    waiting.give_back(CUDA_THREADS, block)
    assert waiting.is_any_new
    small: list[Block] = []
    while (each := waiting.first(500, 2)) is not None:
        assert len(each) <= 250
        small.append(each)
    assert numbers_of(small) == list(range(1000))
    assert waiting.new == 0


def test_any_thread_may_ask_whether_anything_is_new():
    waiting, over, errors = Waiting(evaluations_of(1, 1)), threading.Event(), list[BaseException]()

    def ask() -> None:
        try:
            while not over.is_set():
                assert waiting.is_any_new
        except BaseException as error:
            errors.append(error)

    usual_s, thread = sys.getswitchinterval(), threading.Thread(target=ask)
    sys.setswitchinterval(1e-6)
    try:
        thread.start()
        for number in range(20_000):
            waiting.give_back(CUDA_THREADS, numbered(number, number + 1))
            if number % 100 == 99:
                for _ in range(100):
                    waiting.last(1)
    finally:
        sys.setswitchinterval(usual_s)
        over.set()
        thread.join()
    assert errors == []


@pytest.mark.parametrize("fraction", [GPU_FRACTION, 1.0])
@pytest.mark.parametrize("heavy", [0, 1, 300, 511])
def test_a_few_are_not_worth_a_launch_of_warps(heavy: int, fraction: float):
    made = for_warps(heavy, limit=[511 - heavy])
    assert made.for_warps(10**6, 512, fraction) is None
    assert made.deferred(CUDA_WARPS) == 511


@pytest.mark.parametrize("limit", [0, 100, 512])
def test_while_there_is_other_work_warps_take_all_in_their_order(limit: int):
    made = for_warps(300, 512 - limit - 300, limit=[limit]) if limit < 200 else for_warps(limit=[300, limit - 300])
    block = made.for_warps(10**6, 512, 1.0)
    assert block is not None
    assert block.cause is Cause.HEAVY
    assert block.numbers.tolist() == [*range(512 - limit, 512), *range(512 - limit)]
    assert block.solvers.tolist() == (2 * block.numbers).tolist()
    assert block.samples.tolist() == (3 * block.numbers).tolist()
    assert made.deferred(CUDA_WARPS) == 0
    assert made.for_warps(10**6, 1, 1.0) is None


def test_a_launch_of_warps_takes_no_more_than_it_has_room_for():
    made = for_warps(400, 300, limit=[300])
    blocks = [made.for_warps(600, 512, 1.0) for _ in range(2)]
    assert [None if block is None else len(block) for block in blocks] == [600, None]
    assert made.deferred(CUDA_WARPS) == 400


@pytest.mark.parametrize("limit", [0, 90, 400])
@pytest.mark.parametrize("count", [512, 513, 1538])
def test_at_the_end_warps_leave_the_cpu_its_part(count: int, limit: int):
    made = for_warps(100, count - 100 - limit, limit=[limit])
    block = made.for_warps(10**6, 512, GPU_FRACTION)
    assert block is not None
    assert len(block) == -(-count * GPU_FRACTION // 1)
    assert made.deferred(CUDA_WARPS) == count - len(block)


@pytest.mark.parametrize("cause", [Cause.THREAD_LIMIT, Cause.ARENA_FULL, Cause.STACK_FULL])
def test_warps_take_what_launches_of_threads_deferred_before_what_is_heavy(cause: Cause):
    made = for_warps(10, 10, limit=[10, 10])
    first, second = made.for_warps(15, 1, 1.0), made.for_warps(15, 1, 1.0)
    assert first is not None
    assert second is not None
    assert first.numbers.tolist() == list(range(20, 35))
    assert second.numbers.tolist() == [*range(35, 40), *range(10)]
    # What comes later goes before.
    made.defer(CUDA_WARPS, cause, numbered(40, 45))
    third = made.for_warps(15, 1, 1.0)
    assert third is not None
    assert third.numbers.tolist() == [*range(40, 45), *range(10, 20)]


def test_what_a_launch_of_warps_did_not_hold_stays_heavy():
    made = for_warps(limit=[20])
    block = made.for_warps(20, 1, 1.0)
    assert block is not None
    made.give_back(CUDA_WARPS, block[15:])
    assert made.new == 0
    again = made.for_idle_cpu(1)
    assert again is not None
    assert again.cause is Cause.HEAVY
    assert again.numbers.tolist() == [15]
    assert made.deferred(CUDA_WARPS) == 4


def test_rows_of_warps_stand_program_by_program_and_first_those_of_which_most_was_deferred():
    generator = np.random.default_rng(5)
    blocks = [Block(np.arange(at, at + 50), *generator.integers(0, 7, (2, 50))) for at in range(0, 400, 50)]
    made = Waiting(evaluations_of(0, 0))
    for number, block in enumerate(blocks):
        made.defer(CUDA_WARPS, Cause.HEAVY if number % 2 else Cause.THREAD_LIMIT, block)
    taken = made.for_warps(10**6, 1, 1.0)
    assert taken is not None
    wanted = []
    for part in (blocks[0::2], blocks[1::2]):
        rows = [row for each in part for row in zip(each.numbers, each.solvers, each.samples, strict=True)]
        counts = Counter([solver for _, solver, _ in rows])
        wanted += sorted(rows, key=lambda row: (-counts[row[1]], row[1]))
    assert list(zip(taken.numbers, taken.solvers, taken.samples, strict=True)) == wanted


@pytest.mark.parametrize("cause", [Cause.WARP_LIMIT, Cause.ARENA_FULL, Cause.LAUNCH_FAILED, Cause.FAILED_TWICE])
@pytest.mark.parametrize("threads", [1, 2, 16])
def test_only_the_cpu_takes_what_warps_gave_up_and_few_of_it(threads: int, cause: Cause):
    made = for_warps(8, limit=[8])
    for start, stop in ((16, 316), (316, 321)):
        made.defer(CPU, cause, numbered(start, stop).because(Cause.HEAVY))
    assert (made.deferred(CUDA_WARPS), made.deferred(CPU)) == (16, 305)
    assert made.for_warps(100, 17, 1.0) is None
    taken: list[int] = []
    while made.deferred(CPU):
        block = made.from_warps(threads)
        assert block is not None
        # It is run to its end, and not sent back to warps.
        assert block.cause in TO_THE_END
        assert 1 <= len(block) <= max(1, min(HEAVY_PART[1], (305 - len(taken)) // (4 * threads)))
        taken += block.numbers.tolist()
    assert taken == list(range(16, 321))
    assert made.from_warps(threads) is None
    assert made.deferred(CUDA_WARPS) == 16


def test_what_two_launches_of_threads_failed_with_is_run_to_its_end_in_blocks_of_the_usual_size():
    made = Waiting(evaluations_of(0, 0))
    made.defer(CPU, Cause.FAILED_TWICE, numbered(0, 1000))
    made.defer(CPU, Cause.LONG_WORK, numbered(1000, 1001))
    assert made.from_warps(2) is None
    block = made.for_cpu(FIRST_BLOCK, 2)
    assert block is not None
    assert len(block) == FIRST_BLOCK
    assert block.cause in TO_THE_END
    causes = dict.fromkeys(block.numbers.tolist(), block.cause)
    while (block := made.for_cpu(FIRST_BLOCK, 2)) is not None:
        causes |= dict.fromkeys(block.numbers.tolist(), block.cause)
    assert causes == {**dict.fromkeys(range(1000), Cause.FAILED_TWICE), 1000: None}


def test_nothing_waits_in_an_empty_one():
    made = Waiting(evaluations_of(0, 0))
    assert (made.new, *[made.deferred(tier) for tier in (CUDA_THREADS, CUDA_WARPS, CPU, REFERENCE)]) == (0,) * 5
    assert made.first(10, 1) is made.last(10) is made.returned() is None
    assert made.for_warps(10, 0, 1.0) is made.for_idle_cpu(4) is made.from_warps(4) is None
    assert made.for_cpu(10, 4) is made.for_reference(10, 4) is None


@pytest.mark.parametrize("threads", [1, 2, 16])
@pytest.mark.parametrize("limit", [(), (3,), (5, 900)])
@pytest.mark.parametrize("heavy", [(), (1,), (5, 1, 700), (64,) * 30])
def test_idle_threads_take_a_few_at_a_time_until_none_is_left(
    heavy: tuple[int, ...], limit: tuple[int, ...], threads: int
):
    made, taken = for_warps(*heavy, limit=limit), list[int]()
    while (count := made.deferred(CUDA_WARPS)) and (block := made.for_idle_cpu(threads)) is not None:
        is_heavy = len(taken) < sum(heavy)
        assert block.cause is (Cause.HEAVY if is_heavy else Cause.THREAD_LIMIT)
        queued, (least, most) = (count - sum(limit), HEAVY_PART) if is_heavy else (count, LIMIT_PART)
        assert 1 <= len(block) <= max(least, min(most, queued // (4 * threads)))
        taken += block.numbers.tolist()
    assert taken == list(range(sum(heavy) + sum(limit)))
    assert made.for_idle_cpu(threads) is None


def test_the_reference_tier_gets_all_that_was_deferred_by_ascending_numbers():
    made = Waiting(evaluations_of(0, 0))
    for cause, start in ((Cause.WIDE_INT, 30), (Cause.REFUSED, 10), (Cause.WIDE_INT, 0), (Cause.SLOW_STAGE, 20)):
        made.defer(REFERENCE, cause, numbered(start, start + 10))
    first = made.for_reference(16, 1)
    assert first is not None
    made.defer(REFERENCE, Cause.SET_ORDER, numbered(12, 14))
    rest: list[Block] = []
    while (block := made.for_reference(16, 1)) is not None:
        rest.append(block)
    assert first.numbers.tolist() == list(range(16))
    assert numbers_of(rest) == sorted([*range(16, 40), 12, 13])
    assert all(len(each) <= 16 for each in rest)
    assert made.deferred(REFERENCE) == 0


def test_nothing_is_lost_and_nothing_comes_twice_whoever_asks():
    generator = np.random.default_rng(4)
    made, taken, at = Waiting(evaluations_of(1, 5000)), list[int](), 5000
    for _ in range(3000):
        most, least = generator.integers(1, 900, 2).tolist()
        cause = Cause(int(generator.choice([Cause.HEAVY, Cause.THREAD_LIMIT, Cause.ARENA_FULL, Cause.WARP_LIMIT])))
        match generator.integers(0, 11):
            case 0:
                made.defer(CUDA_WARPS, cause, numbered(at, at + 30))
                at += 30
                continue
            case 1:
                heavy = Cause.HEAVY if generator.integers(0, 2) else None
                made.defer(CPU, cause, numbered(at, at + 30).because(heavy))
                at += 30
                continue
            case 2:
                made.defer(REFERENCE, cause, numbered(at, at + 30))
                at += 30
                continue
            case 3:
                block = made.for_warps(most, least, float(generator.choice([GPU_FRACTION, 1.0])))
            case 4:
                block = made.last(most)
            case 5:
                block = made.first(1 + most // 4, 2)
            case 6:
                block = made.for_cpu(most, 2)
            case 7:
                block = made.from_warps(1 + most % 5)
            case 8:
                block = made.for_reference(most, 2)
            case 9:
                block = made.returned()
            case _:
                block = made.for_idle_cpu(1 + most % 5)
        if block is not None and len(block) > 1 and generator.integers(0, 3) == 0:
            tier = (CUDA_THREADS, CUDA_WARPS, CPU, REFERENCE)[generator.integers(0, 4)]
            made.give_back(tier, block[1:], pieces=2)
            block = block[:1]
        taken += [] if block is None else block.numbers.tolist()
    for take in (
        made.returned,
        lambda: made.last(100),
        lambda: made.for_warps(100, 1, 1.0),
        lambda: made.for_cpu(100, 1),
        lambda: made.for_reference(100, 1),
    ):
        while (block := take()) is not None:
            taken += block.numbers.tolist()
    assert sorted(taken) == list(range(at))
