"""Compile the GPU kernel for many cards by the NVRTC of a wheel. Needs neither a GPU nor CuPy."""

from __future__ import annotations

import ctypes
import re
import zipfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from batt.errors import UsageError
from batt.files import write_bytes
from batt.runtime import usable_cores
from batt.runtime.child import ChildProcess, pipes, receive, reply
from batt.runtime.cuda import kernels
from batt.runtime.cuda.modes import LIGHT_WARPS, THREADS, WARPS

FORMS = tuple([(*mode.options, *words) for words in ((), kernels.NEW_WORDS) for mode in (THREADS, LIGHT_WARPS, WARPS)])
"""The options of all forms of the kernel: for threads and for warps, without and with the new words."""

_LIBRARIES = re.compile(r"nvidia/\w+/lib/libnvrtc(-builtins)?\.so\.[\d.]+")


@dataclass(frozen=True, slots=True)
class Compiled:
    """The kernels for a compute capability: the names of their files, or why there are none."""

    capability: str
    files: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Compiler:
    """NVRTC as a library on disk: its version, and the capabilities that it compiles for."""

    library: Path
    version: str
    capabilities: tuple[str, ...]


@contextmanager
def compiler_of(wheel: Path) -> Iterator[Compiler]:
    """Unpack the NVRTC of a wheel for a while."""
    with TemporaryDirectory() as scratch:
        with zipfile.ZipFile(wheel) as opened:
            names = [name for name in opened.namelist() if _LIBRARIES.fullmatch(name)]
            for name in names:
                opened.extract(name, scratch)
        found = [Path(scratch, name) for name in names if "builtins" not in name]
        if len(found) != 1:
            raise UsageError(f"{wheel.name}: holds {len(found)} libraries of NVRTC, one is needed")
        yield opened_compiler(found[0])


def opened_compiler(path: Path) -> Compiler:
    """Ask an NVRTC library what it is."""
    library = ctypes.CDLL(str(path))
    major, minor, count = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
    _check(library.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor)))
    _check(library.nvrtcGetNumSupportedArchs(ctypes.byref(count)))
    numbers = (ctypes.c_int * count.value)()
    _check(library.nvrtcGetSupportedArchs(numbers))
    known = tuple(["{}.{}".format(*divmod(number, 10)) for number in numbers])
    return Compiler(path, f"{major.value}.{minor.value}", known)


def compile_kernels(compiler: Compiler, folder: Path, found: kernels.Source | None = None) -> list[Compiled]:
    """Write the kernels for all capabilities to a folder, as the cache of kernels keeps them.

    A capability that this NVRTC does not compile for is no error: the result says so.
    """
    source = found or kernels.source()
    wanted = [each for each in kernels.COMPILED_FOR if each in compiler.capabilities]
    pool = ThreadPoolExecutor(usable_cores())
    try:
        made = {
            (capability, options): pool.submit(_write_kernel, compiler, source, capability, options, folder)
            for capability in wanted
            for options in FORMS
        }
        files = {key: future.result() for key, future in made.items()}
    finally:
        # After an interrupt, only what has begun is waited for.
        pool.shutdown(cancel_futures=True)
    return [
        Compiled(each, tuple([files[each, options] for options in FORMS]))
        if each in wanted
        else Compiled(each, reason=f"NVRTC {compiler.version} does not compile for it")
        for each in kernels.COMPILED_FOR
    ]


def _write_kernel(
    compiler: Compiler, source: kernels.Source, capability: str, more: tuple[str, ...], folder: Path
) -> str:
    """Compile a kernel in a process of its own, and return the name of its file."""
    target = f"-arch=sm_{capability.replace('.', '')}"
    options = (*kernels.options(compiler.version, more), f"-I{source.folder}", target)
    child = ChildProcess("batt.kaggle.compiling")
    try:
        child.send((str(compiler.library), source.text, options))
        cubin, log = child.receive()
    except EOFError:
        cubin, log = b"", "the compiler crashed"
    finally:
        child.close()
    if not cubin:
        raise UsageError(f"the kernel cannot be compiled for compute capability {capability}: {log}")
    name = kernels.file_name(source, capability, compiler.version, more)
    write_bytes(folder / name, kernels.file_content(cubin))
    return name


def main(shared: int) -> None:
    """Compile what the parent process sends."""
    requests, replies = pipes()
    path, text, options = receive(requests)
    reply(replies, compile_text(Path(path), text, options))


def compile_text(path: Path, text: str, options: Sequence[str]) -> tuple[bytes, str]:
    """Return the cubin of a text, and what the compiler says; an empty cubin if it fails."""
    library = ctypes.CDLL(str(path))
    program = ctypes.c_void_p()
    encoded = [option.encode() for option in options]
    _check(library.nvrtcCreateProgram(ctypes.byref(program), text.encode(), b"evaluate.cu", 0, None, None))
    try:
        status = library.nvrtcCompileProgram(program, len(encoded), (ctypes.c_char_p * len(encoded))(*encoded))
        log = _get(library, program, "ProgramLog").rstrip(b"\0").decode(errors="replace").strip()
        return (b"" if status else _get(library, program, "CUBIN")), log
    finally:
        library.nvrtcDestroyProgram(ctypes.byref(program))


def _get(library: Any, program: ctypes.c_void_p, name: str) -> bytes:
    """Return what `nvrtcGet<name>` gives."""
    size = ctypes.c_size_t()
    _check(getattr(library, f"nvrtcGet{name}Size")(program, ctypes.byref(size)))
    data = ctypes.create_string_buffer(size.value)
    _check(getattr(library, f"nvrtcGet{name}")(program, data))
    return data.raw


def _check(status: int) -> None:
    if status:
        raise UsageError(f"NVRTC fails with status {status}")
