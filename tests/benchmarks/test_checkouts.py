"""Checkouts: a folder or a revision, always the source that was asked for."""

from __future__ import annotations

import argparse
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import checkouts
from checkouts import ROOT, CheckoutError, opened, source_folder, table

MakeCheckout = Callable[..., str]


def arguments(old: str, new: str, **options: object) -> argparse.Namespace:
    return argparse.Namespace(**{"old": old, "new": new, "python": None, "build": False} | options)


def test_a_checkout_runs_its_own_source_in_its_own_environment(checkout: MakeCheckout, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PYTHONPATH", "/where/packages/lie")
    monkeypatch.setenv("BATT_NATIVE_LIBRARY", "/another/library.so")
    one, two = checkout("one"), checkout("two")
    with opened(arguments(one, two)) as (old, new):
        assert (old.label, new.label) == ("old", "new")
        assert old.python == f"{one}/.venv/bin/python"
        assert old.environment["BATT_CACHE_DIR"] == f"{one}/build/compared/cache"
        assert new.environment["PYTHONPATH"] == f"{two}/src:/where/packages/lie"
        assert "BATT_NATIVE_LIBRARY" not in new.environment


def test_a_python_that_imports_batt_from_elsewhere_is_refused(tmp_path: Path, checkout: MakeCheckout):
    elsewhere = checkout("elsewhere", f'[ "$1" = -c ] && echo {tmp_path}/other/batt/__init__.py && exit')
    with pytest.raises(CheckoutError, match=r"old: .* imports batt from .*other/batt, not from .*src/batt; make"):
        opened(arguments(elsewhere, elsewhere)).__enter__()


def test_what_is_neither_a_folder_nor_a_revision_is_refused():
    with pytest.raises(CheckoutError, match="no-such-thing is neither a folder nor a git revision of"):
        source_folder("no-such-thing").__enter__()


def test_a_folder_without_batt_is_refused(tmp_path: Path):
    with pytest.raises(CheckoutError, match=r"old: .* is no checkout of batt: it has no folder src/batt"):
        opened(arguments(str(tmp_path), str(tmp_path))).__enter__()


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_a_revision_is_checked_out_and_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def git(*words: str) -> None:
        author = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", *author, *words], cwd=tmp_path, check=True, capture_output=True)

    (tmp_path / "file").write_text("first")
    for words in (["init"], ["add", "file"], ["commit", "-m", "One file"], ["tag", "first"]):
        git(*words)
    (tmp_path / "file").write_text("second")
    monkeypatch.setattr(checkouts, "ROOT", tmp_path)
    with source_folder("first") as folder:
        assert (folder / "file").read_text() == "first"
    assert not folder.exists()


def test_without_cmake_a_library_cannot_be_built(checkout: MakeCheckout, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(CheckoutError, match="old: CMake is not installed; install it, or give --no-build"):
        opened(arguments(checkout("one"), str(ROOT), build=True)).__enter__()


def test_columns_are_aligned():
    assert table([["a", "b", "c"], ["long", "x", "12"]]) == "a     b   c\nlong  x  12"
