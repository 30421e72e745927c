"""A pack is complete, or it is not there."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

import small_wheels
from batt.errors import UsageError
from batt.front import load_deck
from batt.kaggle.packing import PackRequest, make_pack
from native_library import needs_library

pytestmark = needs_library


def test_a_pack_holds_what_a_notebook_needs(wheel: Path, index: Path, tmp_path: Path):
    target = tmp_path / "pack"
    target.mkdir()
    told: list[str] = []
    source = tmp_path / "mine.py"
    source.write_text("def solve_x(I):\n    O = vmirror(I)\n    return O\n")
    made = make_pack(target, PackRequest(("3.12", "3.13"), "none", load_deck(source), wheel, "me"), told.append)
    dataset = target / "dataset"
    assert sorted(path.relative_to(target).as_posix() for path in target.rglob("*") if path.is_file()) == sorted(
        [
            "README.md",
            "notebook/batt.ipynb",
            "notebook/kernel-metadata.json",
            "dataset/dataset-metadata.json",
            "dataset/batt-pack.json",
            "dataset/deck.jsonl",
            "dataset/requirements-3.12.txt",
            "dataset/requirements-3.13.txt",
            f"dataset/{made.wheel}",
            f"dataset/{small_wheels.NEEDED}",
        ]
    )
    assert load_deck(dataset / "deck.jsonl").names == ("solve_x",)
    assert (made.wheels, made.kernels, made.solvers) == ({"3.12": 2, "3.13": 2}, (), 1)
    assert made.all_glibc == made.glibc
    hashes = json.loads((dataset / "batt-pack.json").read_text())["sha256"]
    assert hashes == {
        path.name: sha256(path.read_bytes()).hexdigest() for path in dataset.iterdir() if path.name != "batt-pack.json"
    }
    assert told[1:] == ["downloading wheels for Python 3.12", "downloading wheels for Python 3.13"]
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_list_for_gpus_may_have_another_version_of_a_package(wheel: Path, index: Path, tmp_path: Path):
    small_wheels.needed_wheel(index, "2.0")
    made = make_pack(tmp_path / "pack", PackRequest(("3.12",), "12", wheel=wheel))
    lists = {path.name: path.read_text() for path in (tmp_path / "pack" / "dataset").glob("*.txt")}
    assert set(lists) == {"requirements-3.12.txt", "requirements-3.12-cuda.txt"}
    for name, version in (("requirements-3.12.txt", "2.0"), ("requirements-3.12-cuda.txt", "1.5")):
        assert [line.split()[0] for line in lists[name].splitlines()] == ["arc-batt==0.1.0", f"tiny=={version}"]
        assert (tmp_path / "pack" / "dataset" / f"tiny-{version}-py3-none-any.whl").is_file()
    # There is no compiler among these wheels.
    assert (made.compiler, made.kernels) == ("", ())


def test_a_pack_that_fails_leaves_nothing_behind(wheel: Path, index: Path, tmp_path: Path):
    (index / small_wheels.NEEDED).unlink()
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(UsageError, match="pip download failed"):
        make_pack(tmp_path / "pack", PackRequest(("3.12",), "none", wheel=wheel))
    assert sorted(tmp_path.rglob("*")) == before


def test_a_folder_with_files_is_refused_before_any_work(tmp_path: Path):
    (tmp_path / "mine").write_text("precious")
    told: list[str] = []
    with pytest.raises(UsageError, match="is not empty; name a new folder"):
        make_pack(tmp_path, PackRequest(("3.12",)), told.append)
    assert told == []
    with pytest.raises(UsageError, match="mine: is not a folder"):
        make_pack(tmp_path / "mine", PackRequest(("3.12",)), told.append)
    with pytest.raises(UsageError, match="nowhere is not a folder"):
        make_pack(tmp_path / "nowhere" / "pack", PackRequest(("3.12",)), told.append)
