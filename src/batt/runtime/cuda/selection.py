"""Read `--devices`: the GPUs of a run, and how many workers each has. Does not look at any device."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from batt.errors import UsageError

ALL = "all"
MOST_WORKERS = 64
"""The most workers of a run: each has four threads, and memory of its own on its card."""

Devices: TypeAlias = str | int | Sequence[int] | None
"""GPUs as a person names them: `all`, `2`, `0,1`, `[0, 1]`; None if none are named."""
Numbers: TypeAlias = tuple[int, ...]
"""The GPU of each worker, by number: a GPU that is named twice has two workers. If empty, every GPU has one worker."""


@dataclass(frozen=True, slots=True)
class Card:
    """A GPU and how many workers share it."""

    number: int
    workers: int = 1


def device_numbers(given: Devices) -> Numbers | None:
    """Return the numbers in `given`; raise UsageError if they are not readable."""
    if given is None:
        return None
    if given == ALL:
        return ()
    words = given.split(",") if isinstance(given, str) else given if isinstance(given, Sequence) else [given]
    numbers = [number for word in words if (number := _number(word)) is not None]
    if not numbers or len(numbers) < len(words):
        raise UsageError(
            f"devices are {ALL}, or numbers of GPUs such as 0,1 (0,0 is two workers on one), got {given!r}"
        )
    if len(numbers) > MOST_WORKERS:
        raise UsageError(f"at most {MOST_WORKERS} workers on GPUs, got {len(numbers)}")
    return tuple(numbers)


def cards(numbers: Numbers | None, count: int) -> list[Card]:
    """Return the named cards of a machine with `count` GPUs, in the order in which they were named."""
    if not numbers:
        return [Card(number) for number in range(count)]
    for number in numbers:
        if not 0 <= number < count:
            raise UsageError(f"there is no GPU {number}; GPUs here: {', '.join(map(str, range(count)))}")
    return [Card(number, workers) for number, workers in Counter(numbers).items()]


def _number(word: object) -> int | None:
    if isinstance(word, str) and word.strip().isdecimal():
        return int(word)
    return word if isinstance(word, int) and not isinstance(word, bool) and word >= 0 else None
