"""The folder of compiled code: where it is, and that nothing is read that another user may have written."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from batt import private
from batt.private import Unsafe, check_private, make_private, read_private, write_private

ANOTHER = 12345
needs_owners = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owners and modes here")
needs_root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")


@pytest.mark.parametrize(
    ("system", "variables", "place"),
    [
        ("linux", {}, ".cache/batt"),
        ("linux", {"XDG_CACHE_HOME": "/x/y"}, "/x/y/batt"),
        ("darwin", {"XDG_CACHE_HOME": "/x/y"}, "Library/Caches/batt"),
        ("win32", {}, "AppData/Local/batt/Cache"),
        ("win32", {"LOCALAPPDATA": "/l"}, "/l/batt/Cache"),
        ("win32", {"BATT_CACHE_DIR": "/own"}, "/own"),
    ],
)
def test_the_folder_is_where_such_files_belong(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, system: str, variables: dict[str, str], place: str
):
    for name in ("XDG_CACHE_HOME", "BATT_CACHE_DIR", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setattr(sys, "platform", system)
    assert private.cache_folder() == tmp_path / place


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A file of the cache, as batt writes it."""
    path = tmp_path / "far" / "cache" / "kept"
    make_private(path.parent)
    write_private(path, b"code")
    return path


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@needs_owners
def test_what_is_kept_is_for_this_user_alone(kept: Path):
    assert (mode(kept), mode(kept.parent)) == (0o600, 0o700)
    assert read_private(kept) == b"code"
    assert list(kept.parent.iterdir()) == [kept]


@needs_owners
@pytest.mark.parametrize("at", ["file", "folder"])
@pytest.mark.parametrize("bits", [0o020, 0o002])
def test_what_others_can_write_to_is_not_read(kept: Path, at: str, bits: int):
    path = kept if at == "file" else kept.parent
    path.chmod(mode(path) | bits)
    with pytest.raises(Unsafe) as error:
        read_private(kept)
    assert str(error.value) == (
        f"other users can write to {path} (mode {mode(path):04o}) and could put any code there; "
        "delete it, or set BATT_CACHE_DIR to a folder that only you can write to"
    )
    with pytest.raises(Unsafe):
        check_private(path)


@needs_root
@pytest.mark.parametrize("at", ["file", "folder"])
def test_what_another_user_owns_is_not_read(kept: Path, at: str):
    path = kept if at == "file" else kept.parent
    os.chown(path, ANOTHER, ANOTHER)
    with pytest.raises(Unsafe, match=rf"{path} belongs to another user \(uid {ANOTHER}\), .* set BATT_CACHE_DIR"):
        read_private(kept)


@needs_owners
def test_a_folder_that_others_can_write_to_is_refused_and_left_as_it_is(tmp_path: Path):
    tmp_path.chmod(0o777)
    with pytest.raises(Unsafe, match="other users can write to"):
        make_private(tmp_path)
    assert mode(tmp_path) == 0o777


@needs_owners
def test_a_link_in_place_of_a_file_is_not_followed(kept: Path, tmp_path: Path):
    other = tmp_path / "other"
    other.write_bytes(b"planted")
    kept.unlink()
    kept.symlink_to(other)
    with pytest.raises(OSError, match="symbolic link"):
        read_private(kept)


@needs_owners
def test_a_pipe_in_place_of_a_file_is_not_waited_for(kept: Path):
    kept.unlink()
    os.mkfifo(kept, 0o600)
    assert read_private(kept) == b""


@needs_owners
def test_a_folder_may_be_a_link_to_a_private_one(kept: Path, tmp_path: Path):
    link = tmp_path / "link"
    link.symlink_to(kept.parent)
    assert read_private(link / "kept") == b"code"


def test_a_file_that_cannot_be_put_in_its_place_leaves_nothing_behind(kept: Path):
    (kept.parent / "taken").mkdir()
    with pytest.raises(OSError, match="directory"):
        write_private(kept.parent / "taken", b"code")
    assert sorted(each.name for each in kept.parent.iterdir()) == ["kept", "taken"]
