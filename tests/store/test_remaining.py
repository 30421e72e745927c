"""What is left of a run: every evaluation without a record, once."""

from __future__ import annotations

import numpy as np
import pytest

from batt.runtime import Status
from batt.runtime.evaluations import Evaluations
from batt.runtime.records import unfilled
from batt.store.remaining import remaining
from handmade import evaluations_of


def left_of(span: Evaluations, done: np.ndarray, total: int, at_once: int) -> tuple[list[int], list[Evaluations]]:
    records = unfilled(total)
    records["status"][done] = Status.OK
    parts = list(remaining(span, records, at_once))
    return [number for part in parts for number in part.in_whole(np.arange(part.total)).tolist()], parts


@pytest.mark.parametrize("at_once", [1, 7, 25, 1000])
@pytest.mark.parametrize("seed", range(4))
def test_everything_that_is_not_done_comes_once(seed: int, at_once: int):
    whole = evaluations_of(5, 9)
    done = np.flatnonzero(np.random.default_rng(seed).random(45) < (0.0, 0.1, 0.6, 1.0)[seed])
    numbers, _ = left_of(whole, done, 45, at_once)
    assert sorted(numbers) == sorted({*range(45)} - {*done.tolist()})


def test_pairs_of_some_solvers_and_samples_keep_their_numbers():
    whole = evaluations_of(5, 9)
    chosen = whole.part(np.array([3, 8, 13, 44, 20]))
    numbers, parts = left_of(chosen, np.array([13, 20]), 45, 1000)
    assert numbers == [3, 8, 44]
    assert [pair for part in parts for pair in zip(*[c.tolist() for c in part.columns()], strict=True)] == [
        divmod(number, 9) for number in numbers
    ]


def test_spans_of_a_larger_run_keep_their_numbers():
    whole = evaluations_of(5, 20)
    span = whole.on_samples(whole.samples[6:15], 6)
    done = np.array([6, 7, 8, 26, 27, 28, 46, 47, 48, 66, 67, 68, 86, 87, 88, 31])
    numbers, _ = left_of(span, done, 100, 15)
    assert sorted(numbers) == sorted({20 * s + n for s in range(5) for n in range(6, 15)} - {*done.tolist()})


def test_samples_that_nobody_began_stay_one_product():
    whole = evaluations_of(5, 20)
    done = np.array([solver * 20 + sample for solver in range(5) for sample in range(4)])
    _, parts = left_of(whole, done, 100, 10)
    (part,) = parts
    assert part.is_product
    assert len(part.samples) == 16
