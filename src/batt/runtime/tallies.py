"""What native code counts while it runs, where it is asked to. Owns the counters, their sum, and their clock's unit.

An op's time is its kernel's own. An instruction's is inclusive: that of a loop holds the time of its body's.
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
    """What is counted; one at a time, since counting one adds to the time of the other."""

    OPS = "ops"
    INSTRUCTIONS = "instructions"


@dataclass(frozen=True, slots=True)
class Tallies:
    """Counters by the number of an op, and by the word of the code section at which an instruction begins.

    What is not counted has no counters.
    """

    by_op: npt.NDArray[Any]
    by_word: npt.NDArray[Any]

    @staticmethod
    def none(ops: int, words: int) -> Tallies:
        """Counters that have counted nothing."""
        return Tallies(np.zeros(ops, TALLY_TYPE), np.zeros(words, TALLY_TYPE))

    def add(self, others: Iterable[Tallies]) -> None:
        """Count what others have counted, too."""
        for other in others:
            for own, given in ((self.by_op, other.by_op), (self.by_word, other.by_word)):
                for name in TALLY_TYPE.names or ():
                    own[name] += given[name]


@dataclass(frozen=True, slots=True)
class Counted:
    """The counters of a run, summed over its workers, and how long a tick of their clock is; 0 where there is none."""

    tallies: Tallies
    tick_s: float


class TickClock:
    """The clock of counters beside a clock of known unit, from now on."""

    def __init__(self, ticks: Callable[[], int]) -> None:
        self._ticks = ticks
        self._began = self._read()

    def tick_s(self) -> float:
        """How long a tick is, by what both clocks have gone on since the beginning."""
        (ticks, now_s), (began_ticks, began_s) = self._read(), self._began
        return (now_s - began_s) / (ticks - began_ticks) if ticks > began_ticks else 0.0

    def _read(self) -> tuple[int, float]:
        before_s = time.perf_counter()
        ticks = self._ticks()
        return ticks, (before_s + time.perf_counter()) / 2
