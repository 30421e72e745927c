"""The table of tiers: where evaluations go that a tier defers, for every cause, whatever other tiers are there."""

from __future__ import annotations

from itertools import chain, combinations

import pytest

from batt.bytecode.abi import Cause
from batt.runtime.tier import CPU, CUDA_THREADS, CUDA_WARPS, ENGINES, NEXT, REFERENCE, TierName, next_tier

NATIVE = (CUDA_THREADS, CUDA_WARPS, CPU)
SETS = [set(each) for each in chain.from_iterable(combinations(TierName, count) for count in range(5))]


@pytest.mark.parametrize("cause", Cause)
def test_every_cause_has_a_row_with_a_later_tier_for_each_native_tier(cause: Cause):
    row = NEXT[cause]
    assert len(row) == len(NATIVE)
    for tier, target in zip(NATIVE, row, strict=True):
        # What the CPU finds heavy goes back to warps, which run it to its end or give it up for good.
        assert target > tier or (cause, tier, target) == (Cause.HEAVY, CPU, CUDA_WARPS)


def test_the_table_has_no_other_rows_and_every_cause_a_text_of_its_own():
    assert set(NEXT) == set(Cause)
    assert len({cause.text for cause in Cause}) == len(Cause)
    assert all(cause.text for cause in Cause)


@pytest.mark.parametrize("tier", NATIVE)
@pytest.mark.parametrize("cause", Cause)
def test_a_tier_defers_to_the_named_one_or_the_first_after_it_that_is_there(cause: Cause, tier: TierName):
    named = NEXT[cause][tier]
    for there in SETS:
        wanted = [each for each in TierName if each in there and each >= named]
        assert next_tier(tier, cause, there) is (wanted[0] if wanted else None)


@pytest.mark.parametrize("tiers", [*ENGINES.values(), (CUDA_THREADS, CPU, REFERENCE)])
@pytest.mark.parametrize("cause", Cause)
def test_what_an_engine_defers_always_comes_to_a_tier(cause: Cause, tiers: tuple[TierName, ...]):
    """From tier to tier: it ends at the reference tier, or at a CPU that runs it to its end."""
    for tier in [each for each in tiers if each.is_native]:
        target = next_tier(tier, cause, tiers)
        assert target is not None
        assert target > tier or cause is Cause.HEAVY


@pytest.mark.parametrize(
    ("tier", "cause", "there", "wanted"),
    [
        # A thread has too few steps or too little memory: a warp has more, then the CPU.
        (CUDA_THREADS, Cause.THREAD_LIMIT, {CUDA_WARPS, CPU, REFERENCE}, CUDA_WARPS),
        (CUDA_THREADS, Cause.THREAD_LIMIT, {CPU, REFERENCE}, CPU),
        (CUDA_THREADS, Cause.ARENA_FULL, {CUDA_WARPS, CPU, REFERENCE}, CUDA_WARPS),
        (CUDA_WARPS, Cause.ARENA_FULL, {CUDA_WARPS, CPU, REFERENCE}, CPU),
        (CPU, Cause.STACK_FULL, {CUDA_WARPS, CPU, REFERENCE}, REFERENCE),
        (CUDA_WARPS, Cause.WARP_LIMIT, {CUDA_WARPS, CPU, REFERENCE}, CPU),
        # No native tier can represent it.
        (CUDA_THREADS, Cause.WIDE_INT, {CUDA_WARPS, CPU, REFERENCE}, REFERENCE),
        (CPU, Cause.WIDE_INT, {CPU}, None),
        # A GPU that failed with it gets it no more.
        (CUDA_THREADS, Cause.FAILED_TWICE, {CUDA_THREADS, CUDA_WARPS, CPU, REFERENCE}, CPU),
        (CUDA_WARPS, Cause.LAUNCH_FAILED, {CUDA_THREADS, CUDA_WARPS, CPU, REFERENCE}, CPU),
        # Where no warps are left, the CPU goes on.
        (CPU, Cause.HEAVY, {CUDA_WARPS, CPU, REFERENCE}, CUDA_WARPS),
        (CPU, Cause.HEAVY, {CUDA_THREADS, CPU, REFERENCE}, CPU),
        (CUDA_THREADS, Cause.OWN_OP, {CUDA_WARPS, CPU, REFERENCE}, CPU),
        (CPU, Cause.OWN_OP, {CPU, REFERENCE}, REFERENCE),
        (CPU, Cause.SLOW_STAGE, {CPU, REFERENCE}, REFERENCE),
    ],
)
def test_the_tier_that_comes_next(tier: TierName, cause: Cause, there: set[TierName], wanted: TierName | None):
    assert next_tier(tier, cause, there) is wanted
