"""Which GPUs are named, and what cannot be read."""

from __future__ import annotations

from typing import Any

import pytest

from batt.errors import UsageError
from batt.runtime.cuda.selection import MOST_WORKERS, Card, cards, device_numbers


@pytest.mark.parametrize(
    ("given", "numbers"),
    [
        (None, None),
        ("all", ()),
        ("2", (2,)),
        ("0,1", (0, 1)),
        (" 1 , 0", (1, 0)),
        ("0,0,0,0", (0, 0, 0, 0)),
        (3, (3,)),
        ([0, 1], (0, 1)),
        ((1,), (1,)),
        (range(3), (0, 1, 2)),
    ],
)
def test_devices_are_named_in_several_ways(given: Any, numbers: tuple[int, ...] | None):
    assert device_numbers(given) == numbers


@pytest.mark.parametrize("given", ["", "x", "0;1", "0,", "-1", "0,x", "ALL", "1.5", [], [-1], ["x"], True, [None], 1.5])
def test_what_cannot_be_read_is_refused_with_what_can(given: Any):
    with pytest.raises(UsageError, match=r"^devices are all, or numbers of GPUs such as 0,1 \(0,0 is two workers"):
        device_numbers(given)


def test_there_is_an_end_to_workers():
    assert len(device_numbers([0] * MOST_WORKERS) or ()) == MOST_WORKERS
    with pytest.raises(UsageError, match="at most 64 workers on GPUs, got 65"):
        device_numbers([0] * (MOST_WORKERS + 1))


@pytest.mark.parametrize(
    ("numbers", "found"),
    [
        (None, [Card(0), Card(1), Card(2)]),
        ((), [Card(0), Card(1), Card(2)]),
        ((2,), [Card(2)]),
        ((2, 0), [Card(2), Card(0)]),
        ((0, 1, 0, 0), [Card(0, 3), Card(1)]),
    ],
)
def test_a_card_has_a_worker_for_each_time_that_it_is_named(numbers: tuple[int, ...] | None, found: list[Card]):
    assert cards(numbers, 3) == found


def test_a_card_that_is_not_there_is_refused_with_those_that_are():
    with pytest.raises(UsageError, match=r"^there is no GPU 3; GPUs here: 0, 1, 2$"):
        cards((0, 3), 3)
