"""Packed files of tasks: an index that is read into memory, and cells from which tasks are made on demand.

`tasks.packing` writes this format. All numbers are little-endian. A head, then the cells of all grids, a byte each and
task by task, then the index:

    head    magic, version, tasks, pairs, bytes of ids, bytes of cells, and sha256 of all after the cells;
            sha256 of the head so far
    cells   for each pair the rows of its input, then those of its output; filled up to a multiple of 8
    index   u64 start[task]       where its cells begin
            u64 id_end[task]      where its id ends among the ids
            u32 sum[task]         CRC-32 of its cells
            u32 train[task], u32 test[task]      how many pairs it has
            u8  shape[pair][2][2] height and width of input and output; 0, 0 where an output is not known
            u8  ids               in UTF-8, one after the other

Tasks are in ascending order of id; their cells are in the order of packing. The index is checked as a whole when a file
is opened, the cells of a task when it is made: a malicious file can produce nothing but tasks.
"""

from __future__ import annotations

import os
import stat
import struct
import weakref
import zlib
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from batt.errors import DataError
from batt.tasks.files import PACKED_MAGIC, shown_name
from batt.tasks.model import ID_LIMIT, Pair, Task, Tasks
from batt.tasks.read import COLOURS, SIDE_LIMIT, is_id, shown_id
from batt.tasks.rows import Rows, Store
from batt.types.kinds import Grid

VERSION = 1
HEAD = struct.Struct("<8sII4Q32s")
"""The head without its own hash."""
CELLS_AT = HEAD.size + sha256().digest_size
ALIGN = 8
BYTES_OF_TASK = 2 * 8 + 3 * 4
"""Bytes per task in the index, without pairs and ids."""
MOST = 2**40
"""The most tasks, pairs, or bytes of a column: no product of such numbers overflows 64 bits."""

_COLOURS = bytes(range(COLOURS))


def open_packed(path: Path) -> Tasks:
    """Open a packed file. Its tasks are made on demand. Raise DataError if the file is not valid."""
    found = _PackedFile(path)
    return Tasks(Rows(found), f"packed {found.name} sha256:{found.index_sum.hex()[:16]}", path.stem)


class _PackedFile(Store):
    """A packed file, open and checked.

    It is read, not mapped: if another process shortens a mapped file, reading it kills this process.
    """

    def __init__(self, path: Path) -> None:
        self.name = shown_name(path)
        self._handle, self._size = self._opened(path)
        weakref.finalize(self, os.close, self._handle)
        head = self._read(0, CELLS_AT)
        if len(head) < CELLS_AT or head[: len(PACKED_MAGIC)] != PACKED_MAGIC:
            self._refuse("not a packed file of tasks (batt tasks pack makes one)")
        _, version, _, self.count, self.pairs, self._id_bytes, self._cell_bytes, self.index_sum = HEAD.unpack(
            head[: HEAD.size]
        )
        if version != VERSION:
            self._refuse(f"version {version} of the format, this batt reads version {VERSION}; pack the tasks again")
        if sha256(head[: HEAD.size]).digest() != head[HEAD.size :]:
            self._refuse("damaged: its head has another sum than it says")
        self._read_index()
        self._check_index()

    def __reduce__(self) -> NoReturn:
        # A copy would read from a handle that the original closes.
        raise TypeError(f"{self.name}: tasks of a packed file cannot be copied or pickled; load the file again")

    def task(self, position: int) -> Task:
        """Make one task."""
        start, size = int(self.starts[position]) + CELLS_AT, int(self.cells[position])
        where = f"task {self.ids[position]}"
        cells = self._read(start, size)
        if len(cells) < size:
            self._refuse(f"{where}: cut off: the file was shortened while it was in use")
        if zlib.crc32(cells) != self.sums[position]:
            self._refuse(f"{where}: damaged: its cells have another sum than the index says")
        if cells.strip(_COLOURS):
            self._refuse(f"{where}: a cell of {max(cells)}, at most {COLOURS - 1}")
        first, train, test = int(self.first_pair[position]), int(self.train[position]), int(self.test[position])
        shapes = self.shapes[first : first + train + test].reshape(-1, 2).tolist()
        grids = read_grids(cells, shapes)
        pairs = [Pair(given, wanted) for given, wanted in zip(grids[::2], grids[1::2], strict=True) if given]
        return Task(self.ids[position], tuple(pairs[:train]), tuple(pairs[train:]))

    def _opened(self, path: Path) -> tuple[int, int]:
        """Return the handle of the file and its size."""
        try:
            # Opening a pipe would block until someone writes to it.
            if not stat.S_ISREG(os.stat(path).st_mode):
                self._refuse("not a regular file")
            handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            return handle, os.fstat(handle).st_size
        except OSError as error:
            self._refuse(f"cannot be read: {error.strerror}")

    def _read(self, start: int, size: int) -> bytes:
        """Read `size` bytes from `start` on, or fewer at the end of the file."""
        parts = []
        try:
            while size and (part := os.pread(self._handle, size, start)):
                parts.append(part)
                start, size = start + len(part), size - len(part)
        except OSError as error:
            self._refuse(f"cannot be read: {error.strerror}")
        return b"".join(parts)

    def _read_index(self) -> None:
        """Read the columns of the index."""
        counts = (self.count, self.pairs, self._id_bytes, self._cell_bytes)
        index_at = CELLS_AT + padded(self._cell_bytes)
        index_bytes = self.count * BYTES_OF_TASK + 4 * self.pairs + self._id_bytes
        if max(counts) > MOST or self._size != index_at + index_bytes:
            wanted = f", {index_at + index_bytes:,} expected" if max(counts) <= MOST else ""
            self._refuse(f"damaged or cut off: {self._size:,} bytes{wanted}")
        if not self.count:
            self._refuse("no tasks")
        index = self._read(CELLS_AT + self._cell_bytes, self._size - CELLS_AT - self._cell_bytes)
        if sha256(index).digest() != self.index_sum:
            self._refuse("damaged: its index has another sum than its head says")
        at = index_at - CELLS_AT - self._cell_bytes
        columns: list[npt.NDArray[Any]] = []
        for dtype, count in (("<u8", 2 * self.count), ("<u4", 3 * self.count), ("u1", 4 * self.pairs)):
            columns.append(np.frombuffer(index, dtype, count, at))
            at += columns[-1].nbytes
        self.starts, id_ends = columns[0].reshape(2, -1)
        self.sums, self.train, self.test = columns[1].reshape(3, -1)
        self.shapes = columns[2].reshape(-1, 2, 2)
        self.ids = self._names(index[at:], id_ends.tolist())

    def _names(self, text: bytes, ends: list[int]) -> list[str]:
        if ends[-1] != len(text) or any(stop < start for start, stop in zip([0, *ends], ends, strict=False)):
            self._refuse("malformed: the ids do not lie one after the other")
        try:
            found = [text[start:stop].decode() for start, stop in zip([0, *ends], ends, strict=False)]
        except UnicodeDecodeError:
            self._refuse("malformed: an id is not UTF-8")
        bad = next((name for name in found if not is_id(name)), None)
        if bad is not None:
            self._refuse(f"malformed: task {shown_id(bad)}: an id has 1 to {ID_LIMIT} printable characters")
        if any(then <= name for name, then in pairwise(found)):
            self._refuse("malformed: the ids do not ascend")
        return found

    def _check_index(self) -> None:
        """Refuse columns that no tasks could have. After this, only the cells of a task can be at fault."""
        counts = self.train.astype(np.int64) + self.test
        self.first_pair = np.cumsum(counts) - counts
        if (self.train == 0).any() or int(counts.sum()) != self.pairs:
            self._refuse("malformed: the numbers of pairs do not add up")
        heights, widths = self.shapes[..., 0], self.shapes[..., 1]
        empty = heights == 0
        order = np.arange(self.pairs) - np.repeat(self.first_pair, counts)
        is_train = order < np.repeat(self.train, counts)
        lacking = empty[:, 0] | (empty[:, 1] & is_train)
        if self.shapes.max() > SIDE_LIMIT or lacking.any() or (empty != (widths == 0)).any():
            self._refuse(f"malformed: a grid has 1 to {SIDE_LIMIT} rows and columns")
        areas = (heights.astype(np.int64) * widths).sum(axis=1)
        self.pair_counts = np.stack([self.train, self.test], axis=1).astype(np.int64)
        self.cells = np.add.reduceat(areas, self.first_pair)
        if (self.starts > self._cell_bytes).any() or (self.starts + self.cells.astype("<u8") > self._cell_bytes).any():
            self._refuse("malformed: a task's cells lie outside the file")

    def _refuse(self, why: str) -> NoReturn:
        raise DataError(f"{self.name}: {why}")


def read_grids(cells: bytes, shapes: list[list[int]]) -> list[Grid | None]:
    """Split `cells` into consecutive grids; None for a grid without a shape."""
    found: list[Grid | None] = []
    at = 0
    for height, width in shapes:
        stop = at + height * width
        found.append(tuple([tuple(cells[row : row + width]) for row in range(at, stop, width)]) if stop > at else None)
        at = stop
    return found


def padded(size: int) -> int:
    """Round `size` up to a multiple of `ALIGN`."""
    return -(-size // ALIGN) * ALIGN
