"""Engines with planted faults, for tests of comparing. They can be sent to another process, which finds them here."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import handmade
from batt.check.engines import EngineResults, Pairs, Reference, Run, SharedProgress
from batt.errors import InternalError, UsageError
from batt.front import Deck
from batt.ops import OPS
from batt.runtime import Limits, Sample

FAULTS: dict[str, Callable[..., Any]] = {
    "upside down": lambda grid: grid[::-1],
    "crash": lambda *args: os._exit(3),
    "stuck": lambda *args: time.sleep(60),
    "raise": lambda *args: (_ for _ in ()).throw(KeyError("planted")),
}


@dataclass(frozen=True)
class Planted:
    """The reference engine with one op whose body is another."""

    op: str
    fault: str
    name: str = "cpu"

    def open(self, deck: Deck, samples: Sequence[Sample]) -> Run:
        inner = Reference().open(deck, samples)

        def run(pairs: Pairs, limits: Limits, progress: SharedProgress) -> EngineResults:
            op = OPS[self.op]
            body, op.body = op.body, FAULTS[self.fault]
            try:
                return inner(pairs, limits, progress)
            finally:
                op.body = body

        return run


BROKEN_DECK = handmade.deck(
    same=handmade.SAME, mirror=handmade.MIRROR, turns=("x = rot90(I)",), trims=("x = trim(I)",), flips=("x = flip(I)",)
)


@dataclass(frozen=True)
class Refusing:
    """An engine that cannot make a deck ready in which something is trimmed."""

    politely: bool = False
    name: str = "cpu"

    def open(self, deck: Deck, samples: Sequence[Sample]) -> Run:
        if self.politely:
            raise UsageError("not today")
        if any("trim" in solver.source for solver in deck):
            raise InternalError("refused: trim")
        return Reference().open(deck, samples)
