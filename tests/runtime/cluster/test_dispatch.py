"""Who gets how much, what is handed out again, and what comes too late: all with a clock of the test's own."""

from __future__ import annotations

import numpy as np
import pytest

from batt.runtime.cluster import dispatch as module
from batt.runtime.cluster.dispatch import (
    AHEAD,
    BLOCKS_PER_S,
    FIRST_BLOCK,
    LEAST_S,
    MOST_FAILURES,
    MOST_HOLDERS,
    MOST_LOSSES,
    OVERDUE_FIRST_S,
    OVERDUE_S,
    OVERDUE_TIMES,
    PIECES,
    Dispatch,
    Hand,
    HandedBlock,
)
from batt.runtime.evaluations import Block

PLENTY = 10**9


def looked(dispatch: Dispatch, until_s: float, since_s: float = 0.0) -> tuple[list[Hand], list[HandedBlock]]:
    """What is found overdue by one who looks every second."""
    late, given_up = [], []
    for now_s in [*np.arange(since_s, until_s), until_s]:
        found = dispatch.find_overdue(float(now_s))
        late += found[0]
        given_up += found[1]
    return late, given_up


def block(count: int) -> Block:
    return Block(*[np.arange(count)] * 3)


def made(*rates: float) -> Dispatch:
    """Workers a, b, … of known speed."""
    dispatch = Dispatch()
    for name, rate in zip("abcdefgh", rates, strict=False):
        dispatch.join(name)
        hand = dispatch.hands[name]
        hand.rate, hand.largest, hand.shortest_s = rate, 10**6, 0.01
    return dispatch


def given(dispatch: Dispatch, name: str, count: int = 100, now_s: float = 0.0) -> HandedBlock:
    piece = HandedBlock(block(count))
    dispatch.assign(dispatch.hands[name], piece, now_s)
    return piece


def test_the_first_block_of_a_worker_is_small_and_comes_alone():
    dispatch = Dispatch()
    dispatch.join("a")
    (hand,) = dispatch.free(PLENTY)
    assert dispatch.size(hand, PLENTY) == FIRST_BLOCK
    given(dispatch, "a")
    assert not list(dispatch.free(PLENTY))


def test_blocks_follow_the_measured_speed_of_each_worker():
    dispatch = made(1_000, 50_000)
    assert [dispatch.size(hand, PLENTY) for hand in dispatch.hands.values()] == [1_000, 50_000]


def test_a_speed_is_learnt_from_every_block_and_blocks_grow_step_by_step():
    dispatch = Dispatch()
    dispatch.join("a")
    hand = dispatch.hands["a"]
    sizes = []
    for now_s in range(8):
        count = dispatch.size(hand, PLENTY)
        sizes.append(count)
        assert dispatch.finish("a", given(dispatch, "a", count, now_s), count, count / 100_000, now_s)
    assert sizes[:4] == [FIRST_BLOCK * 4**step for step in range(4)]
    assert sizes[-1] == 100_000


def test_a_worker_that_becomes_slower_gets_smaller_blocks():
    dispatch = made(100_000)
    dispatch.finish("a", given(dispatch, "a", 100_000), 100_000, 10.0, 0.0)
    assert dispatch.size(dispatch.hands["a"], PLENTY) < 60_000


def test_no_block_takes_less_than_half_a_second_unless_nothing_else_is_left():
    dispatch = made(10_000, 10_000, 10_000)
    assert dispatch.size(dispatch.hands["a"], 100) == LEAST_S * 10_000
    assert dispatch.size(dispatch.hands["a"], 48_000) == 8_000


def test_near_the_end_a_worker_gets_a_block_only_when_it_has_none():
    dispatch = made(1_000, 1_000)
    given(dispatch, "a")
    assert [hand.name for hand in dispatch.free(4_001)] == ["b", "a"], "each of the two can still have two blocks"
    assert [hand.name for hand in dispatch.free(4_000)] == ["b"]


def test_with_a_thousand_workers_blocks_take_longer():
    dispatch = Dispatch()
    for number in range(1_000):
        dispatch.join(str(number))
        hand = dispatch.hands[str(number)]
        hand.rate, hand.largest, hand.shortest_s = 1_000, 10**6, 0.01
    assert dispatch.size(dispatch.hands["0"], PLENTY) == 1_000 * 1_000 / BLOCKS_PER_S


def test_blocks_of_a_worker_that_starts_slowly_are_longer():
    dispatch = made(1_000)
    dispatch.hands["a"].shortest_s = 0.6
    assert dispatch.size(dispatch.hands["a"], PLENTY) == 6_000


def test_idle_workers_come_first_and_of_those_the_fastest():
    dispatch = made(10, 30, 20)
    given(dispatch, "b")
    assert [hand.name for hand in dispatch.free(PLENTY)] == ["c", "a", "b"]
    for _ in range(AHEAD - 1):
        given(dispatch, "b")
    assert [hand.name for hand in dispatch.free(PLENTY)] == ["c", "a"]


def test_the_blocks_of_a_worker_that_dies_are_handed_out_again_in_pieces():
    dispatch = made(10, 10)
    running, _ = given(dispatch, "a", 100), given(dispatch, "a", 3)
    assert dispatch.leave("a") == []
    hand = dispatch.hands["b"]
    pieces = []
    while (piece := dispatch.again(hand)) is not None:
        pieces.append(piece)
    assert [(len(piece.block), piece.losses) for piece in pieces] == [(100 // PIECES, 1)] * PIECES + [(1, 1)] * 3
    assert np.concatenate([piece.block.numbers for piece in pieces]).tolist() == [*range(100), *range(3)]
    assert not dispatch.finish("a", running, 100, 1.0, 1.0), "what comes after the loss is not needed"


def test_a_block_that_kills_workers_again_and_again_ends_here_in_small_pieces():
    dispatch = made(*[10] * 8)
    piece, given_up, lost = HandedBlock(block(64)), [], 0
    for name in "abcdefgh":
        if piece is None or given_up:
            break
        dispatch.assign(dispatch.hands[name], piece, 0.0)
        if 7 in piece.block.numbers:
            given_up, lost = dispatch.leave(name), lost + 1
        else:
            assert dispatch.finish(name, piece, len(piece.block), 1.0, 1.0)
        piece = dispatch.again(dispatch.hands["h"])
    assert lost == MOST_LOSSES
    (last,) = given_up
    assert len(last.block) == 64 // PIECES ** (MOST_LOSSES - 1)
    assert last.is_done


def test_a_worker_that_hangs_loses_its_blocks_after_a_time_that_follows_from_its_speed():
    dispatch = made(100, 100)
    piece = given(dispatch, "a", 200, now_s=10.0)
    limit_s = OVERDUE_S + OVERDUE_TIMES * 2.0
    assert looked(dispatch, 10.0 + limit_s) == ([], [])
    assert looked(dispatch, 10.1 + limit_s, 10.0 + limit_s) == ([dispatch.hands["a"]], [])
    assert dispatch.usable == 1
    assert dispatch.again(dispatch.hands["b"]) is piece, "as a whole"
    assert looked(dispatch, 100.0, 10.0 + limit_s) == ([], []), "it is told once"


def test_where_one_evaluation_may_take_long_a_block_has_that_time_in_addition():
    dispatch = made(100)
    dispatch.longest_s = 30.0
    given(dispatch, "a", 100)
    limit_s = OVERDUE_S + OVERDUE_TIMES + 30.0
    assert looked(dispatch, limit_s) == ([], [])
    assert looked(dispatch, limit_s + 0.1, limit_s) == ([dispatch.hands["a"]], [])


def test_time_in_which_this_process_was_stopped_does_not_count():
    dispatch = made(100)
    given(dispatch, "a", 100, now_s=0.0)
    assert looked(dispatch, 3.0) == ([], [])
    assert dispatch.find_overdue(300.0) == ([], [])
    assert looked(dispatch, 305.0, 300.0) == ([], [])
    assert looked(dispatch, 310.0, 305.0) == ([dispatch.hands["a"]], [])


@pytest.mark.parametrize("first", ["a", "b"])
def test_a_block_that_two_workers_have_is_done_once_by_whoever_is_first(first: str):
    dispatch = made(100, 100)
    piece = given(dispatch, "a", 100)
    looked(dispatch, 60.0)
    dispatch.assign(dispatch.hands["b"], dispatch.again(dispatch.hands["b"]), 60.0)
    assert dispatch.finish(first, piece, 100, 1.0, 61.0)
    assert not dispatch.finish("b" if first == "a" else "a", piece, 100, 1.0, 62.0)
    assert dispatch.usable == 2, "who answers is back"


def test_a_block_that_hangs_everywhere_ends_here():
    dispatch = made(*[100] * 5)
    piece = given(dispatch, "a", 100)
    for now_s, name in zip((100.0, 200.0, 300.0), "bcd", strict=True):
        _, given_up = looked(dispatch, now_s, now_s - 100.0)
        if given_up:
            break
        dispatch.assign(dispatch.hands[name], dispatch.again(dispatch.hands[name]), now_s)
    assert given_up == [piece]
    assert len(piece.holders) == MOST_HOLDERS


def test_a_block_whose_result_waits_here_is_not_overdue():
    dispatch = made(100, 100)
    first, second = given(dispatch, "a", 100), given(dispatch, "a", 100)
    assert looked(dispatch, 5.0) == ([], [])
    dispatch.arrive("a", first, 5.0)
    assert looked(dispatch, 13.9, 5.0) == ([], []), "the second one has run since then"
    assert not list(dispatch.free(PLENTY))[1:], "and no third one is given before the first result is taken"
    dispatch.arrive("a", second, 13.9)
    assert looked(dispatch, 100.0, 13.9) == ([], [])
    assert dispatch.finish("a", first, 100, 1.0, 100.0)


def test_a_first_block_has_more_time():
    hand = Hand("a")
    hand.running.append(HandedBlock(block(1)))
    assert not hand.is_overdue(OVERDUE_FIRST_S)
    assert hand.is_overdue(OVERDUE_FIRST_S + 0.1)


def test_a_worker_that_dies_while_another_has_its_block_loses_nothing():
    dispatch = made(100, 100, 100)
    piece = given(dispatch, "a", 100)
    looked(dispatch, 60.0)
    dispatch.assign(dispatch.hands["b"], dispatch.again(dispatch.hands["b"]), 60.0)
    assert dispatch.leave("a") == []
    assert dispatch.again(dispatch.hands["c"]) is None
    assert dispatch.finish("b", piece, 100, 1.0, 61.0)


def test_a_worker_on_which_every_block_fails_is_broken():
    dispatch = made(100, 100)
    for _ in range(MOST_FAILURES):
        assert not dispatch.is_broken("a")
        assert not dispatch.fail("a", given(dispatch, "a"), 1.0)
    assert dispatch.is_broken("a")
    dispatch.finish("a", given(dispatch, "a"), 100, 1.0, 2.0)
    assert not dispatch.is_broken("a")


def test_what_waits_can_be_taken_back_once():
    dispatch = made(100)
    given(dispatch, "a", 100)
    dispatch.leave("a")
    assert sum(len(piece.block) for piece in dispatch.drain()) == 100
    assert dispatch.drain() == []


@pytest.mark.parametrize("seed", range(8))
def test_whatever_happens_every_evaluation_is_done_exactly_once(seed: int, monkeypatch: pytest.MonkeyPatch):
    """Workers of all speeds that join, hang, die, fail and answer late."""
    monkeypatch.setattr(module, "FIRST_BLOCK", 4)
    random = np.random.default_rng(seed)
    dispatch, total, at, now_s = Dispatch(most=64, first=4), 2_000, 0, 0.0
    done = np.zeros(total, int)
    running: list[tuple[float, str, HandedBlock]] = []
    names = iter(f"w{number}" for number in range(10**6))
    for _ in range(10**5):
        if done.sum() == total:
            break
        now_s += 0.2
        if len(dispatch.hands) < 6 and random.random() < 0.3:
            dispatch.join(next(names))
        for hand in list(dispatch.free(total - at)):
            piece = dispatch.again(hand)
            if piece is None and at < total:
                count = min(dispatch.size(hand, total - at), total - at)
                piece = HandedBlock(Block(*[np.arange(at, at + count)] * 3))
                at += count
            if piece is not None:
                dispatch.assign(hand, piece, now_s)
                takes_s = 1e9 if random.random() < 0.05 else float(random.uniform(0.1, 20.0))
                running.append((now_s + takes_s, hand.name, piece))
        here: list[HandedBlock] = []
        for when_s, name, piece in sorted(running, key=lambda each: each[0]):
            if when_s <= now_s and name in dispatch.hands:
                running.remove((when_s, name, piece))
                if random.random() < 0.1:
                    here += [piece] * dispatch.fail(name, piece, now_s)
                elif dispatch.finish(name, piece, len(piece.block), 1.0, now_s):
                    done[piece.block.numbers] += 1
        here += dispatch.find_overdue(now_s)[1]
        for name in [each for each in dispatch.hands if random.random() < 0.01]:
            here += dispatch.leave(name)
            running = [each for each in running if each[1] != name]
        if not dispatch.usable:
            here += dispatch.drain()
        for piece in here:
            done[piece.block.numbers] += 1
    assert done.tolist() == [1] * total
