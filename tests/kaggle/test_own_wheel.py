"""batt's own wheel: made from an installation or given, tagged as auditwheel says, with a list of its files."""

from __future__ import annotations

import base64
import csv
import io
import json
import re
import zipfile
from hashlib import sha256
from importlib import metadata
from pathlib import Path

import pytest

import small_wheels
from batt.errors import UsageError
from batt.kaggle import commands
from batt.kaggle.own_wheel import own_wheel
from native_library import needs_library

pytestmark = needs_library
INFO = "arc_batt-0.1.0.dist-info"


def contents(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def installed(folder: Path, files: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Lay out files as pip installs them, and have them found as the installed batt."""
    site = folder / "lib" / "python3" / "site-packages"
    made = {
        **files,
        f"{INFO}/INSTALLER": b"pip\n",
        f"{INFO}/REQUESTED": b"",
        "batt/__pycache__/__init__.cpython-311.pyc": b"compiled",
        "../../../bin/batt": b"#!python",
    }
    for name, data in made.items():
        path = site / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    (site / INFO / "RECORD").write_text("".join([f"{name},,\n" for name in [*made, f"{INFO}/RECORD"]]))
    found = metadata.PathDistribution(site / INFO)
    monkeypatch.setattr(metadata, "distribution", lambda name: found)
    return site


def test_the_tag_is_what_auditwheel_finds(wheel: Path, tmp_path: Path):
    made = own_wheel(tmp_path, wheel)
    found = re.fullmatch(r"arc_batt-0\.1\.0-py3-none-manylinux_(\d+)_(\d+)_x86_64\.whl", made.path.name)
    assert found is not None
    assert made.glibc == f"{found[1]}.{found[2]}"
    about = contents(made.path)[f"{INFO}/WHEEL"].decode()
    assert re.findall(r"^Tag: (.+)$", about, re.M) == [f"py3-none-manylinux_{found[1]}_{found[2]}_x86_64"]


def test_an_installation_becomes_the_wheel_that_it_came_from(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    installed(tmp_path / "environment", small_wheels.batt_files(), monkeypatch)
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    assert own_wheel(tmp_path / "one").path.read_bytes() == own_wheel(tmp_path / "two", wheel).path.read_bytes()


def test_the_list_of_files_has_every_file_with_its_hash(wheel: Path, tmp_path: Path):
    files = contents(own_wheel(tmp_path, wheel).path)
    rows = {name: (digest, size) for name, digest, size in csv.reader(io.StringIO(files[f"{INFO}/RECORD"].decode()))}
    assert rows.pop(f"{INFO}/RECORD") == ("", "")
    assert rows.keys() == files.keys() - {f"{INFO}/RECORD"}
    for name, (digest, size) in rows.items():
        expected = base64.urlsafe_b64encode(sha256(files[name]).digest()).rstrip(b"=").decode()
        assert (digest, size) == (f"sha256={expected}", str(len(files[name])))


def test_an_editable_install_is_built_from_its_checkout(wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    site = installed(tmp_path / "environment", small_wheels.batt_files(), monkeypatch)
    origin = {"dir_info": {"editable": True}, "url": "file:///a%20checkout"}
    (site / INFO / "direct_url.json").write_text(json.dumps(origin))
    asked = []

    def run(module: str, *words: str | Path, **changes: str) -> str:
        if module != "pip":
            return commands.run_module(module, *words)
        asked.append((words[0], words[-1], changes))
        folder = Path(words[words.index("--wheel-dir") + 1])
        (folder / wheel.name).write_bytes(wheel.read_bytes())
        return ""

    monkeypatch.setattr("batt.kaggle.own_wheel.run_module", run)
    assert own_wheel(tmp_path).path.is_file()
    assert asked == [("wheel", "/a checkout", {"BATT_PURE": "0"})]


def test_an_incomplete_installation_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    site = installed(tmp_path, small_wheels.batt_files(), monkeypatch)
    (site / "batt" / "__init__.py").unlink()
    with pytest.raises(UsageError, match=r"__init__\.py: cannot be read .*pip install"):
        own_wheel(tmp_path)


def test_plain_python_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    files = {name: data for name, data in small_wheels.batt_files().items() if not name.endswith(".so")}
    installed(tmp_path, files, monkeypatch)
    with pytest.raises(UsageError, match=r"the installed batt has no native library.*pip install"):
        own_wheel(tmp_path)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("numpy-2.0-py3-none-any.whl", "is not a wheel of batt"),
        ("arc_batt-0.1.0-py3-none-any.whl", "cannot be read as a wheel: File is not a zip file"),
    ],
)
def test_a_file_that_is_no_wheel_of_batt_is_refused(tmp_path: Path, name: str, message: str):
    path = tmp_path / name
    path.write_text("something else")
    with pytest.raises(UsageError, match=message):
        own_wheel(tmp_path, path)


def test_a_wheel_that_is_not_there_is_refused(tmp_path: Path):
    with pytest.raises(UsageError, match="No such file"):
        own_wheel(tmp_path, tmp_path / "arc_batt-0.1.0-py3-none-any.whl")


def test_without_an_installation_a_wheel_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def none(name: str) -> metadata.Distribution:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "distribution", none)
    with pytest.raises(UsageError, match="batt is not installed as arc-batt; name its wheel: --wheel FILE"):
        own_wheel(tmp_path)


def test_a_wheel_for_other_systems_is_refused(wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    told = 'is consistent with the\nfollowing platform tag: "linux_aarch64".\n'
    monkeypatch.setattr("batt.kaggle.own_wheel.run_module", lambda *words: told)
    with pytest.raises(UsageError, match="tags batt's wheel as linux_aarch64; Kaggle needs manylinux on x86-64"):
        own_wheel(tmp_path, wheel)
