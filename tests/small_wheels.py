"""Small wheels made by hand: one of batt, with the real native library and one requirement, and that requirement."""

from __future__ import annotations

import zipfile
from pathlib import Path

from batt.runtime.native import library

NEEDED = "tiny-1.5-py3-none-any.whl"


def batt_files() -> dict[str, bytes]:
    """The files of a wheel of batt, as far as packing looks at them."""
    info = "arc_batt-0.1.0.dist-info"
    return {
        "batt/__init__.py": b"",
        "batt/libbatt_native.so": library().path.read_bytes(),
        f"{info}/METADATA": b"Metadata-Version: 2.1\nName: arc-batt\nVersion: 0.1.0\nRequires-Dist: tiny>=1\n"
        b"Provides-Extra: cuda12\nRequires-Dist: tiny<2 ; extra == 'cuda12'\n",
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: py3-none-linux_x86_64\n",
    }


def write_zip(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as opened:
        for name, data in files.items():
            opened.writestr(name, data)
    return path


def batt_wheel(folder: Path) -> Path:
    info = "arc_batt-0.1.0.dist-info"
    files = batt_files() | {f"{info}/RECORD": b"batt/__init__.py,,\n"}
    return write_zip(folder / "arc_batt-0.1.0-py3-none-linux_x86_64.whl", files)


def needed_wheel(folder: Path, version: str) -> Path:
    """Write a version of the requirement to a folder."""
    info = f"tiny-{version}.dist-info"
    files = {
        "tiny.py": b"",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: tiny\nVersion: {version}\n".encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": b"tiny.py,,\n",
    }
    return write_zip(folder / f"tiny-{version}-py3-none-any.whl", files)


def index(folder: Path) -> dict[str, str]:
    """Write the requirement to a folder; the environment in which pip looks there and nowhere else."""
    needed_wheel(folder, "1.5")
    return {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(folder), "PIP_CONFIG_FILE": "/dev/null"}
