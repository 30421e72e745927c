"""How much of a card is taken, and for what."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batt.errors import InternalError, UsageError
from batt.runtime.cuda.memory import (
    MAX_EVALUATIONS,
    MIN_ROUNDS,
    Need,
    NoRoom,
    allowed_bytes,
    fraction,
    gib,
    room,
)

GIB = 1 << 30
NEED = Need(arena_bytes=64 << 10, evaluation_bytes=48, block_arenas=128)


def test_four_fifths_of_the_card_by_default(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("BATT_GPU_MEMORY", raising=False)
    assert fraction() == 0.8
    monkeypatch.setenv("BATT_GPU_MEMORY", "0.5")
    assert fraction() == 0.5
    assert fraction(1.0) == 1.0


@pytest.mark.parametrize("text", ["0", "-1", "1.01", "80", "much", "nan", "inf"])
def test_a_share_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch, text: str):
    monkeypatch.setenv("BATT_GPU_MEMORY", text)
    with pytest.raises(UsageError, match=f"BATT_GPU_MEMORY must be above 0 and at most 1, got '{text}'"):
        fraction()


def test_a_given_share_that_is_none_is_refused():
    with pytest.raises(UsageError, match="the fraction of a GPU's memory must be above 0 and at most 1, got '2'"):
        fraction(2)


def test_what_others_use_counts():
    assert allowed_bytes(10 * GIB, 10 * GIB, 0.8) == 8 * GIB
    assert allowed_bytes(7 * GIB, 10 * GIB, 0.8) == 5 * GIB
    assert allowed_bytes(7 * GIB, 10 * GIB, 0.8, GIB) == 4 * GIB
    assert allowed_bytes(1 * GIB, 10 * GIB, 0.8) == 0
    assert allowed_bytes(1 * GIB, 10 * GIB, 1.0) == GIB


def test_with_much_memory_there_is_all_that_was_wanted():
    made = room(100 * GIB, NEED, arenas_wanted=132 * 1024, evaluations=1_000_000)
    assert (made.arenas, made.blocks, made.evaluations) == (132 * 1024, 132 * 8, 1_000_000)
    assert made.bytes == made.arenas_bytes + 48_000_000 <= 100 * GIB


def test_there_are_no_more_lanes_than_evaluations():
    made = room(100 * GIB, NEED, arenas_wanted=132 * 1024, evaluations=200)
    assert (made.arenas, made.evaluations) == (256, 200)


def test_with_little_memory_there_are_fewer_lanes_and_a_launch_holds_a_part():
    made = room(GIB, NEED, arenas_wanted=132 * 1024, evaluations=10_000_000)
    assert made.arenas == GIB // NEED.block_bytes * 128
    assert MIN_ROUNDS * made.arenas <= made.evaluations < 10_000_000


def test_a_launch_numbers_its_evaluations_in_32_bits():
    assert room(10**15, NEED, 1024, 10**12).evaluations == MAX_EVALUATIONS


def test_where_no_block_fits_it_is_told_what_to_do():
    with pytest.raises(NoRoom, match=r"one block of 128 arenas takes 8\.0 MiB, and 7\.0 MiB of the GPU's memory"):
        room(7 << 20, NEED, 1024, 1024)
    with pytest.raises(
        NoRoom, match=r"end other programs .*, or run with .* cpu, or let batt use more .*BATT_GPU_MEMORY"
    ):
        room(0, NEED, 1024, 1024)


sizes = st.integers(1, 1 << 40)


@given(sizes, st.builds(Need, st.integers(1, 1 << 24), st.integers(1, 256), st.integers(1, 1024)), sizes, sizes)
def test_a_launch_is_never_larger_than_allowed(allowed: int, need: Need, arenas_wanted: int, evaluations: int):
    try:
        made = room(allowed, need, arenas_wanted, evaluations)
    except NoRoom:
        assert allowed < need.block_bytes
        return
    assert made.bytes <= allowed
    assert made.arenas % need.block_arenas == 0
    assert need.block_arenas <= made.arenas < arenas_wanted + need.block_arenas
    assert 1 <= made.evaluations <= evaluations
    assert made.evaluations >= min(evaluations, MIN_ROUNDS * made.arenas, MAX_EVALUATIONS)


@given(st.integers(1, 1 << 36), st.integers(1, 1 << 20), st.integers(1, 1 << 30))
def test_halving_ends_at_one_block(allowed: int, arenas_wanted: int, evaluations: int):
    made = room(max(allowed, NEED.block_bytes), NEED, arenas_wanted, evaluations)
    for _ in range(64):
        if made.blocks == 1 and made.evaluations <= MIN_ROUNDS * made.arenas:
            with pytest.raises(NoRoom, match="could be allocated; end other programs"):
                made.halved()
            return
        half = made.halved()
        assert half.bytes < made.bytes
        assert half.arenas % 128 == 0
        assert half.evaluations >= 1
        made = half
    pytest.fail("halving does not end")


AHEAD_NEED = Need(NEED.arena_bytes, NEED.evaluation_bytes, NEED.block_arenas, 1 << 20)


def test_samples_take_a_quarter_at_most():
    assert room(100 * GIB, AHEAD_NEED, 1024, 1000, samples=700).samples == 700
    made = room(GIB, AHEAD_NEED, 132 * 1024, 10_000_000, samples=700)
    assert made.samples == 256
    assert 0.99 * GIB < made.bytes <= GIB
    assert room(GIB, NEED, 1024, 1000, samples=700).samples == 0


def test_there_is_room_for_one_sample_or_none_at_all():
    least = AHEAD_NEED.block_bytes + AHEAD_NEED.sample_bytes
    assert room(least, AHEAD_NEED, 1024, 1000, samples=700).samples == 1
    with pytest.raises(NoRoom, match="one block of 128 arenas"):
        room(least - 1, AHEAD_NEED, 1024, 1000, samples=700)


def test_halving_ends_at_one_block_and_one_sample():
    made, halvings = room(GIB, AHEAD_NEED, 512, 100_000, samples=700), 0
    while made.samples > 1:
        half, halvings = made.halved(), halvings + 1
        assert half.bytes < made.bytes
        made = half
    # Lanes and evaluations stay where there are no fewer that make a launch.
    assert (halvings, made.blocks) == (8, 1)
    assert made.evaluations > MIN_ROUNDS * made.arenas / 2
    with pytest.raises(NoRoom, match="could be allocated"):
        made.halved().halved()


@pytest.mark.parametrize("bad", [(0, 1, 1), (1, 0, 1), (1, 1, 0)])
def test_a_need_of_nothing_is_refused(bad: tuple[int, int, int]):
    with pytest.raises(InternalError, match="a launch takes arenas and rows"):
        Need(*bad)


def test_sizes_in_words():
    assert [gib(size) for size in (0, 3 << 19, GIB, 150 * GIB)] == ["0.0 MiB", "1.5 MiB", "1.0 GiB", "150.0 GiB"]
