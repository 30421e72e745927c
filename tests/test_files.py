"""Files are written whole or not at all."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from batt.errors import UsageError
from batt.files import stream_apart, whole_file, write_bytes, write_text


def test_text_is_written_as_utf_8(tmp_path: Path):
    write_text(tmp_path / "a.txt", "é\n")
    assert (tmp_path / "a.txt").read_bytes() == b"\xc3\xa9\n"


def test_bytes_are_written_as_they_are(tmp_path: Path):
    write_bytes(tmp_path / "a.bin", b"\r\n\0\xff")
    assert (tmp_path / "a.bin").read_bytes() == b"\r\n\0\xff"


def test_a_file_is_replaced_only_when_all_of_it_is_written(tmp_path: Path):
    path = tmp_path / "a.txt"
    write_text(path, "old")
    with whole_file(path) as file:
        file.write("new")
        file.flush()
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_durable_file_is_on_the_disk_before_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "a.txt"
    synced: list[tuple[int, bool]] = []
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append((os.fstat(handle).st_size, path.exists())))
    write_text(path, "new")
    assert synced == []
    path.unlink()
    write_text(path, "new", is_durable=True)
    assert synced == [(3, False)]
    assert path.read_text() == "new"


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_error_while_writing_leaves_the_old_file_and_nothing_else(tmp_path: Path, error: type[BaseException]):
    path = tmp_path / "a.txt"
    write_text(path, "old")

    def fail() -> None:
        with whole_file(path) as file:
            file.write("half")
            raise error

    with pytest.raises(error):
        fail()
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_text_that_cannot_be_encoded_leaves_nothing(tmp_path: Path):
    with pytest.raises(UnicodeEncodeError):
        write_text(tmp_path / "a.txt", "\ud800")
    assert os.listdir(tmp_path) == []


def test_a_written_file_is_as_readable_as_any_other(tmp_path: Path):
    (tmp_path / "plain").touch()
    write_text(tmp_path / "ours", "")
    assert stat.S_IMODE((tmp_path / "ours").stat().st_mode) == stat.S_IMODE((tmp_path / "plain").stat().st_mode)


def test_a_missing_folder_is_a_usage_error(tmp_path: Path):
    path = tmp_path / "no" / "a.txt"
    with pytest.raises(UsageError) as caught:
        write_text(path, "")
    assert str(caught.value) == f"{path}: cannot be written: No such file or directory"


def test_a_folder_in_the_way_is_a_usage_error_and_leaves_nothing(tmp_path: Path):
    (tmp_path / "a").mkdir()
    with pytest.raises(UsageError) as caught:
        write_text(tmp_path / "a", "")
    assert str(caught.value) == f"{tmp_path / 'a'}: cannot be written: Is a directory"
    assert os.listdir(tmp_path) == ["a"]


def test_a_link_stays_a_link(tmp_path: Path):
    write_text(tmp_path / "file", "old")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    write_text(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text() == "new"


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_text(path, "text")
        assert os.read(reader, 100) == b"text"
    finally:
        os.close(reader)
    assert path.is_fifo()
    assert os.listdir(tmp_path) == ["pipe"]


def test_the_null_device_stays_a_device():
    write_text(Path(os.devnull), "text")
    assert Path(os.devnull).is_char_device()


LEFT = "import os, sys; from pathlib import Path; from batt.files import whole_file\n"
LEFT += "with whole_file(Path(sys.argv[1])) as file: file.write('half'); file.flush(); os.kill(os.getpid(), 9)"


def test_what_a_killed_process_left_is_gone_after_the_next_write(tmp_path: Path):
    path = tmp_path / "a.txt"
    for _ in range(2):
        killed = subprocess.run([sys.executable, "-c", LEFT, str(path)], check=False, timeout=60)
        assert killed.returncode == -9
        assert os.listdir(tmp_path) == [".a.txt.part"]
    write_text(path, "whole")
    assert os.listdir(tmp_path) == ["a.txt"]
    assert path.read_text() == "whole"


def test_two_that_write_one_file_at_a_time_do_not_mix(tmp_path: Path):
    path = tmp_path / "a.txt"
    with whole_file(path) as first:
        first.write("first ")
        with whole_file(path) as second:
            second.write("second")
        assert path.read_text() == "second"
        first.write("and whole")
    assert path.read_text() == "first and whole"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_temporary_file_that_is_a_link_is_not_followed(tmp_path: Path):
    (tmp_path / "victim").write_text("old")
    (tmp_path / ".a.txt.part").symlink_to("victim")
    write_text(tmp_path / "a.txt", "new")
    assert (tmp_path / "victim").read_text() == "old"
    assert (tmp_path / "a.txt").read_text() == "new"
    assert not (tmp_path / "a.txt").is_symlink()


@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
def test_a_dash_is_standard_output(name: str, capsys: pytest.CaptureFixture[str], monkeypatch, tmp_path: Path):
    monkeypatch.chdir(tmp_path)
    write_text(Path(name), "text\n")
    assert capsys.readouterr() == ("text\n", "")
    with stream_apart():
        print("a message")
        write_text(Path(name), "text\n")
    assert capsys.readouterr() == ("text\n", "a message\n")
    print("afterwards")
    assert capsys.readouterr().out == "afterwards\n"
    assert os.listdir(tmp_path) == []
