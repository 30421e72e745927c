"""Which measured calls are cliffs."""

from __future__ import annotations

import math

from batt.bench.cliffs.judge import CACHE_BYTES, LEAVES_CACHE, SORTS, Case, judge


def case(step_ns: float, name: str = "fill", size: int = 10_000, form: str = "packed", held: int = 10_000) -> Case:
    steps = 20_000
    return Case(name, f"{name}(I)", "square", form, "", size, held, steps, step_ns * steps)


def test_a_call_of_more_than_four_times_the_best_time_a_step_is_a_cliff() -> None:
    slow, allowed, best = judge([case(2), case(7.9, form="rows"), case(8.1, form="values")])
    assert [slow.factor, allowed.factor, best.factor] == [4.05, 3.95, 1]
    assert [each.is_cliff for each in (slow, allowed, best)] == [True, False, False]


def test_up_to_four_nanoseconds_a_step_are_never_a_cliff() -> None:
    assert not any(each.is_cliff for each in judge([case(0.01), case(4, form="rows")]))


def test_few_items_and_few_steps_are_not_judged() -> None:
    short = Case("first", "first(I)", "square", "packed", "", 10_000, 10_000, 1, 500)
    assert judge([case(500, size=100), short]) == []


def test_ops_that_sort_may_grow_by_the_logarithm_of_the_items() -> None:
    slow, _ = judge([case(2, "merge"), case(60, "merge", form="values")])
    assert slow.reason == SORTS
    slow, _ = judge([case(2, "merge"), case(200, "merge", form="values")])
    assert slow.is_cliff


def test_only_calls_that_must_sort_may_grow_by_the_logarithm() -> None:
    packed, tuples = case(2, "apply, leaf op"), case(60, "apply, leaf op", form="tuple")
    assert judge([packed, tuples])[0].is_cliff
    assert judge([packed, case(60, "apply, leaf op", form="set")])[0].reason == SORTS
    assert judge([case(2, "prapply (compiled)"), case(60, "prapply (compiled)", form="tuple")])[0].reason == SORTS


def test_what_no_longer_fits_the_cache_has_a_reason_if_it_was_fast_within() -> None:
    large = case(9, size=1_000_000, held=2 * CACHE_BYTES)
    slow, _ = judge([case(2), large])
    assert slow.reason == LEAVES_CACHE
    alone, _ = judge([case(2, form="rows"), large])
    assert alone.is_cliff


def test_what_native_code_does_not_finish_is_a_cliff() -> None:
    unfinished = Case("fill", "fill(I)", "square", "packed", "", 10_000, 10_000, None, 4e9, "stopped after 4 s")
    slow, _ = judge([case(2), unfinished])
    assert slow.is_cliff
    assert math.isinf(slow.factor)


def test_objects_are_compared_with_objects_of_as_many_cells_each() -> None:
    def of_objects(count: int, size: int, step_ns: float) -> Case:
        held = 16 * size
        return Case("fill", "fill(I)", f"{count:,} objects", "packed", "", size, held, 20_000, step_ns * 20_000)

    large = of_objects(100_000, 1_000_000, 9)
    slow, _ = judge([of_objects(1_000, 10_000, 2), large])
    assert slow.reason == LEAVES_CACHE
    slow, _ = judge([of_objects(100, 10_000, 2), large])
    assert slow.is_cliff
