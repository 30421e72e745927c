"""Packed files: what is read from one is what was packed, and a file that is not sound is an error with its reason."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import struct
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import pytest

from batt.errors import DataError, UsageError
from batt.tasks import Task, load_tasks, tasks_from_dict
from batt.tasks.packed import CELLS_AT, HEAD, open_packed
from batt.tasks.packing import pack_tasks
from batt.tasks.rows import Rows
from handmade import plain_tasks


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    """Two tasks, one of them with a test that has no output."""
    path = tmp_path / "small.batt-tasks"
    pack_tasks(tasks_from_dict(plain_tasks(answers=False)), path)
    return path


def test_what_is_read_is_what_was_packed(tmp_path: Path):
    tasks = load_tasks("arc1-training")
    path = tmp_path / "all.batt-tasks"
    pack_tasks(tasks, path)
    found = load_tasks(path)
    assert isinstance(found.tasks, Rows)
    assert (tuple(found), found.ids, repr(found)) == (tuple(tasks), tasks.ids, repr(tasks))
    assert found.source.startswith("packed all.batt-tasks sha256:")
    assert path.stat().st_size < 500_000


def test_an_output_that_is_not_known_stays_so(packed: Path):
    found = load_tasks(packed)
    assert tuple(found) == tuple(tasks_from_dict(plain_tasks(answers=False)))
    assert [pair.output for pair in found["trap"].test] == [((9, 8),), None]


def test_a_part_of_a_set_is_made_no_earlier_than_the_whole(packed: Path):
    found = load_tasks(packed)
    parts = [found[1:], found.select(["trap"]), found.select(None, 2)[::-1][:1], found.select(["trap", "mirror"], 1)]
    for part in parts:
        assert isinstance(part.tasks, Rows)
        assert part.ids == ("trap",)
        assert part[0] == part["trap"] == found[1] == found[-1]
        assert found[1] in part
        assert found[0] not in part
        assert part.tasks.pair_counts.tolist() == [[2, 2]]
        assert part.tasks.cells.tolist() == [4 + 6 + 4 + 2]
    assert isinstance(found.tasks, Rows)
    assert tuple(found.tasks[:1]) == (found[0],)
    assert repr(found.tasks) == "<Rows small.batt-tasks | 2 tasks>"
    with pytest.raises(IndexError):
        found[2]
    with pytest.raises(UsageError, match="unknown task 'trop'; did you mean trap"):
        found["trop"]


def test_a_file_is_known_by_its_beginning_too(packed: Path):
    other = packed.with_name("tasks.json")
    packed.rename(other)
    assert load_tasks(other).ids == ("mirror", "trap")


def test_a_file_that_is_shortened_after_it_was_opened_is_an_error_at_the_task(packed: Path):
    found = load_tasks(packed)
    os.truncate(packed, CELLS_AT + 8)
    with pytest.raises(DataError, match=r"^small\.batt-tasks: task trap: cut off: the file was shortened while"):
        found["trap"]
    os.truncate(packed, 0)
    with pytest.raises(DataError, match="task mirror: cut off"):
        found["mirror"]


def test_a_file_is_closed_when_its_tasks_are_gone(packed: Path):
    def open_files() -> list[str]:
        return [os.path.realpath(f"/proc/self/fd/{name}") for name in os.listdir("/proc/self/fd")]

    found = load_tasks(packed)
    assert str(packed) in open_files()
    del found
    gc.collect()
    assert str(packed) not in open_files()


@pytest.mark.parametrize("copied", [copy.deepcopy, pickle.dumps])
def test_tasks_of_a_file_are_not_copied(packed: Path, copied: Callable[[Any], Any]):
    with pytest.raises(TypeError, match=r"^small\.batt-tasks: tasks of a packed file cannot be copied or pickled"):
        copied(load_tasks(packed))


def refused(path: Path) -> str:
    """The message with which a file, or one of its tasks, is refused."""
    with pytest.raises(DataError) as error:
        tuple(open_packed(path))
    return str(error.value)


@pytest.mark.parametrize("size", [0, 1, 7, 8, CELLS_AT - 1, CELLS_AT, CELLS_AT + 20, -9, -1])
def test_a_file_that_is_cut_off_is_refused(packed: Path, size: int):
    data = packed.read_bytes()
    packed.write_bytes(data[:size])
    assert refused(packed).startswith("small.batt-tasks: ")


def test_a_file_that_is_too_long_is_refused(packed: Path):
    packed.write_bytes(packed.read_bytes() + b"\0")
    assert "damaged or cut off" in refused(packed)


def test_every_changed_byte_is_found(packed: Path):
    data = packed.read_bytes()
    messages = set()
    for at in range(len(data)):
        changed = bytearray(data)
        changed[at] ^= 0x41
        packed.write_bytes(changed)
        messages.add(refused(packed))
    assert any("task mirror: damaged: its cells have another sum" in each for each in messages)
    assert any("its head has another sum than it says" in each for each in messages)
    assert any("its index has another sum than its head says" in each for each in messages)


def test_a_foreign_file_is_refused(tmp_path: Path):
    path = tmp_path / "x.batt-tasks"
    path.write_text("{}" * 100)
    assert "not a packed file of tasks (batt tasks pack makes one)" in refused(path)
    with pytest.raises(DataError, match="not a packed file"):
        load_tasks(path)
    path.unlink()
    path.mkdir()
    assert "not a regular file" in refused(path)
    assert "cannot be read" in refused(tmp_path / "nowhere.batt-tasks")


def test_a_later_version_is_refused(packed: Path):
    data = packed.read_bytes()
    head = data[:8] + struct.pack("<I", 2) + data[12 : HEAD.size]
    packed.write_bytes(head + sha256(head).digest() + data[CELLS_AT:])
    assert "version 2 of the format, this batt reads version 1; pack the tasks again" in refused(packed)


def lie(path: Path, change: Callable[[bytearray], None], **counts: int) -> None:
    """Change the body or the head of a file, and make all its sums right again."""
    data = bytearray(path.read_bytes())
    change(data)
    fields = dict(zip(["magic", "version", "zero", "tasks", "pairs", "id_bytes", "cell_bytes", "sum"],
                      HEAD.unpack(bytes(data[: HEAD.size])), strict=True)) | counts  # fmt: skip
    index_at = CELLS_AT + fields["cell_bytes"]
    head = HEAD.pack(*{**fields, "sum": sha256(data[index_at:]).digest()}.values())
    path.write_bytes(head + sha256(head).digest() + data[CELLS_AT:])


INDEX = CELLS_AT + 32
STARTS, ENDS, SUMS, TRAIN, TEST, SHAPES = (INDEX + at for at in (0, 16, 32, 40, 48, 56))
IDS = SHAPES + 7 * 4


def set_at(at: int, data: bytes) -> Callable[[bytearray], None]:
    def change(found: bytearray) -> None:
        found[at : at + len(data)] = data

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (set_at(STARTS, struct.pack("<Q", 2**63)), "a task's cells lie outside the file"),
        (set_at(STARTS, struct.pack("<Q", 25)), "a task's cells lie outside the file"),
        (set_at(ENDS, struct.pack("<Q", 99)), "the ids do not lie one after the other"),
        (set_at(ENDS, struct.pack("<Q", 0)), "an id has 1 to 255 printable characters"),
        (set_at(TRAIN, struct.pack("<I", 0)), "the numbers of pairs do not add up"),
        (set_at(TRAIN, struct.pack("<I", 3)), "the numbers of pairs do not add up"),
        (set_at(SHAPES, b"\0\0"), "a grid has 1 to 30 rows and columns"),
        (set_at(SHAPES, b"\1\0"), "a grid has 1 to 30 rows and columns"),
        (set_at(SHAPES + 2, b"\0\0"), "a grid has 1 to 30 rows and columns"),
        (set_at(SHAPES, b"\x1f\1"), "a grid has 1 to 30 rows and columns"),
        (set_at(SHAPES, b"\1\1"), "damaged: its cells have another sum than the index says"),
        (set_at(IDS, b"\xff"), "an id is not UTF-8"),
        (set_at(IDS, b"\n"), "an id has 1 to 255 printable characters"),
        (set_at(IDS, b"z"), "the ids do not ascend"),
        (set_at(CELLS_AT, b"\x0a"), "damaged: its cells"),
    ],
)
def test_a_file_that_lies_with_the_right_sums_is_refused(
    packed: Path, change: Callable[[bytearray], None], message: str
):
    lie(packed, change)
    assert message in refused(packed)


def test_cells_beyond_the_colours_are_refused(packed: Path):
    def change(data: bytearray) -> None:
        data[CELLS_AT] = 10
        cells = bytes(data[CELLS_AT : CELLS_AT + 12])
        data[SUMS : SUMS + 4] = struct.pack("<I", crc32(cells))

    lie(packed, change)
    assert "task mirror: a cell of 10, at most 9" in refused(packed)


@pytest.mark.parametrize("counts", [{"tasks": 2**63}, {"pairs": 2**40}, {"id_bytes": 2**64 - 1}, {"tasks": 3}])
def test_counts_that_do_not_fit_the_file_are_refused(packed: Path, counts: dict[str, int]):
    lie(packed, lambda data: None, **counts)
    assert "damaged or cut off" in refused(packed)


def test_a_file_of_no_tasks_is_refused(tmp_path: Path):
    head = HEAD.pack(b"batttsk\0", 1, 0, 0, 0, 0, 0, sha256(b"").digest())
    (tmp_path / "x").write_bytes(head + sha256(head).digest())
    assert "no tasks" in refused(tmp_path / "x")


def test_random_lies_are_refused_or_make_tasks(packed: Path):
    rng = Random(7)
    whole = packed.read_bytes()
    for _ in range(300):
        packed.write_bytes(whole)
        places = [rng.randrange(INDEX, len(whole)) for _ in range(rng.randint(1, 3))]

        def change(data: bytearray, places: list[int] = places) -> None:
            for at in places:
                data[at] = rng.choice((0, 1, 2, 255, rng.randrange(256)))

        lie(packed, change)
        try:
            found = tuple(open_packed(packed))
        except DataError:
            continue
        assert all(isinstance(task, Task) and task.train for task in found)
