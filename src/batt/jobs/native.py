"""An encoded deck as a job of the cpu engine. Owns how solvers' names become numbers of slices."""

from __future__ import annotations

import numpy as np

from batt.compiler import Encoded
from batt.front import Deck
from batt.runtime import Sample
from batt.runtime.blocks import Order
from batt.runtime.cpu import Job


def job_of(deck: Deck, encoded: Encoded, samples: tuple[Sample, ...], order: Order) -> Job:
    """The job of a deck's image on samples."""
    names = deck.names
    return Job(
        [solver.program for solver in deck],
        encoded.image,
        np.array([encoded.slice_of.get(name, -1) for name in names], dtype=np.int64),
        {number: encoded.refused[name] for number, name in enumerate(names) if name in encoded.refused},
        samples,
        order,
    )
