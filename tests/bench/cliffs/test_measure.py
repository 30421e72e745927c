"""Measuring single calls."""

from __future__ import annotations

import pytest

from batt.bench.cliffs.judge import Case
from batt.bench.cliffs.measure import Runner, confirmed, materials, measure_cliffs
from batt.runtime.native import missing

pytestmark = pytest.mark.skipif(missing() is not None, reason="needs the native library")


def test_the_steps_are_those_of_the_call_alone() -> None:
    found = measure_cliffs((100,), only=frozenset({"vmirror"}))
    of_grids = {case.form: case.steps for case in found if case.shape == "square" and "grid" in case.form}
    assert of_grids == {"grid, packed": 201, "grid, rows": 201, "grid, wide ints": 201}


def test_loops_are_measured_compiled_and_with_function_values() -> None:
    found = {case.name for case in measure_cliffs((100,), only=frozenset({"valmax"}))}
    assert "valmax, helper (compiled)" in found
    assert "valmax, helper (function values)" in found


def test_a_slow_case_is_measured_again_and_the_faster_time_kept() -> None:
    only = frozenset({"vmirror"})
    first, *others = measure_cliffs((1_000,), only=only)
    slow = case_with(first, 1e12)
    again = confirmed(Runner(only), [slow, *others], lambda size, main: True)
    assert again[0].time_ns < 1e12
    assert again[0].key == first.key


def test_calls_of_two_values_get_one_alike_and_one_with_few_items() -> None:
    others = {main.form: [label for label, _ in seconds] for main, seconds in materials(100)}
    assert others["grid, packed"][:2] == ["with one alike", "with few"]


def case_with(case: Case, time_ns: float) -> Case:
    return Case(*[getattr(case, name) for name in Case.__slots__[:-2]], time_ns, case.ended)


def test_the_bytes_are_those_of_the_arguments_and_of_the_result() -> None:
    found = measure_cliffs((100,), only=frozenset({"asindices", "height"}))
    held = {case.name: case.bytes for case in found if (case.shape, case.form) == ("square", "grid, packed")}
    assert held == {"asindices": 100 + 4 * 100, "height": 100}
