"""The wheels that batt needs, for each version of Python, with their hashes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from batt.errors import UsageError
from batt.kaggle.commands import run_module

OLDEST_PYTHON = (3, 10)
GLIBC = 28
"""Wheels of other packages run with glibc 2.28 or newer, where batt's own does not need more."""
LEGACY = {"manylinux2014": 17, "manylinux2010": 12, "manylinux1": 5}
"""Older names of platforms, with the minor version of glibc."""

_VERSION = re.compile(r"3\.\d{1,2}")


def read_pythons(text: str) -> tuple[str, ...]:
    """Return the versions of Python in a list such as `3.11,3.12`, each once."""
    versions = tuple(dict.fromkeys([each.strip() for each in text.split(",") if each.strip()]))
    if not versions:
        raise UsageError("--python names no version; give some, such as 3.11,3.12")
    for each in versions:
        if not _VERSION.fullmatch(each):
            raise UsageError(f"--python {each}: not a version of Python; versions look like 3.12")
        if tuple(map(int, each.split("."))) < OLDEST_PYTHON:
            raise UsageError(f"--python {each}: batt needs Python {'.'.join(map(str, OLDEST_PYTHON))} or newer")
    return versions


def platforms(own_glibc: str) -> list[str]:
    """Return the platforms of wheels that may be packed, the newest first."""
    newest = max(GLIBC, int(own_glibc.split(".")[1]))
    names = [f"manylinux_2_{minor}_x86_64" for minor in (newest, *range(GLIBC, 4, -1))]
    return [*dict.fromkeys(names), *[f"{name}_x86_64" for name in LEGACY]]


def download(wheel: Path, extra: str, python: str, own_glibc: str, folder: Path) -> None:
    """Download what batt's wheel needs, with an extra, for a version of Python; the wheel itself is copied."""
    targets = [word for each in platforms(own_glibc) for word in ("--platform", each)]
    words = ("--only-binary=:all:", "--implementation", "cp", "--python-version", python, *targets)
    wanted = f"{wheel}[{extra}]" if extra else wheel
    try:
        run_module("pip", "download", "--quiet", "--disable-pip-version-check", "--dest", folder, *words, wanted)
    except UsageError as error:
        needed = f"a package index that has wheels for Python {python} on Linux"
        raise UsageError(f"{error}\nPacking needs network and {needed}; see: pip config list") from None


def requirements(wheels: Sequence[Path]) -> str:
    """Return a list of these wheels for `pip install --require-hashes`."""
    lines = []
    for path in sorted(wheels):
        name, version = path.name.split("-")[:2]
        lines.append(f"{name.replace('_', '-')}=={version} --hash=sha256:{digest_of(path)}\n")
    return "".join(lines)


def glibc_of(wheel: Path) -> tuple[int, int]:
    """Return the oldest version of glibc that a wheel runs with, by its tags; 2.0 if it has no native code."""
    tags = wheel.stem.rpartition("-")[2].split(".")
    found = [int(each[1]) for tag in tags if (each := re.fullmatch(r"manylinux_2_(\d+)_x86_64", tag))]
    found += [minor for name, minor in LEGACY.items() if f"{name}_x86_64" in tags]
    return 2, min(found, default=0)


def digest_of(path: Path) -> str:
    """Return the SHA-256 digest of a file."""
    summed = sha256()
    with path.open("rb") as file:
        while part := file.read(1 << 20):
            summed.update(part)
    return summed.hexdigest()
