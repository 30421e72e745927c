"""The counters of native code for a profile: their sum, and the unit of their clock.

The time of an op is that of its kernel alone. The time of an instruction is inclusive: a loop's includes its body's.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.bytecode.abi import TALLY

TALLY_TYPE = TALLY.dtype


class Counting(Enum):
    """The things that native code can count. Only one at a time: counting one adds to the time of the other."""

    OPS = "ops"
    INSTRUCTIONS = "instructions"


@dataclass(frozen=True, slots=True)
class Tallies:
    """Counters by the number of an op, and by the word of the code section at which an instruction begins.

    One of them is empty.
    """

    by_op: npt.NDArray[Any]
    by_word: npt.NDArray[Any]

    @staticmethod
    def none(ops: int, words: int) -> Tallies:
        """Return counters for `ops` ops and `words` words, all 0."""
        return Tallies(np.zeros(ops, TALLY_TYPE), np.zeros(words, TALLY_TYPE))

    def add(self, others: Iterable[Tallies]) -> None:
        """Add the counts of `others`."""
        for other in others:
            for own, given in ((self.by_op, other.by_op), (self.by_word, other.by_word)):
                for name in TALLY_TYPE.names or ():
                    own[name] += given[name]


@dataclass(frozen=True, slots=True)
class Counted:
    """The counters of a run, summed over its workers, and the seconds of one tick; 0 if there is no clock."""

    tallies: Tallies
    tick_s: float


class TickClock:
    """Measures the clock of the counters against a clock with a known unit, from now on."""

    def __init__(self, ticks: Callable[[], int]) -> None:
        self._ticks = ticks
        self._began = self._read()

    def tick_s(self) -> float:
        """Return the seconds of one tick, from the progress of both clocks; 0 if the ticks do not advance."""
        (ticks, now_s), (began_ticks, began_s) = self._read(), self._began
        return (now_s - began_s) / (ticks - began_ticks) if ticks > began_ticks else 0.0

    def _read(self) -> tuple[int, float]:
        before_s = time.perf_counter()
        ticks = self._ticks()
        return ticks, (before_s + time.perf_counter()) / 2
