"""The kinds of states, and what became of candidates."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from batt.bytecode.abi import Cause, Ended
from batt.runtime import ERROR_KINDS, Status
from batt.states.native import NO_ROOM


class StateKind(IntEnum):
    """The kind of a state's values: what all of them are, or ANY if they differ."""

    ANY = 0
    INT = 1
    PAIR = 2
    CELL = 3
    GRID = 4
    TUPLE = 5
    INDICES = 6
    OBJECT = 7
    OBJECTS = 8
    SET = 9
    FUNCTION = 10


@dataclass(frozen=True, slots=True, eq=False)
class Applied:
    """The results of candidates: `handles` of their states, -1 without a value, -2 without memory for it.

    `candidates` also has the status, the kind of error and the steps of each, and whether its state is new.
    """

    candidates: npt.NDArray[np.void]

    def __len__(self) -> int:
        return len(self.candidates)

    @property
    def handles(self) -> npt.NDArray[np.int64]:
        """Return the handle of each candidate."""
        found: npt.NDArray[np.int64] = self.candidates["handle"]
        return found

    @property
    def is_new(self) -> npt.NDArray[np.bool_]:
        """Return which candidates were the first to make their state."""
        return self.candidates["is_new"].astype(bool)

    @property
    def new(self) -> npt.NDArray[np.int64]:
        """Return the handles of the new states, in order."""
        return self.handles[self.is_new]

    @property
    def steps(self) -> npt.NDArray[np.uint64]:
        """Return the steps of each candidate on all samples together, up to its failure."""
        found: npt.NDArray[np.uint64] = self.candidates["steps"]
        return found

    def failure(self, position: int) -> str:
        """Return why a candidate has no state: a kind of error, a status or a cause; an empty text if it has one."""
        made = self.candidates[position]
        match Ended(made["status"]):
            case Ended.OK:
                return "no room" if made["handle"] == NO_ROOM else ""
            case Ended.RAISED:
                return str(ERROR_KINDS[made["error"]])
            case Ended.UNSUPPORTED:
                return Cause(made["cause"]).text
            case other:
                return Status(other).word

    def __repr__(self) -> str:
        states = int((self.handles >= 0).sum())
        return f"<Applied | {len(self):,} candidates | {states:,} with a state | {len(self.new):,} new>"
