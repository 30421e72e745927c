"""The wheel of batt itself, tagged with the systems that it runs on."""

from __future__ import annotations

import base64
import json
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib import metadata
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from urllib.parse import unquote, urlsplit

from batt.errors import UsageError
from batt.kaggle.commands import run_module
from batt.runtime.native import REINSTALL

NAME = "arc-batt"
FILE_NAME = "arc_batt"
_LEFT_BY_INSTALLERS = ("INSTALLER", "RECORD", "REQUESTED", "direct_url.json")
_PLATFORM = re.compile(r'following platform tag: "(\w+)"')
_MANYLINUX = re.compile(r"manylinux_(\d+)_(\d+)_x86_64")
_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The time of all files in a wheel, so that the same files always make the same wheel."""


@dataclass(frozen=True, slots=True)
class OwnWheel:
    """The wheel of batt, and the oldest version of glibc that it runs with, as auditwheel finds it."""

    path: Path
    glibc: str


def own_wheel(folder: Path, given: Path | None = None) -> OwnWheel:
    """Write the wheel of this installation to a folder, or a copy of the wheel `given`, with its right tag."""
    files = _read_wheel(given) if given is not None else _installed_files()
    if not any(name.endswith(".so") for name in files):
        where = "the installed batt" if given is None else str(given)
        raise UsageError(f"{where} has no native library, and would be slow in a notebook; {REINSTALL}")
    with TemporaryDirectory() as scratch:
        platform = _platform(_write_wheel(files, "linux_x86_64", Path(scratch)))
    found = _MANYLINUX.fullmatch(platform)
    if found is None:
        raise UsageError(
            f"auditwheel tags batt's wheel as {platform}; Kaggle needs manylinux on x86-64. Build it there, "
            "without BATT_NATIVE_ARCH and sanitizers, and name it: --wheel FILE"
        )
    return OwnWheel(_write_wheel(files, platform, folder), ".".join(found.groups()))


def _installed_files() -> dict[str, bytes]:
    """Return the files of the installed batt as its wheel had them; build them first if they are in a checkout."""
    try:
        found = metadata.distribution(NAME)
    except metadata.PackageNotFoundError:
        raise UsageError(f"batt is not installed as {NAME}; name its wheel: --wheel FILE") from None
    origin = json.loads(found.read_text("direct_url.json") or "{}")
    if origin.get("dir_info", {}).get("editable"):
        with TemporaryDirectory() as scratch:
            checkout = unquote(urlsplit(origin["url"]).path)
            run_module("pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", scratch, checkout, BATT_PURE="0")
            (path,) = Path(scratch).glob("*.whl")
            return _read_wheel(path)
    files = {}
    for each in found.files or ():
        is_made_here = each.parts[0] == ".." or each.suffix == ".pyc" or each.name in _LEFT_BY_INSTALLERS
        if not is_made_here:
            files[each.as_posix()] = _read(Path(str(each.locate())))
    return files


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror}); {REINSTALL}") from None


def _read_wheel(path: Path) -> dict[str, bytes]:
    """Return the files of a wheel of batt, without the list of them."""
    if not (path.name.startswith(f"{FILE_NAME}-") and path.suffix == ".whl"):
        raise UsageError(f"{path}: is not a wheel of batt, whose name is {FILE_NAME}-VERSION-….whl")
    try:
        with zipfile.ZipFile(path) as opened:
            names = [name for name in opened.namelist() if not name.endswith("/")]
            return {name: opened.read(name) for name in names if PurePosixPath(name).name != "RECORD"}
    except (OSError, zipfile.BadZipFile) as error:
        raise UsageError(f"{path}: cannot be read as a wheel: {error}") from None


def _write_wheel(files: Mapping[str, bytes], platform: str, folder: Path) -> Path:
    """Write a wheel of these files for a platform and every Python 3, and return its path."""
    infos = [name.partition("/")[0] for name in files if name.endswith(".dist-info/WHEEL")]
    if len(infos) != 1:
        raise UsageError("batt's wheel or installation is incomplete: it must have one file WHEEL")
    info, tag = infos[0], f"py3-none-{platform}"
    about = re.sub(r"^Tag: .*\n", "", files[f"{info}/WHEEL"].decode(), flags=re.M).rstrip("\n")
    contents = {**files, f"{info}/WHEEL": f"{about}\nTag: {tag}\n".encode()}
    record = [f"{name},sha256={_digest(data)},{len(data)}" for name, data in sorted(contents.items())]
    contents[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,", ""]).encode()
    path = folder / f"{info.removesuffix('.dist-info')}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as opened:
        # The files about the wheel come last, as they do in wheels of other tools.
        for name in sorted(contents, key=lambda each: (each.startswith(info), each)):
            entry = zipfile.ZipInfo(name, _EARLIEST)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            opened.writestr(entry, contents[name])
    return path


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(sha256(data).digest()).rstrip(b"=").decode()


def _platform(wheel: Path) -> str:
    """Return the platform tag that auditwheel finds for a wheel."""
    told = " ".join(run_module("auditwheel", "show", wheel).split())
    found = _PLATFORM.search(told)
    if found is None:
        raise UsageError(f"auditwheel finds no platform for batt's wheel: {told[:200]}")
    return found[1]
