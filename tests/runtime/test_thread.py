"""What a call did, and parts of it."""

from __future__ import annotations

import numpy as np
import pytest

from batt.runtime.evaluations import Block
from batt.runtime.native import RESULT_TYPE
from batt.runtime.outputs import PackedOutputs
from batt.runtime.thread import Call, picked


def results_of(statuses: list[int]) -> np.ndarray:
    results = np.zeros(len(statuses), RESULT_TYPE)
    results["hash"], results["status"] = np.arange(len(statuses)), statuses
    return results


def test_results_are_picked_by_place_and_by_mask():
    results = results_of([0, 1, 0, 1, 2])
    assert picked(results, np.array([4, 0]))["hash"].tolist() == [4, 0]
    assert picked(results, results["status"] == 1)["hash"].tolist() == [1, 3]
    assert picked(results, np.zeros(5, bool)).dtype == RESULT_TYPE


@pytest.mark.parametrize(
    "outputs", [None, PackedOutputs.of(np.frombuffer(b"ac", np.uint8), np.array([1, 1, 2], np.uint64))]
)
def test_a_part_of_a_call_has_only_some_that_ran_and_all_of_the_rest(outputs: PackedOutputs | None):
    numbers = np.arange(5)
    block = Block(numbers, numbers * 10, numbers * 100)
    call = Call(block[:3], results_of([0, 2, 1]), outputs, block[3:], True, 1.5)
    part = call.only(call.results["status"] != 2)
    assert part.ran.samples.tolist() == [0, 200]
    assert part.results["hash"].tolist() == [0, 2]
    assert (None if part.outputs is None else part.outputs.wires) == (None if outputs is None else [b"a", b"c"])
    assert (part.rest.numbers.tolist(), part.timed_out, part.wall_s) == ([3, 4], True, 1.5)
