"""Columns: what is known of one program on the samples of one chunk."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.runtime import Status
from batt.runtime.blocks import (
    Damaged,
    pack_numbers,
    pack_outputs,
    pack_records,
    unpack_numbers,
    unpack_outputs,
    unpack_records,
)
from batt.runtime.evaluations import Integers
from batt.runtime.records import join, put, take, unfilled


@dataclass(frozen=True, slots=True, eq=False)
class KeptColumn:
    """Outcomes at some places of a chunk, in ascending order: records, steps, and the bytes of outputs.

    `wires` is None if no output is known; an empty one of an evaluation with a value is not known.
    """

    places: Integers
    records: npt.NDArray[Any]
    steps: Integers
    wires: list[bytes] | None

    def packed(self) -> PackedColumn:
        """Return the column as bytes."""
        records = pack_records(self.places, self.records, self.records["hash"] != 0)
        outputs = None if self.wires is None or not any(self.wires) else pack_outputs(self.wires)
        return PackedColumn(len(self.places), records, pack_numbers(self.steps), outputs)

    def with_older(self, older: KeptColumn) -> KeptColumn:
        """Return this column with what only an older one of the same program and chunk has."""
        kept = np.flatnonzero(~np.isin(older.places, self.places))
        places = np.concatenate([self.places, older.places[kept]])
        order = np.argsort(places, kind="stable")
        records = join([self.records, take(older.records, kept)])
        wires = None
        if self.wires is not None or older.wires is not None:
            ours = self.wires or [b""] * len(self.places)
            theirs = older.wires or [b""] * len(older.places)
            joined = ours + [theirs[place] for place in kept.tolist()]
            wires = [joined[place] for place in order.tolist()]
        steps = np.concatenate([self.steps, older.steps[kept]])
        return KeptColumn(places[order], take(records, order), steps[order], wires)


@dataclass(frozen=True, slots=True)
class PackedColumn:
    """A column as bytes, and the number of its evaluations."""

    count: int
    records: bytes
    steps: bytes
    outputs: bytes | None

    def __len__(self) -> int:
        return len(self.records) + len(self.steps) + len(self.outputs or b"")

    def unpacked(self, size: int) -> KeptColumn:
        """Return the column of a chunk of `size` samples; raise Damaged if these are not its bytes."""
        places, records = unpack_records(self.records, size)
        if len(places) != self.count or (records["status"] == Status.TIMED_OUT).any():
            raise Damaged("other evaluations than a column has")
        wires = None if self.outputs is None else unpack_outputs(self.outputs, self.count).wires
        return KeptColumn(places, records, unpack_numbers(self.steps, self.count), wires)


class KnownRow:
    """The known outcomes of one program on all samples of a run."""

    def __init__(self, samples: int, outputs: bool) -> None:
        self.records = unfilled(samples)
        self.steps = np.zeros(samples, np.int64)
        self.wires = [b""] * samples if outputs else None

    @property
    def is_known(self) -> npt.NDArray[np.bool_]:
        """Return the samples on which the outcome is known."""
        known: npt.NDArray[np.bool_] = self.records["status"] != Status.NOT_RUN
        return known

    def put(self, places: Integers, column: KeptColumn) -> None:
        """Add a column whose evaluations have these places among the samples, or -1."""
        known = places >= 0
        if self.wires is not None:
            # A run that keeps outputs can use an outcome with a value only together with its bytes.
            wires = column.wires or [b""] * len(places)
            known &= (column.records["status"] != Status.OK) | np.fromiter(map(bool, wires), bool, len(wires))
            for place in np.flatnonzero(known).tolist():
                self.wires[places[place]] = wires[place]
        chosen = np.flatnonzero(known)
        put(self.records, places[chosen], take(column.records, chosen))
        self.steps[places[chosen]] = column.steps[chosen]

    def at(self, places: Integers) -> KeptColumn:
        """Return the outcomes on these samples."""
        wires = None if self.wires is None else [self.wires[place] for place in places.tolist()]
        return KeptColumn(places, take(self.records, places), self.steps[places], wires)


def is_kept(records: npt.NDArray[Any], wires: list[bytes] | None, numbered: Collection[int]) -> npt.NDArray[np.bool_]:
    """Return which outcomes are cached: not what a guard stopped, which says nothing about the program.

    Neither is an output with one of the bytes `numbered`: it may hold the number of a function of this run.
    """
    kept: npt.NDArray[np.bool_] = records["status"] <= Status.OVER_BUDGET
    if wires is not None:
        kept &= np.fromiter([not any(tag in wire for tag in numbered) for wire in wires], bool, len(wires))
    return kept
