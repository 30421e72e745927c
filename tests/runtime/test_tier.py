"""What tiers hand back, and which of them comes next."""

from __future__ import annotations

import numpy as np
import pytest

from batt.bytecode.abi import Cause, Ended
from batt.runtime.evaluations import Block
from batt.runtime.native import RESULT_TYPE, library
from batt.runtime.outputs import PackedOutputs
from batt.runtime.sorting import sort_results
from batt.runtime.tier import CPU, CUDA_THREADS, Part


def results_of(statuses: list[int], causes: list[int]) -> np.ndarray:
    results = np.zeros(len(statuses), RESULT_TYPE)
    results["hash"], results["status"], results["cause"] = np.arange(len(statuses)), statuses, causes
    results["steps"] = 10 * np.arange(len(statuses))
    return results


@pytest.mark.parametrize(
    "outputs", [None, PackedOutputs.of(np.frombuffer(b"abcde", np.uint8), np.arange(1, 6, dtype=np.uint64))]
)
def test_a_part_has_the_finished_evaluations_and_the_deferred_ones_by_cause(outputs: PackedOutputs | None):
    numbers = np.arange(5)
    ran = Block(numbers, numbers * 10, numbers * 100)
    results = results_of([0, Ended.UNSUPPORTED, 1, Ended.LAUNCH_LIMIT, 2], [0, Cause.WIDE_INT, 0, 0, 0])
    found = sort_results(library(), ran, results)
    part = Part.of_sorted(CUDA_THREADS, found, outputs, {Ended.LAUNCH_LIMIT: Cause.THREAD_LIMIT}, wall_s=1.5)
    assert part.block.samples.tolist() == [0, 200, 400]
    assert part.records["hash"].tolist() == [0, 2, 4]
    assert part.steps.tolist() == [0, 20, 40]
    assert (None if part.outputs is None else part.outputs.wires) == (None if outputs is None else [b"a", b"c", b"e"])
    assert {cause: block.numbers.tolist() for cause, block in part.deferred.items()} == {
        Cause.WIDE_INT: [1],
        Cause.THREAD_LIMIT: [3],
    }
    assert (part.rest, part.timed_out, part.wall_s) == (None, None, 1.5)


def test_what_ends_over_a_smaller_budget_is_deferred_where_that_is_asked_for():
    ran = Block(*[np.arange(2)] * 3)
    results = results_of([Ended.OVER_BUDGET, 0], [0, 0])
    assert len(Part.of_sorted(CPU, sort_results(library(), ran, results), None, {}).block) == 2
    found = sort_results(library(), ran, results, [Ended.OVER_BUDGET])
    part = Part.of_sorted(CPU, found, None, {Ended.OVER_BUDGET: Cause.HEAVY})
    assert (part.block.numbers.tolist(), part.deferred[Cause.HEAVY].numbers.tolist()) == ([1], [0])
