"""Files that are not JSON, not readable or not files."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from batt.errors import DataError
from batt.tasks import files, load_tasks

SOUND = b'{"train": [{"input": [[1]], "output": [[2]]}], "test": []}'
HUGE_INT = b'{"x": ' + b"1" * 5000 + b"}"

FAULTS = [
    (b"", "line 1, column 1: not JSON: Expecting value"),
    (b'{"train": [],\n "test": [1 2]}', "line 2, column 13: not JSON: Expecting ',' delimiter"),
    (b"[]", "task x: no pairs"),
    (b"[[]]", "task x: pair 0: expected an object, got a list"),
    (b"null", "task x: expected an object or a list of pairs, got null"),
    (b'"\\ud800"', 'task x: expected an object or a list of pairs, got "\\ud800"'),
    (b'{\n"a\xff": 1}', "line 2: not UTF-8: byte 0xff"),
    (SOUND.decode().encode("utf-16"), "line 1: not UTF-8: byte 0xff"),
    (b"[" * 200_000, "nested too deeply"),
    (b'{"x":' * 200_000, "nested too deeply"),
    (HUGE_INT, "a number has too many digits"),
    (b"{}", "no tasks"),
    (b'{"a": {}, "a": {}}', "task a: appears twice"),
    (SOUND.replace(b"}]", b', "input": [[1]]}]'), 'task x: train pair 0: key "input" appears twice'),
    (SOUND.replace(b'"test": []', b'"test": [], "test": []'), 'task x: key "test" appears twice'),
]


@pytest.mark.parametrize(("data", "fault"), FAULTS, ids=[fault for _, fault in FAULTS])
def test_a_fault_of_a_file_is_told_with_its_place(tmp_path: Path, data: bytes, fault: str):
    path = tmp_path / "x.json"
    path.write_bytes(data)
    with pytest.raises(DataError) as caught:
        load_tasks(path)
    assert str(caught.value).splitlines()[0] == f"x.json: {fault}"


def test_a_byte_order_mark_is_no_fault(tmp_path: Path):
    (tmp_path / "x.json").write_bytes(b"\xef\xbb\xbf" + SOUND)
    assert load_tasks(tmp_path / "x.json").ids == ("x",)


def test_a_file_beyond_the_limit_is_not_read(tmp_path: Path):
    path = tmp_path / "x.json"
    with path.open("wb") as sparse:
        sparse.truncate(512 * 2**20 + 1)
    with pytest.raises(DataError) as caught:
        load_tasks(path)
    assert str(caught.value) == "x.json: 536,870,913 bytes are too large a file, the limit is 512 MiB"


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    (tmp_path / "x.json").write_bytes(SOUND)
    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(DataError, match=r"^x\.json: cannot be read: Permission denied$"):
        load_tasks(tmp_path / "x.json")


def test_a_folder_that_cannot_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    folder = tmp_path / "closed"
    folder.mkdir()
    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(DataError, match=r"^folder closed: cannot be read: Permission denied$"):
        load_tasks(folder)


def test_a_path_that_cannot_be_followed_is_told(tmp_path: Path):
    (tmp_path / "loop.json").symlink_to("loop.json")
    with pytest.raises(DataError, match=r"^loop\.json: cannot be read: "):
        load_tasks(tmp_path / "loop.json")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes on this system")
def test_a_pipe_is_not_waited_for(tmp_path: Path):
    os.mkfifo(tmp_path / "x.json")
    with pytest.raises(DataError, match=r"^x\.json: not a regular file$"):
        load_tasks(tmp_path / "x.json")


def test_digests_are_those_of_sha256sum():
    one, two = hashlib.sha256(b"1").hexdigest(), hashlib.sha256(b"2").hexdigest()
    both = hashlib.sha256(f"{one}  a.json\n{two}  b.json\n".encode()).hexdigest()
    assert files.digest({"a.json": b"1"}) == f"sha256:{one[:16]}"
    assert files.digest({"a.json": b"1", "b.json": b"2"}) == f"sha256:{both[:16]}"
