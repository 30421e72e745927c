"""Waiting for the first of many futures."""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from batt.runtime.futures import FirstDone


def test_all_that_have_ended_come_once_and_in_order():
    done = FirstDone()
    futures = [Future[int]() for _ in range(4)]
    for future in futures:
        done.watch(future)
    assert done.wait(0) == []
    futures[2].set_result(1)
    futures[0].set_exception(ValueError("a failure ends it, too"))
    assert done.wait(60) == [futures[2], futures[0]]
    futures[1].cancel()
    assert done.wait(60) == [futures[1]]
    assert done.wait(0) == []


def test_a_future_that_has_ended_before_is_there_at_once():
    done, future = FirstDone(), Future[int]()
    future.set_result(3)
    done.watch(future)
    assert done.wait(60) == [future]


def test_what_ends_in_another_thread_ends_the_waiting():
    done = FirstDone()
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(time.sleep, 0.05)
        done.watch(future)
        assert done.wait(60) == [future]


@pytest.mark.parametrize("timeout_s", [0.0, 0.01])
def test_waiting_for_nothing_ends(timeout_s: float):
    assert FirstDone().wait(timeout_s) == []
