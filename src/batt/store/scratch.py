"""Arrays and outputs that may be larger than memory, in files without a name. They are gone when the process ends."""

from __future__ import annotations

import os
import tempfile
import weakref
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from batt.errors import UsageError
from batt.runtime import Status
from batt.runtime.outputs import NO_FUNCTIONS, Functions, OutputStore, PackedOutputs
from batt.runtime.records import RECORD_TYPE, chunks

IN_MEMORY_BYTES = 64 << 20
"""Arrays of at most this size are in memory."""


def scratch_records(count: int, folder: Path | None) -> npt.NDArray[Any]:
    """Return `count` records of evaluations that were not run. Many of them are in a file in `folder`."""
    made = scratch_array(count, RECORD_TYPE, folder)
    for part in chunks(made):
        part["status"] = Status.NOT_RUN
    return made


def scratch_array(count: int, dtype: npt.DTypeLike, folder: Path | None) -> npt.NDArray[Any]:
    """Return an array of zeros: in memory if it is small, else in a file in `folder`, or where temporary files are."""
    size = count * np.dtype(dtype).itemsize
    if size <= IN_MEMORY_BYTES:
        return np.zeros(count, dtype)
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            # Take the space now: a write to a mapped file on a full disk would kill the process.
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file.fileno(), 0, size)
            return np.memmap(file, dtype, "r+", shape=(count,))
    except OSError as error:
        where = folder or tempfile.gettempdir()
        raise UsageError(f"{where}: no room for {size:,} bytes of records: {error.strerror}") from None


class ScratchOutputs(OutputStore):
    """The outputs of a run in a file without a name, by the numbers of the evaluations."""

    def __init__(self, total: int, folder: Path | None) -> None:
        self.sizes = scratch_array(total, np.uint32, folder)
        self._starts = scratch_array(total, np.uint64, folder)
        where = None if folder is None else str(folder)
        self._file: IO[bytes] = tempfile.SpooledTemporaryFile(IN_MEMORY_BYTES, dir=where)  # noqa: SIM115
        weakref.finalize(self, self._file.close)
        self._end = 0

    def __len__(self) -> int:
        return len(self.sizes)

    def put(self, numbers: npt.NDArray[np.int64], outputs: PackedOutputs) -> None:
        """Keep the outputs of the evaluations with these numbers. They hold no functions by number."""
        sizes = (outputs.ends - outputs.starts).astype(np.uint64)
        self.sizes[numbers] = sizes
        self._starts[numbers] = self._end + np.cumsum(sizes) - sizes
        self._file.seek(self._end)
        self._file.write(b"".join(outputs.wires))
        self._end += int(sizes.sum())

    def take(self, numbers: npt.NDArray[np.int64]) -> tuple[list[bytes], list[Functions]]:
        """Return the bytes of the outputs of these evaluations, empty without a value, and the functions of each."""
        wires: list[bytes] = []
        for start, size in zip(self._starts[numbers].tolist(), self.sizes[numbers].tolist(), strict=True):
            self._file.seek(start)
            wires.append(self._file.read(size))
        return wires, [NO_FUNCTIONS] * len(wires)
