"""What becomes of native results: records of what is finished, and the rest apart."""

from __future__ import annotations

import numpy as np
import pytest

from batt.bytecode.abi import Cause, Ended
from batt.runtime import Equality
from batt.runtime.evaluations import Block
from batt.runtime.native import RESULT_TYPE, library
from batt.runtime.sorting import FEW, sort_results, take_results
from native_library import needs_library

pytestmark = needs_library


def block_of(count: int) -> Block:
    return Block(np.arange(count) + 7, np.arange(count) * 10, np.arange(count) * 100, Cause.HEAVY)


def test_a_result_becomes_a_record_of_the_same_fields():
    results, scores = np.zeros(2, RESULT_TYPE), (1, 2, 3, 4, 5)
    results[0] = (0, 0, Equality.YES, 0, 3 << 16 | 65535, 9, 11, 2**64 - 1, 77, *scores)
    results[1] = (1, 4, Equality.NO, 0, 0, 12, 2**32 - 1, 0, 5, *scores)
    ran = block_of(2)
    found = sort_results(library(), ran, results)
    assert found.records.tolist() == [(0, 0, 1, 2**64 - 1, 9, 3, 65535), (1, 4, 0, 0, 12, 0, 0)]
    assert (found.steps.tolist(), found.times_ns.tolist()) == ([77, 5], [11, 2**32 - 1])
    assert (found.kept.tolist(), found.unfinished.tolist()) == ([0, 1], [])


@pytest.mark.parametrize("count", [200, FEW + 1])
@pytest.mark.parametrize("seed", range(4))
def test_unfinished_evaluations_are_kept_apart_in_their_order(seed: int, count: int):
    random = np.random.default_rng(seed)
    results = np.zeros(count, RESULT_TYPE)
    results["status"] = random.choice([0, 0, 0, 1, 2, 3, Ended.UNSUPPORTED, Ended.LAUNCH_LIMIT, Ended.NOT_RUN], count)
    results["hash"], results["steps"] = random.integers(0, 2**63, count), np.arange(count)
    ran, more = block_of(count), [Ended.OVER_BUDGET] if seed % 2 else []
    mask = (results["status"] >= Ended.UNSUPPORTED) | np.isin(results["status"], more)
    found = sort_results(library(), ran, results, more)
    assert (found.kept.tolist(), found.unfinished.tolist()) == (
        np.flatnonzero(~mask).tolist(),
        np.flatnonzero(mask).tolist(),
    )
    assert found.records["hash"].tolist() == results["hash"][~mask].tolist()
    assert found.records["status"].tolist() == results["status"][~mask].tolist()
    assert found.steps.tolist() == found.kept.tolist()


def test_no_results_are_sorted_too():
    found = sort_results(library(), block_of(0), np.zeros(0, RESULT_TYPE))
    assert (len(found.kept), len(found.records), len(found.unfinished)) == (0, 0, 0)


@pytest.mark.parametrize("is_scored", [False, True])
def test_results_are_sorted_by_row_and_may_be_overwritten_then(is_scored: bool):
    random = np.random.default_rng(3)
    results = np.zeros(900, RESULT_TYPE)
    results["status"] = random.choice([0, 1, Ended.UNSUPPORTED, Ended.LAUNCH_LIMIT], 900)
    results["hash"], results["steps"] = random.integers(0, 2**63, 900), np.arange(900)
    rows = np.sort(random.choice(900, 500, replace=False))
    wanted = sort_results(library(), block_of(500), results[rows], is_scored=is_scored)
    found = sort_results(library(), block_of(500), results, rows=rows, is_scored=is_scored)
    ended = results[rows]
    results[:] = np.zeros(1, RESULT_TYPE)
    for field in ("records", "steps", "times_ns", "kept", "unfinished", "unfinished_results"):
        assert getattr(found, field).tolist() == getattr(wanted, field).tolist(), field
    assert len(found.unfinished) > 0
    assert found.unfinished_results.tolist() == ended[found.unfinished].tolist()
    assert (found.scored is None) == (not is_scored)
    if found.scored is not None:
        assert found.scored.tolist() == ended.tolist()


def test_results_are_taken_by_row():
    results = np.zeros(5, RESULT_TYPE)
    results["hash"] = np.arange(5)
    taken = take_results(library(), results, np.array([4, 0, 4]))
    assert (taken["hash"].tolist(), taken.dtype) == ([4, 0, 4], RESULT_TYPE)
