"""The file of the cache, an SQLite database that several processes may use at once.

The tables:

    versions  sources, version         the version of the code with these bytes
    chunks    chunk, samples           the keys of the samples of a chunk; the key of the chunk is their digest
    columns   program, chunk, version, count, bytes, used, records, steps, outputs, sum
                                       outcomes; `sum` is the CRC-32 of the row, `used` when it was last read or written

A row that is not sound is a miss, and is removed. If the file is larger than allowed, the rows that were used least
recently are removed.
"""

from __future__ import annotations

import os
import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from batt.cache import MOST_BYTES
from batt.cache.columns import KeptColumn, PackedColumn
from batt.cache.keys import KEY_BYTES, digest
from batt.errors import UsageError
from batt.private import cache_folder, check_private, make_private
from batt.runtime.blocks import Damaged

NAME = "results-1.db"
"""The file's name, with the number of its format."""
ROOM = 0.9
"""The fraction of the allowed bytes that stays in use when rows are removed."""
PAGE_BYTES = 1 << 14
LOG_BYTES = 16 << 20
BUSY_S = 10.0

_TABLES = """
PRAGMA auto_vacuum = INCREMENTAL;
PRAGMA journal_mode = WAL;
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS versions (sources BLOB PRIMARY KEY, version BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS chunks (chunk BLOB PRIMARY KEY, samples BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS columns (
    id INTEGER PRIMARY KEY, program BLOB NOT NULL, chunk BLOB NOT NULL, version BLOB NOT NULL, count INTEGER NOT NULL,
    bytes INTEGER NOT NULL, used INTEGER NOT NULL, records BLOB NOT NULL, steps BLOB NOT NULL, outputs BLOB,
    sum INTEGER NOT NULL, UNIQUE (program, chunk));
CREATE INDEX IF NOT EXISTS used ON columns (used, bytes);
COMMIT;
"""


class Unusable(UsageError):
    """The cache cannot be used, for the reason in the text."""


@dataclass(frozen=True, slots=True)
class CacheFigures:
    """The content of the cache: bytes of its file, columns, evaluations, and how many of them are of this version."""

    file_bytes: int
    columns: int
    evaluations: int
    usable: int


def cache_file() -> Path:
    """Return the path of the cache; raise Unusable if there is no folder for it."""
    folder = cache_folder()
    if folder is None:
        raise Unusable("there is no home folder; set BATT_CACHE_DIR")
    return folder / NAME


class Database:
    """An open cache. Only this user can read or write it; it has at most `most_bytes`."""

    def __init__(self, path: Path, most_bytes: int = MOST_BYTES) -> None:
        self.path = path
        self.most_bytes = most_bytes
        self._used: set[int] = set()
        self._bad: set[int] = set()
        try:
            make_private(path.parent)
            # So that SQLite does not make it with other rights.
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            check_private(path)
        except OSError as error:
            raise Unusable(str(error)) from None
        with self._guarded():
            self._db = sqlite3.connect(path, BUSY_S, isolation_level=None, check_same_thread=False)
            # Damage can turn bytes into text, which need not be valid.
            self._db.text_factory = bytes
            self._db.execute(f"PRAGMA page_size = {PAGE_BYTES}")
            self._db.executescript(_TABLES)
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}")

    def close(self) -> None:
        """Note what was used, remove what is damaged, and close the file."""
        with suppress(sqlite3.Error):
            self._settle()
        self._db.close()

    def version_of(self, sources: bytes) -> bytes | None:
        """Return the version of the code with these bytes, if it is known."""
        with self._guarded():
            row = self._db.execute("SELECT version FROM versions WHERE sources = ?", (sources,)).fetchone()
        return None if row is None else bytes(row[0])

    def remember_version(self, sources: bytes, version: bytes) -> None:
        """Remember the version of the code with these bytes."""
        with self._guarded():
            self._db.execute("INSERT OR REPLACE INTO versions VALUES (?, ?)", (sources, version))

    def samples_of(self, chunk: bytes) -> list[bytes] | None:
        """Return the keys of the samples of a chunk; None if it is not there, or not as it was written."""
        with self._guarded():
            row = self._db.execute("SELECT samples FROM chunks WHERE chunk = ?", (chunk,)).fetchone()
        if row is None or not isinstance(row[0], bytes) or digest(row[0]) != chunk:
            return None
        return [row[0][at : at + KEY_BYTES] for at in range(0, len(row[0]), KEY_BYTES)]

    def chunks_of(self, program: bytes) -> list[tuple[int, bytes]]:
        """Return the id and the chunk of each column of a program."""
        with self._guarded():
            return self._db.execute("SELECT id, chunk FROM columns WHERE program = ?", (program,)).fetchall()

    def column(self, number: int, program: bytes, chunk: bytes, size: int) -> KeptColumn | None:
        """Return a column of a program and a chunk of `size` samples; None if it is gone or not sound."""
        with self._guarded():
            found = self._db.execute(
                "SELECT count, records, steps, outputs, sum FROM columns WHERE id = ?", (number,)
            ).fetchone()
        if found is None:
            return None
        *parts, crc = found
        try:
            packed = PackedColumn(*parts)
            if _sum(program, chunk, packed) != crc:
                raise Damaged("another sum than the row says")
            column = packed.unpacked(size)
        except (Damaged, TypeError):
            self._bad.add(number)
            return None
        self._used.add(number)
        return column

    def write(
        self, version: bytes, chunks: Iterable[Sequence[bytes]], columns: Sequence[tuple[bytes, bytes, PackedColumn]]
    ) -> None:
        """Write columns, each after its program and chunk, and the chunks that are new, in one transaction."""
        size = sum([len(packed) for *_, packed in columns])
        if size > self.most_bytes:
            return
        now = _now()
        with self._guarded():
            self._settle()
            self._make_room(size)
            with self._transaction():
                for samples in chunks:
                    data = b"".join(samples)
                    self._db.execute("INSERT OR REPLACE INTO chunks VALUES (?, ?)", (digest(data), data))
                for program, chunk, packed in columns:
                    parts = packed.records, packed.steps, packed.outputs
                    row = program, chunk, version, packed.count, len(packed), now, *parts, _sum(program, chunk, packed)
                    self._db.execute("INSERT OR REPLACE INTO columns VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)

    def prune(self, version: bytes | None, most_bytes: int | None = None) -> None:
        """Remove columns of other versions than this, and the least recently used ones beyond `most_bytes`."""
        with self._guarded():
            if version is not None:
                self._db.execute("DELETE FROM columns WHERE version != ?", (version,))
            self._drop_chunks()
            self._make_room(0, most_bytes)
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def clear(self) -> None:
        """Remove everything. The file stays: another process may be using it."""
        with self._guarded():
            with self._transaction():
                for table in ("columns", "chunks", "versions"):
                    self._db.execute(f"DELETE FROM {table}")
            self._shrink()
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def figures(self, version: bytes) -> CacheFigures:
        """Return what the cache holds."""
        with self._guarded():
            columns, count = self._db.execute("SELECT count(*), total(count) FROM columns").fetchone()
            usable = self._db.execute("SELECT total(count) FROM columns WHERE version = ?", (version,)).fetchone()[0]
            return CacheFigures(self._file_bytes(), columns, int(count), int(usable))

    def _settle(self) -> None:
        """Note which columns were used, and remove those that are not sound."""
        if not self._used and not self._bad:
            return
        with self._transaction():
            self._db.executemany("UPDATE columns SET used = ? WHERE id = ?", [(_now(), each) for each in self._used])
            self._db.executemany("DELETE FROM columns WHERE id = ?", [(each,) for each in self._bad])
        self._used.clear()
        self._bad.clear()

    def _make_room(self, size: int, most_bytes: int | None = None) -> None:
        """Remove the least recently used columns if there is no room for `size` more bytes."""
        most = self.most_bytes if most_bytes is None else most_bytes
        # Columns take more bytes in the file than they have: pages are not always full.
        left = self._in_use() + size - most
        if left <= 0:
            return
        left += int((1 - ROOM) * most)
        found: list[tuple[int]] = []
        for number, bytes_ in self._db.execute("SELECT id, bytes FROM columns ORDER BY used, id").fetchall():
            if left <= 0:
                break
            found.append((number,))
            left -= bytes_
        with self._transaction():
            self._db.executemany("DELETE FROM columns WHERE id = ?", found)
        self._drop_chunks()
        self._shrink()

    def _drop_chunks(self) -> None:
        self._db.execute("DELETE FROM chunks WHERE chunk NOT IN (SELECT chunk FROM columns)")

    def _shrink(self) -> None:
        # It gives back one page for each of its steps, and `execute` takes only the first.
        self._db.executescript("PRAGMA incremental_vacuum")

    def _in_use(self) -> int:
        names = ("page_count", "freelist_count", "page_size")
        pages, free, size = [int(self._db.execute(f"PRAGMA {name}").fetchone()[0]) for name in names]
        return (pages - free) * size

    def _file_bytes(self) -> int:
        names = [self.path, Path(f"{self.path}-wal")]
        return sum([each.stat().st_size for each in names if each.exists()])

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with ExitStack() as undo:
            self._db.execute("BEGIN IMMEDIATE")
            undo.callback(self._roll_back)
            yield
            self._db.execute("COMMIT")
            undo.pop_all()

    def _roll_back(self) -> None:
        with suppress(sqlite3.Error):
            self._db.execute("ROLLBACK")

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Raise Unusable for what SQLite cannot do. A damaged file is removed."""
        try:
            yield
        except sqlite3.OperationalError as error:
            raise Unusable(f"{self.path}: {error}") from None
        except sqlite3.DatabaseError as error:
            for suffix in ("", "-wal", "-shm"):
                Path(f"{self.path}{suffix}").unlink(missing_ok=True)
            raise Unusable(f"{self.path}: {error}; the file was removed") from None


def _now() -> int:
    return time.time_ns()


def _sum(program: bytes, chunk: bytes, packed: PackedColumn) -> int:
    made = 0
    for part in (program, chunk, packed.records, packed.steps, packed.outputs or b"none"):
        made = zlib.crc32(part, made)
    return made
