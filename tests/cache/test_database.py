"""The file of the cache: private, bounded, and cleaned up."""

from __future__ import annotations

import stat
from pathlib import Path

import numpy as np
import pytest

from batt.cache.columns import KeptColumn
from batt.cache.database import CacheFigures, Database, Unusable, cache_file
from batt.cache.keys import digest
from batt.runtime.records import RECORD_TYPE

SIZE = 4000
SAMPLES = [digest(str(number).encode()) for number in range(SIZE)]
CHUNK = digest(b"".join(SAMPLES))


def column(seed: int) -> KeptColumn:
    records = np.zeros(SIZE, RECORD_TYPE)
    records["hash"] = np.random.default_rng(seed).integers(0, 2**64, SIZE, np.uint64)
    return KeptColumn(np.arange(SIZE), records, np.full(SIZE, seed), None)


def program(number: int) -> bytes:
    return digest(b"program", str(number).encode())


def write(database: Database, number: int, version: bytes = b"v") -> None:
    database.write(version, [SAMPLES], [(program(number), CHUNK, column(number).packed())])


def known(database: Database, count: int) -> list[int]:
    return [number for number in range(count) if database.chunks_of(program(number))]


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return Database(tmp_path / "cache" / "results.db")


def test_what_is_written_is_read_by_another_process(database: Database):
    write(database, 1)
    other = Database(database.path)
    assert other.samples_of(CHUNK) == SAMPLES
    ((number, chunk),) = other.chunks_of(program(1))
    found = other.column(number, program(1), chunk, SIZE)
    assert found is not None
    assert (found.records == column(1).records).all()
    assert found.steps.tolist() == [1] * SIZE
    assert other.figures(b"v") == CacheFigures(other.figures(b"v").file_bytes, 1, SIZE, SIZE)


def test_only_this_user_can_use_the_file(database: Database):
    write(database, 1)
    for path in (database.path.parent, *database.path.parent.iterdir()):
        assert not path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)
    database.close()
    database.path.chmod(0o666)
    with pytest.raises(Unusable, match="other users can write to"):
        Database(database.path)


def test_a_row_moved_to_another_program_or_chunk_is_removed(database: Database):
    write(database, 1)
    database._db.execute("UPDATE columns SET program = ?", (program(2),))
    ((number, chunk),) = database.chunks_of(program(2))
    assert database.column(number, program(2), chunk, SIZE) is None
    database.close()
    assert not Database(database.path).chunks_of(program(2))


def test_the_least_recently_used_columns_go_first(tmp_path: Path):
    database = Database(tmp_path / "cache" / "results.db", most_bytes=900_000)
    for number in range(20):
        write(database, number)
        ((first, chunk),) = database.chunks_of(program(0))
        assert database.column(first, program(0), chunk, SIZE) is not None
    found = known(database, 20)
    assert found[0] == 0
    assert found[1:] == list(range(20 - len(found) + 1, 20))
    assert 5 < len(found) < 20
    database.close()
    assert database.path.stat().st_size <= 900_000


def test_what_is_larger_than_the_cache_is_not_written(tmp_path: Path):
    database = Database(tmp_path / "cache" / "results.db", most_bytes=1000)
    write(database, 1)
    assert database.figures(b"v").columns == 0


def test_pruning_removes_other_versions_and_what_is_too_much(database: Database):
    for number in range(10):
        write(database, number, b"old" if number < 4 else b"v")
    database.prune(b"v")
    assert known(database, 10) == [4, 5, 6, 7, 8, 9]
    database.prune(b"v", 350_000)
    left = known(database, 10)
    assert left == list(range(10 - len(left), 10))
    assert 0 < len(left) < 6
    database.clear()
    assert known(database, 10) == []
    assert database.samples_of(CHUNK) is None
    assert database.figures(b"v").file_bytes < 170_000


def test_without_a_home_folder_there_is_no_cache(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("batt.cache.database.cache_folder", lambda: None)
    with pytest.raises(Unusable, match="set BATT_CACHE_DIR"):
        cache_file()


def test_a_locked_file_is_unusable(database: Database, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("batt.cache.database.BUSY_S", 0.01)
    other = Database(database.path)
    database._db.execute("BEGIN IMMEDIATE")
    with pytest.raises(Unusable, match="locked"):
        write(other, 1)
    database._db.execute("ROLLBACK")
    write(other, 1)
