"""C++ bodies to native code. Owns the library that serves a user's own ops, and the folder that it is kept in.

The whole native library is compiled anew with the headers of the ops in it, so that it and the GPU's kernel hold them
in the same way. What a folder is made of is in its name; it appears only when all of it is there.
"""

from __future__ import annotations

import os
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
from batt.runtime.cache import VARIABLE, Unsafe, cache_folder, check_private, make_private, read_private
from batt.runtime.cuda.kernels import source
from batt.runtime.native import file_name

COMPILERS = ("g++", "clang++", "c++")
FLAGS = ("-std=c++17", "-O3", "-fPIC", "-shared", "-fvisibility=hidden", "-fno-tree-slp-vectorize", "-DBATT_OWN_OPS")
"""As CMakeLists.txt builds the library."""
COMPILE_S = 600.0
SUM = "library.sha256"
BODIES = "batt_own_ops.h"
"""What `native/machine/kernels.h` includes where BATT_OWN_OPS is defined."""
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
    """All that native code for own ops is made of: the ops, the text of their bodies, and batt's own sources."""

    ops: tuple[OwnOp, ...]
    bodies: str
    native: Path
    digest: str

    def table(self, folder: Path, refused: Container[str] = ()) -> Table:
        """The table of these ops, of which code lies in a folder."""
        return Table(self.ops, folder, self.digest, refused)


class CannotBuild(Exception):
    """Why there is no native code for the ops, in one line."""


def sources(ops: Sequence[OwnOp]) -> Sources:
    """What is compiled for these ops; CannotBuild where batt's own sources are not there."""
    try:
        native = source().folder.parent
    except UsageError as error:
        raise CannotBuild(f"{error}; {_WHAT}") from None
    headers: dict[Path, str] = {}
    for each in ops:
        text = header_text(each)
        if text is not None and each.native is not None:
            headers[Path(each.file.path).parent / each.native] = text
    # The name and the line of the user's own file are what a compiler's message tells. Not the folder: wherever the
    # same text lies, it is compiled once.
    parts = [f'#line 1 "{path.name}"\n{text}' for path, text in headers.items()]
    bodies = "\n".join([_BEFORE, *parts, "}  // namespace batt\n"])
    rows = [f"{each.name} {each.arity} {cost_class(each)}" for each in ops]
    return Sources(tuple(ops), bodies, native, _digest([bodies, *rows, _native_text(native)]))


def build(made: Sources, tell: Tell) -> Path:
    """The folder with the library and the headers of these ops, compiled where it is not there yet."""
    compiler = _compiler()
    key = _digest([made.digest, _version(compiler), *FLAGS])[:32]
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
    """Write what native code includes of the ops."""
    (folder / OWN_HEADER).write_text(made.table(folder).header(), "utf-8")
    (folder / BODIES).write_text(made.bodies, "utf-8")


def _compile(made: Sources, compiler: str, folder: Path) -> None:
    write_headers(made, folder)
    command = [compiler, *FLAGS, f"-I{folder}", str(made.native / "host" / "api.cpp"), "-o", str(folder / file_name())]
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
    """Whether the library of a folder is the one that was put there; Unsafe where others can write to any of it."""
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
    """Let a folder appear under its name, unless another process was faster."""
    for path in made.iterdir():
        path.chmod(0o600)
    try:
        made.rename(folder)
    except OSError:
        if not _is_whole(folder):
            raise


def _compiler() -> str:
    """A C++ compiler: as CXX says, else the first of those that are usual."""
    if sys.platform == "win32":
        raise CannotBuild(f"C++ bodies are compiled on Linux and macOS only; {_WHAT}")
    named = os.environ.get("CXX")
    for name in [named] if named else COMPILERS:
        found = shutil.which(name)
        if found:
            return found
    looked = f"CXX={named}" if named else ", ".join(COMPILERS)
    raise CannotBuild(f"no C++ compiler is there for own ops (looked for {looked}); {_WHAT}")


@cache
def _version(compiler: str) -> str:
    """What a compiler says of itself: another version makes other code."""
    try:
        ended = subprocess.run([compiler, "--version"], capture_output=True, text=True, errors="replace", check=False)
    except OSError as error:
        raise CannotBuild(f"{compiler} cannot be run: {error.strerror}; {_WHAT}") from None
    return f"{compiler} {ended.stdout}"


@cache
def _temporary() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="batt-own-")


def _folder(tell: Tell) -> Path:
    """Where such folders are kept; one that goes with this process where there is no safe place for them."""
    found = cache_folder()
    try:
        if found is not None:
            make_private(found)
    except Unsafe as why:
        tell(f"{why}; until then own ops are compiled again in every run")
        found = None
    except OSError:
        # Whoever writes there tells of it.
        pass
    return found or Path(_temporary().name)


@cache
def _native_text(native: Path) -> str:
    """All of batt's own sources, with their names."""
    files = sorted([*native.rglob("*.h"), *native.rglob("*.cpp")])
    return "\0".join([f"{path.relative_to(native).as_posix()}\0{path.read_text('utf-8')}" for path in files])


def _digest(parts: Sequence[str]) -> str:
    summed = sha256()
    for part in parts:
        data = part.encode()
        summed.update(len(data).to_bytes(8, "little") + data)
    return summed.hexdigest()
