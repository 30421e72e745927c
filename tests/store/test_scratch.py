"""Arrays and outputs in files without a name are as those in memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from batt.errors import UsageError
from batt.runtime import Status
from batt.runtime.outputs import OutputStore, PackedOutputs
from batt.store import scratch
from batt.store.scratch import ScratchOutputs, scratch_array, scratch_records


@pytest.fixture
def in_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scratch, "IN_MEMORY_BYTES", 10)


def test_many_records_are_in_a_file_that_leaves_nothing_behind(tmp_path: Path, in_files: None):
    records = scratch_records(100_000, tmp_path)
    assert isinstance(records, np.memmap)
    assert (records["status"] == Status.NOT_RUN).all()
    records["hash"][5] = 7
    assert records["hash"].sum() == 7
    assert list(tmp_path.iterdir()) == []


def test_few_records_are_in_memory(tmp_path: Path):
    assert not isinstance(scratch_records(100, tmp_path), np.memmap)


def test_a_disk_without_room_is_told_before_the_run(tmp_path: Path, in_files: None, monkeypatch: pytest.MonkeyPatch):
    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.posix_fallocate", full)
    with pytest.raises(UsageError, match="no room for 800 bytes of records: No space left on device"):
        scratch_array(100, np.int64, tmp_path)


def test_outputs_are_taken_as_from_memory(tmp_path: Path, in_files: None):
    stores: list[OutputStore] = [OutputStore(20), ScratchOutputs(20, tmp_path)]
    draw = np.random.default_rng(1)
    for numbers in (np.array([3, 5, 19]), np.array([0, 1, 7, 8])):
        wires = [draw.bytes(int(size)) for size in draw.integers(0, 50, len(numbers))]
        ends = np.cumsum([len(wire) for wire in wires], dtype=np.uint64)
        packed = PackedOutputs.of(np.frombuffer(b"".join(wires), np.uint8), ends)
        for store in stores:
            store.put(numbers, packed)
    chosen = np.array([19, 2, 0, 7, 3])
    assert stores[0].take(chosen)[0] == stores[1].take(chosen)[0]
    assert (stores[0].sizes == stores[1].sizes).all()
    assert len(stores[1]) == 20
