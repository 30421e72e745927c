"""Compile C++ bodies of own ops to native code, and keep the library in a folder.

The whole native library is compiled again, together with the headers of the ops; the kernel of a GPU includes the same
headers. The name of a folder is a digest of its sources, and the folder is renamed to it only when it is complete.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias

from batt.bytecode.opcodes import cost_class
from batt.bytecode.table import OWN_HEADER, Table
from batt.errors import UsageError
from batt.own.declaring import OwnOp
from batt.own.loading import header_text
from batt.private import VARIABLE, Unsafe, cache_folder, check_private, make_private, read_private
from batt.runtime.cuda.kernels import source
from batt.runtime.native import file_name

COMPILERS = ("g++", "clang++", "c++")
FLAGS = ("-std=c++17", "-O3", "-fPIC", "-shared", "-fvisibility=hidden", "-fno-tree-slp-vectorize", "-DBATT_OWN_OPS")
"""The flags with which CMakeLists.txt builds the library."""
COMPILE_S = 600.0
SUM = "library.sha256"
BODIES = "batt_own_ops.h"
"""The header that `native/machine/kernels.h` includes if BATT_OWN_OPS is defined."""
_WHAT = "their Python bodies are used"
_BEFORE = """\
#pragma once
namespace batt {
// Leave the whole evaluation to the reference engine, and so to the Python body.
BATT_INLINE Value leave(Vm& vm) { return unsupported(vm, OWN_OP); }
"""

Tell: TypeAlias = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Sources:
    """The sources of native code for own ops: the ops, the text of their bodies, and the folder of batt's sources."""

    ops: tuple[OwnOp, ...]
    bodies: str
    native: Path
    digest: str

    def table(self, folder: Path, refused: Container[str] = ()) -> Table:
        """Return the table of these ops, whose native code is in `folder`."""
        return Table(self.ops, folder, self.digest, refused)


class CannotBuild(Exception):
    """Says in one line why there is no native code for the ops."""


def sources(ops: Sequence[OwnOp]) -> Sources:
    """Return the sources for `ops`. Raise CannotBuild if batt's own sources are missing."""
    try:
        native = source().folder.parent
    except UsageError as error:
        raise CannotBuild(f"{error}; {_WHAT}") from None
    headers: dict[Path, str] = {}
    for each in ops:
        text = header_text(each)
        if text is not None and each.native is not None:
            headers[Path(each.file.path).parent / each.native] = text
    # Messages of the compiler name the user's file and line. The folder is left out, so that equal texts in
    # different folders are compiled once.
    parts = [f'#line 1 "{path.name}"\n{text}' for path, text in headers.items()]
    bodies = "\n".join([_BEFORE, *parts, "}  // namespace batt\n"])
    rows = [f"{each.name} {each.arity} {cost_class(each)}" for each in ops]
    return Sources(tuple(ops), bodies, native, _digest([bodies, *rows, _native_text(native)]))


def build(made: Sources, tell: Tell) -> Path:
    """Return the folder with the library and the headers of these ops. Compile it if it does not exist yet."""
    compiler = _compiler()
    key = _digest([made.digest, _version(compiler), *_flags()])[:32]
    folder = _folder(tell) / f"own-{key}"
    try:
        if _is_whole(folder):
            return folder
    except Unsafe as why:
        tell(f"{why}; it is not used")
    if not (made.native / "host" / "api.cpp").is_file():
        raise CannotBuild(f"the sources of the native library are not installed; {_WHAT}")
    files = ", ".join(sorted({str(each.native) for each in made.ops}))
    tell(f"compiling {files} with {Path(compiler).name}; this is done once, and takes about 20 s")
    try:
        make_private(folder.parent)
        if folder.exists():
            shutil.rmtree(folder)
        with tempfile.TemporaryDirectory(prefix=".own-", dir=folder.parent) as name:
            _compile(made, compiler, Path(name))
            _put(Path(name), folder)
    except OSError as error:
        raise CannotBuild(f"native code for {files} cannot be kept: {error}; {_WHAT} (set {VARIABLE})") from None
    return folder


def write_headers(made: Sources, folder: Path) -> None:
    """Write the headers of the ops that native code includes."""
    (folder / OWN_HEADER).write_text(made.table(folder).header(), "utf-8")
    (folder / BODIES).write_text(made.bodies, "utf-8")


def _compile(made: Sources, compiler: str, folder: Path) -> None:
    write_headers(made, folder)
    command = [
        compiler,
        *_flags(),
        f"-I{folder}",
        str(made.native / "host" / "api.cpp"),
        "-o",
        str(folder / file_name()),
    ]
    try:
        ended = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=COMPILE_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CannotBuild(f"{compiler} does not compile: {error}; {_WHAT}") from None
    if ended.returncode:
        lines = ended.stderr.splitlines()
        told = next((line for line in lines if "error" in line), lines[0] if lines else f"exit code {ended.returncode}")
        raise CannotBuild(f"{told.strip()}; {_WHAT}")
    (folder / SUM).write_text(_sum_of(folder), "utf-8")


def _is_whole(folder: Path) -> bool:
    """Tell whether a folder holds the library that was put there. Raise Unsafe if others can write to it."""
    try:
        for path in (folder, *folder.iterdir()):
            check_private(path)
        return read_private(folder / SUM).decode() == _sum_of(folder)
    except Unsafe:
        raise
    except (OSError, UnicodeDecodeError):
        return False


def _sum_of(folder: Path) -> str:
    return sha256((folder / file_name()).read_bytes()).hexdigest()


def _put(made: Path, folder: Path) -> None:
    """Rename `made` to `folder`, unless another process was faster."""
    for path in made.iterdir():
        path.chmod(0o600)
    try:
        made.rename(folder)
    except OSError:
        if not _is_whole(folder):
            raise


def _compiler() -> str:
    """Return a C++ compiler: that of the variable CXX, else the first of COMPILERS that is installed."""
    if sys.platform == "win32":
        raise CannotBuild(f"C++ bodies are compiled on Linux and macOS only; {_WHAT}")
    named = os.environ.get("CXX")
    for name in [named] if named else COMPILERS:
        found = shutil.which(name)
        if found:
            return found
    looked = f"CXX={named}" if named else ", ".join(COMPILERS)
    raise CannotBuild(f"no C++ compiler is there for own ops (looked for {looked}); {_WHAT}")


def _flags() -> tuple[str, ...]:
    """Return FLAGS and those of the variable CXXFLAGS, which come later and so win."""
    return (*FLAGS, *shlex.split(os.environ.get("CXXFLAGS", "")))


@cache
def _version(compiler: str) -> str:
    """Return the version text of a compiler. Another version makes other code."""
    try:
        ended = subprocess.run([compiler, "--version"], capture_output=True, text=True, errors="replace", check=False)
    except OSError as error:
        raise CannotBuild(f"{compiler} cannot be run: {error.strerror}; {_WHAT}") from None
    return f"{compiler} {ended.stdout}"


@cache
def _temporary() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="batt-own-")


def _folder(tell: Tell) -> Path:
    """Return the folder for libraries. If no safe one exists, it is temporary, and deleted with this process."""
    found = cache_folder()
    try:
        if found is not None:
            make_private(found)
    except Unsafe as why:
        tell(f"{why}; until then own ops are compiled again in every run")
        found = None
    except OSError:
        # Writing there fails with a message of its own.
        pass
    return found or Path(_temporary().name)


@cache
def _native_text(native: Path) -> str:
    """Return the text of all of batt's own sources, with their names."""
    files = sorted([*native.rglob("*.h"), *native.rglob("*.cpp")])
    return "\0".join([f"{path.relative_to(native).as_posix()}\0{path.read_text('utf-8')}" for path in files])


def _digest(parts: Sequence[str]) -> str:
    summed = sha256()
    for part in parts:
        data = part.encode()
        summed.update(len(data).to_bytes(8, "little") + data)
    return summed.hexdigest()
