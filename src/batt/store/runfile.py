"""The file of a run, an SQLite database: its manifest, its deck and tasks, sessions, and blocks of records.

The tables:

    items     name, data, sum          the manifest as JSON; the deck as JSON lines and the tasks as JSON, compressed
    sessions  id, data                 JSON: when a process began and ended, how, on which engine, its notes
    blocks    id, count, is_timed_out, meta, body, outputs, sum
                                       finished evaluations; `runtime.blocks` describes body and outputs

Each `sum` is the CRC-32 of its row. Every evaluation is in at most one block.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import tempfile
import weakref
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from batt.errors import DataError, UsageError
from batt.runtime.blocks import Damaged

FORMAT = 2
APPLICATION = int.from_bytes(b"batt", "big")
BUSY_S = 10.0
PAGE_BYTES = 1 << 15
"""A block has many pages, and each of them costs time."""
LOG_PAGES = 256
"""The pages in the log after which SQLite moves them into the file."""
HEAD_BYTES = 100
"""The bytes of SQLite's own head, which gives the size of a page and the number of pages."""
MOST_LOST = 1_000
"""A file that was cut off is filled up to at most this multiple of its size."""
SUFFIXES = ("", "-wal", "-shm", "-journal")
"""The file, and what SQLite keeps beside it while it is open."""

_TABLES = """
CREATE TABLE items (name TEXT PRIMARY KEY, data BLOB NOT NULL, sum INTEGER NOT NULL);
CREATE TABLE sessions (id INTEGER PRIMARY KEY, data TEXT NOT NULL);
CREATE TABLE blocks (id INTEGER PRIMARY KEY, count INTEGER NOT NULL, is_timed_out INTEGER NOT NULL,
                     meta TEXT NOT NULL, body BLOB NOT NULL, outputs BLOB, sum INTEGER NOT NULL);
"""


class RunDamaged(DataError):
    """A run that cannot be read at all."""


class NotStored(UsageError):
    """Results could not be written to the file of a run."""


@dataclass(frozen=True, slots=True)
class Meta:
    """Facts about a block besides its records: the tier and the GPU that ran it, its steps, and why it was deferred."""

    tier: int
    worker: str
    count: int
    steps: int
    causes: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StoredBlock:
    """A row of the table `blocks`. Records whose evaluations timed out have blocks of their own."""

    meta: Meta
    body: bytes
    outputs: bytes | None
    is_timed_out: bool

    @property
    def sum(self) -> int:
        """Return the CRC-32 of the row."""
        head = json.dumps([asdict(self.meta), self.is_timed_out]).encode()
        return zlib.crc32(self.outputs or b"", zlib.crc32(self.body, zlib.crc32(head)))


class RunFile:
    """An open file of a run. Only the owner of the run's lock may open it for writing.

    `is_whole` is False if it is a copy of a file that cannot be opened as it is.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, is_whole: bool = True) -> None:
        self.path = path
        self.is_whole = is_whole
        self._db = connection

    @classmethod
    def create(cls, path: Path, items: Mapping[str, bytes]) -> RunFile:
        """Write a new file with these items, and open it for writing. It appears whole or not at all."""
        part = path.with_name(f"{path.name}.new")
        remove(part)
        made = cls(part, _connect(part, f"file:{_uri(part)}?mode=rwc"))
        with ExitStack() as undo:
            undo.callback(remove, part)
            undo.callback(made.close)
            with made._writing():
                # Without a journal: a file that is not finished is removed.
                made._db.execute("PRAGMA journal_mode = OFF")
                made._db.execute(f"PRAGMA page_size = {PAGE_BYTES}")
                made._db.execute("BEGIN")
                made._db.execute(f"PRAGMA application_id = {APPLICATION}")
                made._db.execute(f"PRAGMA user_version = {FORMAT}")
                for statement in filter(str.strip, _TABLES.split(";")):
                    made._db.execute(statement)
                rows = [(name, data, zlib.crc32(data)) for name, data in items.items()]
                made._db.executemany("INSERT INTO items VALUES (?, ?, ?)", rows)
                made._db.execute("COMMIT")
            made.close()
            # The log of an older file would be taken for that of the new one.
            remove(path)
            part.rename(path)
            undo.pop_all()
        return cls.open(path, write=True)

    @classmethod
    def open(cls, path: Path, write: bool = False) -> RunFile:
        """Open a file, to read it even while its owner writes, or with `write` as the owner."""
        if not path.is_file():
            raise UsageError(f"{path}: no such file; batt run --out DIR makes one")
        found = cls(path, _connect(path, f"file:{_uri(path)}?mode={'rw' if write else 'ro'}"))
        try:
            number, version = found._numbers()
        except sqlite3.Error:
            found.close()
            found = _copied(path)
            number, version = found._checked_numbers()
            if write:
                raise RunDamaged(f"{path}: damaged: it cannot be opened for writing") from None
        if number != APPLICATION:
            raise RunDamaged(f"{path}: not the file of a run")
        if version != FORMAT:
            raise UsageError(f"{path}: version {version} of the format, this batt reads version {FORMAT}")
        if write:
            with found._writing():
                found._prepare()
        return found

    def _numbers(self) -> tuple[int, int]:
        number = self._db.execute("PRAGMA application_id").fetchone()[0]
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        return int(number), int(version)

    def _checked_numbers(self) -> tuple[int, int]:
        try:
            return self._numbers()
        except sqlite3.Error as error:
            raise RunDamaged(f"{self.path}: damaged, and nothing in it can be read: {error}") from None

    def _prepare(self) -> None:
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute(f"PRAGMA wal_autocheckpoint = {LOG_PAGES}")

    def item(self, name: str) -> bytes:
        """Return an item; raise RunDamaged if it is not sound."""
        try:
            row = self._db.execute("SELECT data, sum FROM items WHERE name = ?", (name,)).fetchone()
        except sqlite3.Error as error:
            raise RunDamaged(f"{self.path}: damaged: its {name} cannot be read: {error}") from None
        if row is None or not isinstance(row[0], bytes) or zlib.crc32(row[0]) != row[1]:
            raise RunDamaged(f"{self.path}: damaged: its {name} is not as it was written")
        return row[0]

    def item_names(self) -> list[str]:
        """Return the names of all items."""
        try:
            return [name for (name,) in self._db.execute("SELECT name FROM items ORDER BY name")]
        except sqlite3.Error as error:
            raise RunDamaged(f"{self.path}: damaged: {error}") from None

    def damaged_items(self) -> list[str]:
        """Return the names of the items that are not sound."""
        found: list[str] = []
        for name in self.item_names():
            try:
                self.item(name)
            except RunDamaged:
                found.append(name)
        return found

    def sessions(self) -> list[dict[str, Any]]:
        """Return the sessions, the first one first; those that can be read."""
        found: list[dict[str, Any]] = []
        with suppress(sqlite3.Error):
            for (text,) in self._db.execute("SELECT data FROM sessions ORDER BY id"):
                with suppress(ValueError, TypeError):
                    found.append(dict(json.loads(text)))
        return found

    def block_ids(self) -> tuple[list[int], bool]:
        """Return the ids of the blocks, and whether those are certainly all."""
        found: list[int] = []
        try:
            for (number,) in self._db.execute("SELECT id FROM blocks ORDER BY id"):
                found.append(number)
            return found, True
        except sqlite3.Error:
            return found, False

    def done(self) -> int:
        """Count the stored evaluations, as the blocks tell without being read."""
        try:
            row = self._db.execute("SELECT total(count) FROM blocks").fetchone()
        except sqlite3.Error as error:
            raise RunDamaged(f"{self.path}: damaged: {error}") from None
        return int(row[0])

    def metas(self, after: int) -> Iterator[tuple[int, Meta]]:
        """Yield the ids of the blocks beyond `after`, and what each says about itself; those that can be read."""
        with suppress(sqlite3.Error):
            for number, meta in self._db.execute("SELECT id, meta FROM blocks WHERE id > ? ORDER BY id", (after,)):
                with suppress(ValueError, TypeError):
                    yield number, Meta(**json.loads(meta))

    def block(self, number: int) -> StoredBlock:
        """Return a block; raise Damaged if it is not sound."""
        try:
            row = self._db.execute(
                "SELECT is_timed_out, meta, body, outputs, sum FROM blocks WHERE id = ?", (number,)
            ).fetchone()
            is_timed_out, meta, body, outputs, crc = row
            found = StoredBlock(Meta(**json.loads(meta)), body, outputs, bool(is_timed_out))
            if found.sum != crc:
                raise Damaged("another sum than the row says")
        except (sqlite3.Error, ValueError, TypeError) as error:
            raise Damaged(str(error)) from None
        return found

    def is_sound(self) -> bool:
        """Tell whether the database as such is sound; blocks have sums of their own."""
        if not self.is_whole:
            return False
        try:
            return bool(self._db.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")
        except sqlite3.Error:
            return False

    def begin_session(self, data: Mapping[str, Any]) -> int:
        """Add a session, and remove the blocks of evaluations that timed out: they are run again. Return its id."""
        with self._writing():
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute("DELETE FROM blocks WHERE is_timed_out")
            row = self._db.execute("INSERT INTO sessions (data) VALUES (?)", (json.dumps(data),))
            self._db.execute("COMMIT")
            return int(row.lastrowid or 0)

    def add(self, blocks: Sequence[StoredBlock], session: int, data: Mapping[str, Any]) -> None:
        """Add blocks, and replace the data of a session, in one transaction."""
        with self._writing():
            self._db.execute("BEGIN IMMEDIATE")
            for each in blocks:
                meta = json.dumps(asdict(each.meta))
                row = each.meta.count, each.is_timed_out, meta, each.body, each.outputs, each.sum
                self._db.execute("INSERT INTO blocks VALUES (NULL, ?, ?, ?, ?, ?, ?)", row)
            self._db.execute("UPDATE sessions SET data = ? WHERE id = ?", (json.dumps(data), session))
            self._db.execute("COMMIT")

    def replace_sessions(self, sessions: Sequence[Mapping[str, Any]]) -> None:
        """Replace all sessions."""
        with self._writing():
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute("DELETE FROM sessions")
            self._db.executemany("INSERT INTO sessions (data) VALUES (?)", [(json.dumps(each),) for each in sessions])
            self._db.execute("COMMIT")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Undo what an error interrupts, and raise NotStored instead."""
        try:
            yield
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            raise NotStored(f"{self.path}: cannot be written: {_reason(error)}") from None

    def close(self, whole: bool = False) -> None:
        """Close the file. With `whole`, what is in its log moves into it first, if there is room."""
        with suppress(sqlite3.Error):
            if whole:
                # A plain file can also be read from a folder that cannot be written to.
                self._db.execute("PRAGMA journal_mode = DELETE")
        self._db.close()


def remove(path: Path) -> None:
    """Remove the file of a run and what SQLite keeps beside it."""
    for suffix in SUFFIXES:
        Path(f"{path}{suffix}").unlink(missing_ok=True)


def _connect(path: Path, uri: str) -> sqlite3.Connection:
    try:
        # The thread that stores is not the one that opens; they take turns.
        return sqlite3.connect(uri, BUSY_S, uri=True, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as error:
        raise NotStored(f"{path}: cannot be opened: {_reason(error)}") from None


def _copied(path: Path) -> RunFile:
    """Open a copy: of a file with a log in a folder that SQLite cannot write to, or of one that was cut off."""
    folder = tempfile.TemporaryDirectory()
    copy = Path(folder.name, path.name)
    for suffix in ("", "-wal"):
        with suppress(FileNotFoundError):
            shutil.copyfile(f"{path}{suffix}", f"{copy}{suffix}")
    is_whole = _fill_up(copy)
    found = RunFile(path, _connect(path, f"file:{_uri(copy)}?mode=rw"), is_whole=is_whole)
    weakref.finalize(found, folder.cleanup)
    return found


def _fill_up(path: Path) -> bool:
    """Fill a file up to the size that its head gives, or SQLite reads nothing of it. Return whether it had it."""
    with path.open("r+b") as file:
        head = file.read(HEAD_BYTES)
        page = int.from_bytes(head[16:18], "big")
        wanted = (1 << 16 if page == 1 else page) * int.from_bytes(head[28:32], "big")
        size = path.stat().st_size
        if size < wanted <= size * MOST_LOST:
            file.truncate(wanted)
        return size >= wanted


def _uri(path: Path) -> str:
    return quote(os.fsencode(path.absolute()))


def _reason(error: sqlite3.Error) -> str:
    """Say why SQLite could not write. It reports a limit of a file's size as an error of the disk."""
    return "the disk is full, or a file would be too large" if str(error) == "disk I/O error" else str(error)
