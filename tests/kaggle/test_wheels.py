"""Wheels for each version of Python, with hashes."""

from __future__ import annotations

import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

import small_wheels
from batt.errors import UsageError
from batt.kaggle.own_wheel import own_wheel
from batt.kaggle.wheels import download, glibc_of, platforms, read_pythons, requirements
from native_library import needs_library


def test_versions_are_read_once_each_in_their_order():
    assert read_pythons("3.12, 3.11,3.12") == ("3.12", "3.11")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "--python names no version"),
        ("3.11,new", "--python new: not a version of Python; versions look like 3.12"),
        ("3.12.1", "3.12.1: not a version"),
        ("3.9", r"3.9: batt needs Python 3\.10 or newer"),
    ],
)
def test_what_is_no_version_is_refused(text: str, message: str):
    with pytest.raises(UsageError, match=message):
        read_pythons(text)


def test_wheels_for_older_systems_may_be_packed_and_newer_ones_only_where_batt_needs_them():
    assert platforms("2.17")[0] == "manylinux_2_28_x86_64"
    assert platforms("2.34")[:2] == ["manylinux_2_34_x86_64", "manylinux_2_28_x86_64"]
    assert "manylinux2014_x86_64" in platforms("2.17")


@pytest.mark.parametrize(
    ("name", "glibc"),
    [
        ("a-1-py3-none-any.whl", (2, 0)),
        ("a-1-cp311-cp311-manylinux_2_27_x86_64.manylinux_2_28_x86_64.whl", (2, 27)),
        ("a-1-py3-none-manylinux2014_x86_64.whl", (2, 17)),
        ("a-1-py3-none-manylinux2010_x86_64.manylinux_2_12_x86_64.whl", (2, 12)),
    ],
)
def test_the_tags_of_a_wheel_tell_its_glibc(name: str, glibc: tuple[int, int]):
    assert glibc_of(Path(name)) == glibc


@needs_library
def test_what_a_wheel_needs_is_downloaded_and_can_be_installed_by_its_hashes(wheel: Path, index: Path, tmp_path: Path):
    own = own_wheel(tmp_path, wheel)
    folder = tmp_path / "packed"
    download(own.path, "", "3.13", own.glibc, folder)
    assert sorted(path.name for path in folder.iterdir()) == [own.path.name, small_wheels.NEEDED]
    listed = requirements(list(folder.iterdir()))
    digest = sha256((folder / small_wheels.NEEDED).read_bytes()).hexdigest()
    assert listed.splitlines()[1] == f"tiny==1.5 --hash=sha256:{digest}"
    (tmp_path / "list.txt").write_text(listed)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--find-links", str(folder)]
    command = [*pip, "--require-hashes", "-r", str(tmp_path / "list.txt"), "--target", str(tmp_path / "site")]
    subprocess.run(command, check=True)
    assert (tmp_path / "site" / "tiny.py").is_file()
    assert (tmp_path / "site" / "batt" / "libbatt_native.so").is_file()


@needs_library
def test_what_is_not_to_be_had_is_named(wheel: Path, index: Path, tmp_path: Path):
    (index / small_wheels.NEEDED).unlink()
    own = own_wheel(tmp_path, wheel)
    with pytest.raises(UsageError, match=r"pip download failed: (?s:.*)tiny(?s:.*)needs network and a package index"):
        download(own.path, "", "3.12", own.glibc, tmp_path / "packed")
