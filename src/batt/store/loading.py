"""Read all blocks of a run. What is damaged is counted and left out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy.typing as npt

from batt.runtime import Status
from batt.runtime.blocks import Damaged, unpack_outputs, unpack_records
from batt.runtime.counts import Counts
from batt.runtime.evaluations import Integers
from batt.runtime.outputs import OutputStore
from batt.runtime.records import put
from batt.runtime.tier import TierName
from batt.store.manifest import Manifest
from batt.store.runfile import RunFile, StoredBlock
from batt.store.scratch import ScratchOutputs, scratch_records


@dataclass(slots=True)
class StoredRecords:
    """The records of a run, by number, its outputs if it keeps them, and sums over its blocks.

    `damage` says what could not be read, a line each.
    """

    records: npt.NDArray[Any]
    outputs: OutputStore | None
    done: int = 0
    steps: int = 0
    counts: Counts = field(default_factory=Counts)
    damage: list[str] = field(default_factory=list)

    @classmethod
    def none(cls, manifest: Manifest, folder: Path | None) -> StoredRecords:
        """Return the records of a run without blocks. If they are many, they are in a file in `folder`."""
        outputs = ScratchOutputs(manifest.total, folder) if manifest.choices.outputs else None
        return cls(scratch_records(manifest.total, folder), outputs)

    def add(self, block: StoredBlock) -> tuple[Integers, npt.NDArray[Any]]:
        """Add a block, and return its numbers and records; raise Damaged if it is not sound."""
        numbers, records = unpack_records(block.body, len(self.records))
        if len(numbers) != block.meta.count:
            raise Damaged("another number of evaluations than it says")
        if (self.records["status"][numbers] != Status.NOT_RUN).any():
            raise Damaged("evaluations that another block has, too")
        outputs = None if block.outputs is None else unpack_outputs(block.outputs, len(numbers))
        if block.meta.tier not in list(TierName):
            raise Damaged("a tier that there is not")
        put(self.records, numbers, records)
        if self.outputs is not None and outputs is not None:
            self.outputs.put(numbers, outputs)
        self.count(block)
        return numbers, records

    def count(self, block: StoredBlock) -> None:
        """Count a block whose records are here."""
        self.done += block.meta.count
        self.steps += block.meta.steps
        self.counts.finished[TierName(block.meta.tier)] += block.meta.count
        if block.meta.worker:
            self.counts.by_worker[block.meta.worker] += block.meta.count
        self.counts.deferred_to_reference += Counter(block.meta.causes)


def load_blocks(file: RunFile, manifest: Manifest, folder: Path | None, timed_out: bool = True) -> StoredRecords:
    """Read all blocks of a run that are sound; without `timed_out`, only those that are not run again."""
    loaded = StoredRecords.none(manifest, folder)
    ids, are_all = file.block_ids()
    bad: list[str] = []
    for number in ids:
        try:
            block = file.block(number)
            if timed_out or not block.is_timed_out:
                loaded.add(block)
        except Damaged as error:
            bad.append(str(error))
    if bad:
        loaded.damage.append(f"{len(bad):,} of {len(ids):,} blocks of records are damaged (first: {bad[0]})")
    if not are_all:
        loaded.damage.append("the list of blocks cannot be read to its end")
    for name in file.damaged_items():
        loaded.damage.append(f"its {name} cannot be read")
    if not file.is_sound():
        loaded.damage.append("the structure of the database is damaged")
    for session in file.sessions()[-1:]:
        # Each session runs again what timed out before, so only the last one counts.
        loaded.counts.crashed = int(session.get("crashed", 0))
        loaded.counts.out_of_memory = int(session.get("out_of_memory", 0))
    return loaded
