"""The kernel's source, and the cache of its cubins on disk.

The name of a cubin's file is a digest of all that it was made from, and its head has a digest of its content. Whatever
is wrong with the cache costs a compilation and is never an error.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import TypeAlias

from batt.bytecode.image import Image
from batt.bytecode.used import has_new_words
from batt.errors import UsageError
from batt.private import VARIABLE, Unsafe, cache_folder, make_private, read_private, write_private
from batt.runtime.cuda.device import Device
from batt.runtime.cuda.faults import RefusedCubin
from batt.runtime.cuda.resources import Kernel
from batt.runtime.native import REINSTALL

ENTRY = "batt_evaluate"
STAGE_ENTRY = "batt_stage"
"""The entry that computes staged values. Only the kernel for warps has it."""
STANDARD = "-std=c++17"
NEW_WORDS = ("-DBATT_NEW_WORDS",)
"""The option for a kernel with the new words. A kernel without them is smaller, and so faster."""
FORMAT = 1
_HEAD = struct.Struct("<8sQ32s")
_MAGIC = b"battcub\0"
_FOLDERS = ("core", "cuda", "generated", "machine", "ops")

COMPILED_FOR = ("6.0", "7.5", "8.0", "8.9", "9.0", "12.0")
"""The compute capabilities that the tests compile the kernel for."""
RUN_ON = {"9.0": "NVIDIA H200"}
"""Capabilities on which the kernel was run, each with the card."""

Tell: TypeAlias = Callable[[str], object]

_lock = Lock()
_made: dict[str, bytes] = {}
"""Cubins that this process compiled or read, by file name: the folder may be read-only, and devices may be alike."""


@dataclass(frozen=True, slots=True)
class Source:
    """The kernel's text, the folder that its includes are relative to, and a digest of all that it may include."""

    text: str
    folder: Path
    digest: bytes


def source(name: str = "evaluate.cu") -> Source:
    """Read the source of a kernel: from the checkout that this file is part of, else as installed."""
    package = Path(__file__).resolve().parents[2]
    checkout = [package.parents[1] / "native"] if package.parent.name == "src" else []
    for native in (*checkout, package / "native"):
        main = native / "cuda" / name
        if main.is_file():
            files = [main, *sorted(path for name in _FOLDERS for path in (native / name).glob("*.*h"))]
            texts = [path.read_text("utf-8") for path in files]
            names = [path.relative_to(native).as_posix() for path in files]
            parts = [part for pair in zip(names, texts, strict=True) for part in pair]
            return Source(texts[0], main.parent, _digest(parts))
    raise UsageError(f"the source of the GPU kernel is missing (looked in {package / 'native'}); {REINSTALL}")


def options(compiler: str, more: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the options for a version of NVRTC, without the folder of includes and the target; append `more`.

    They turn off the slowest optimizations, from which an interpreter gains nothing: seconds instead of minutes.
    """
    version = tuple(map(int, compiler.split(".")))
    quick = ("-Ofc=min",) if version >= (12, 9) else ("-Ofc=max",) if version >= (12, 6) else ()
    return (STANDARD, *quick, *more)


def op_options(image: Image) -> tuple[str, ...]:
    """Return the options for the ops of an image: a user's own ops, and new words if it uses one.

    The bodies of own ops may call all that new words are made of. The name of their folder is a digest of its content.
    """
    folder = image.table.folder
    if folder is not None:
        return (*NEW_WORDS, "-DBATT_OWN_OPS", f"-I{folder}")
    return NEW_WORDS if has_new_words(image) else ()


def load(
    device: Device,
    more: Sequence[str] = (),
    tell: Tell = lambda line: None,
    entry: str = ENTRY,
    found: Source | None = None,
    what: str = "the GPU kernel",
) -> Kernel:
    """Load the kernel, or another `entry` of it, on a device. Compile it if the cache has no good cubin.

    `found` is the source, if it is read already, and `what` names the kernel for people.
    """
    found = found or source()
    capability = device.info.capability
    name, path = _file(found, capability, device.compiler, more)
    # Devices of one kind wait here for the first of them, and use what it compiled.
    with _lock:
        kept = _made.get(name) or (None if path is None else _read(path))
        flaw = kept if isinstance(kept, str) else ""
        if isinstance(kept, bytes):
            try:
                kernel = device.load(kept, entry)
            except RefusedCubin as error:
                flaw = str(error)
            else:
                _made[name] = kept
                return kernel
        work = f"compiling {what} for compute capability {capability}"
        tell(f"{flaw}; {work} again" if flaw else f"{work}; this is done once")
        cubin = device.compile(found.text, (*options(device.compiler, more), f"-I{found.folder}"))
        _made[name] = cubin
        _write(path, cubin, tell)
        return device.load(cubin, entry)


def compile_missing(
    device: Device, wanted: Sequence[Sequence[str]], found: Source, tell: Tell, what: str, threads: int
) -> None:
    """Compile the forms of a kernel that the cache does not have, several at a time; `load` then finds them."""
    missing = [more for more in wanted if not is_kept(device, more, found)]
    if len(missing) < 2:
        return
    tell(f"compiling {len(missing)} {what} for compute capability {device.info.capability}; this is done once")

    def compiled(more: Sequence[str]) -> bytes:
        return device.compile(found.text, (*options(device.compiler, more), f"-I{found.folder}"))

    with ThreadPoolExecutor(max(1, threads)) as pool:
        for more, cubin in zip(missing, pool.map(compiled, missing), strict=True):
            name, path = _file(found, device.info.capability, device.compiler, more)
            with _lock:
                _made[name] = cubin
                _write(path, cubin, tell)


def is_kept(device: Device, more: Sequence[str], found: Source) -> bool:
    """Tell whether the cache has a cubin for a device, without checking that it is good."""
    name, path = _file(found, device.info.capability, device.compiler, more)
    return name in _made or (path is not None and path.is_file())


def cached(capability: str, compiler: str, more: Sequence[str] = ()) -> Path | None:
    """Return the file with the kernel for a capability, compiled by this version of NVRTC; None if there is none."""
    _, path = _file(source(), capability, compiler, more)
    return path if path is not None and isinstance(_read(path), bytes) else None


def file_name(found: Source, capability: str, compiler: str, more: Sequence[str] = ()) -> str:
    """Return the name of the file in the cache of the cubin that this version of NVRTC makes for a capability."""
    parts = [found.digest.hex(), *options(compiler, more), capability, compiler, str(FORMAT)]
    return f"sm_{capability.replace('.', '')}-{_digest(parts).hex()}.cubin"


def file_content(cubin: bytes) -> bytes:
    """Return what the file of a cubin holds: a head with the cubin's digest, then the cubin."""
    return _head(cubin) + cubin


def _file(found: Source, capability: str, compiler: str, more: Sequence[str]) -> tuple[str, Path | None]:
    """Return the name of a cubin's file, and its path; None if there is no cache folder."""
    name = file_name(found, capability, compiler, more)
    folder = cache_folder()
    return name, None if folder is None else folder / name


def _digest(parts: Sequence[str]) -> bytes:
    """Return the digest of texts, each with its length: moving a letter from one to the next changes it."""
    summed = sha256()
    for part in parts:
        data = part.encode()
        summed.update(struct.pack("<Q", len(data)) + data)
    return summed.digest()


def _read(path: Path) -> bytes | str | None:
    """Return the cubin of a file, or a text that says what is wrong with it, or None if there is no such file."""
    try:
        data = read_private(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except Unsafe as error:
        return str(error)
    except OSError as error:
        return f"{path}: cannot be read ({error.strerror})"
    cubin = data[_HEAD.size :]
    return cubin if data[: _HEAD.size] == _head(cubin) else f"{path}: damaged"


def _write(path: Path | None, cubin: bytes, tell: Tell) -> None:
    if path is None:
        tell(f"the compiled kernel is not kept: there is no home folder (set {VARIABLE})")
        return
    try:
        make_private(path.parent)
        write_private(path, file_content(cubin))
    except OSError as error:
        tell(f"the compiled kernel is not kept: {error}")


def _head(cubin: bytes) -> bytes:
    return _HEAD.pack(_MAGIC, len(cubin), sha256(cubin).digest())
