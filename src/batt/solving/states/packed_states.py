"""States of a task as bytes, for another process, which then reads the grids."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import Any

import numpy as np

from batt.solving.running import grids_by
from batt.solving.states.states import MadeStates, StateOrigin, made_states


def pack_states(origins: Sequence[StateOrigin], wires: Sequence[bytes], runs: list[tuple[int, int]]) -> bytes:
    """Return as bytes how states are made, all their values one after the other, and the runs that made them."""
    numbers = np.array(origins, np.int32).reshape(-1, len(StateOrigin._fields))
    sizes = np.array([len(each) for each in wires], np.int64)
    return pickle.dumps((numbers, sizes, b"".join(wires), runs), protocol=5)


def unpack_states(packed: bytes) -> MadeStates:
    """Return the states that `pack_states` packed."""
    found: tuple[Any, ...] = pickle.loads(packed)
    numbers, sizes, joined, runs = found
    ends = np.cumsum(sizes).tolist()
    wires = [joined[start:end] for start, end in zip([0, *ends], ends, strict=False)]
    origins = [
        StateOrigin(maker, number, first, steps, bool(fits)) for maker, number, first, steps, fits in numbers.tolist()
    ]
    values = grids_by(len(wires) // max(1, len(origins)) or 1, wires)
    return made_states(list(zip(origins, values, strict=True)), runs)
