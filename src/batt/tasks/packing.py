"""Write packed files of tasks in the format of `tasks.packed`.

Tasks are written one by one: only the index is ever in memory.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import IO

import numpy as np

from batt.errors import DataError, UsageError
from batt.files import whole_file
from batt.tasks.files import PACKED_MAGIC
from batt.tasks.model import ID_LIMIT, Task
from batt.tasks.packed import CELLS_AT, HEAD, VERSION, padded
from batt.tasks.read import Problems, is_id, read_grid, shown_id


@dataclass(frozen=True, slots=True)
class Packed:
    """The number of tasks in a packed file, and how many were repeated with the same pairs and so written once."""

    tasks: int
    repeated: int


def pack_tasks(tasks: Iterable[Task], path: str | os.PathLike[str]) -> Packed:
    """Write tasks to a packed file, whole or not at all. Tasks are read one by one, never all at once."""
    target = Path(path)
    if target.exists() and not target.is_file():
        raise UsageError(f"{target}: cannot be written: not a regular file")
    with whole_file(target, "wb") as file:
        return _PackWriter(file).write(tasks)


@dataclass(slots=True)
class _Row:
    """The index entry of a task, and a digest of its content."""

    id: str
    start: int
    digest: bytes
    sum: int
    train: int
    test: int
    shapes: bytes


class _PackWriter:
    """Writes a packed file: cells immediately, the index at the end."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file
        self.rows: dict[str, _Row] = {}
        self.at = 0
        self.repeated = 0

    def write(self, tasks: Iterable[Task]) -> Packed:
        """Write the whole file."""
        self.file.write(bytes(CELLS_AT))
        for task in tasks:
            self._add(task)
        if not self.rows:
            raise UsageError("there are no tasks to pack")
        index, pairs, id_bytes = self._index()
        index = bytes(padded(self.at) - self.at) + index
        self.file.write(index)
        head = HEAD.pack(PACKED_MAGIC, VERSION, 0, len(self.rows), pairs, id_bytes, self.at, sha256(index).digest())
        self.file.seek(0)
        self.file.write(head + sha256(head).digest())
        return Packed(len(self.rows), self.repeated)

    def _add(self, task: Task) -> None:
        if not is_id(task.id):
            raise DataError(f"task {shown_id(task.id)}: an id has 1 to {ID_LIMIT} printable characters")
        if not task.train:
            raise DataError(f"task {task.id}: no train pairs")
        problems = Problems()
        shapes, cells = bytearray(), bytearray()
        for part, pairs in (("train", task.train), ("test", task.test)):
            for number, pair in enumerate(pairs):
                where = f"task {task.id}", f"{part} pair {number}"
                for what, grid in (("input", pair.input), ("output", pair.output)):
                    sound = None if grid is None else read_grid(grid, (*where, what), problems)
                    shapes += bytes(2) if sound is None else bytes([len(sound), len(sound[0])])
                    cells += b"".join(map(bytes, sound or ()))
        problems.raise_any()
        counts = len(task.train), len(task.test)
        row = _Row(task.id, self.at, sha256(cells).digest(), zlib.crc32(cells), *counts, bytes(shapes))
        before = self.rows.setdefault(task.id, row)
        if before is row:
            self.file.write(cells)
            self.at += len(cells)
        elif replace(row, start=before.start) == before:
            self.repeated += 1
        else:
            raise DataError(f"task {task.id}: appears twice, with other pairs; leave one of them out")

    def _index(self) -> tuple[bytes, int, int]:
        """Return the index, its number of pairs, and the bytes of its ids."""
        rows = [self.rows[name] for name in sorted(self.rows)]
        ids = [row.id.encode() for row in rows]
        columns = [
            np.array([row.start for row in rows], "<u8"),
            np.cumsum([len(name) for name in ids], dtype="<u8"),
            np.array([(row.sum, row.train, row.test) for row in rows], "<u4").T,
        ]
        parts = [column.tobytes() for column in columns]
        shapes, names = b"".join([row.shapes for row in rows]), b"".join(ids)
        return b"".join([*parts, shapes, names]), len(shapes) // 4, len(names)
