"""The native library: find it, declare its C interface, and free what it hands out.

A library serves one table of ops. One that was built from another table is refused: its numbers mean other ops.
"""

from __future__ import annotations

import ctypes
import os
import sys
import sysconfig
from collections.abc import Callable, Mapping
from ctypes import POINTER, Structure, byref, c_char_p, c_uint32, c_uint64, c_void_p
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from batt.bytecode import abi
from batt.bytecode.table import STANDARD, Table
from batt.errors import InternalError, UsageError
from batt.runtime.memory import Fields, WorkerMemory
from batt.runtime.owned import Owned
from batt.runtime.state_functions import STATE_PROTOTYPES
from batt.runtime.tallies import Tallies

VARIABLE = "BATT_NATIVE_LIBRARY"
"""The environment variable that names the library's file, for tests and development."""

REINSTALL = "reinstall it, in batt's source folder: pip install --force-reinstall --no-deps --no-cache-dir ."

RESULT_TYPE, SAMPLE_TYPE, DEVICE_SAMPLE_TYPE = abi.RESULT.dtype, abi.SAMPLE_ROW.dtype, abi.DEVICE_SAMPLE.dtype

MIN_ARENA_BYTES = 64 << 20

Numbers: TypeAlias = npt.NDArray[np.uint32]
Bytes: TypeAlias = npt.NDArray[np.uint8]
Offsets: TypeAlias = npt.NDArray[np.uint64]
Place: TypeAlias = Callable[[int], int]
"""A function of a number of bytes that returns the address at which they will lie."""


class Budget(Structure):
    """The budget of one evaluation."""

    _fields_ = abi.BUDGET.ctype_fields


class Outputs(Structure):
    """The memory that the values of evaluations are written to."""

    _fields_ = abi.OUTPUTS.ctype_fields


class _Parts(Structure):
    """The offsets of the parts of a program in its bytes."""

    _fields_ = abi.FROZEN_PROGRAM.ctype_fields


_PROTOTYPES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "batt_abi": (c_uint32, ()),
    "batt_table_digest": (c_uint32, ()),
    "batt_flaw": (c_char_p, (c_uint32,)),
    "batt_program_load": (
        c_void_p,
        (c_void_p, c_uint64, c_void_p, c_uint64, POINTER(c_uint32), POINTER(c_uint64)),
    ),
    "batt_program_free": (None, (c_void_p,)),
    "batt_program_slices": (c_uint64, (c_void_p,)),
    "batt_pack_rectangles": (None, (c_void_p, c_void_p, c_uint64, c_void_p, c_void_p)),
    "batt_batch_load": (c_void_p, (c_void_p, c_void_p, c_uint64, c_void_p, c_uint64, c_void_p, c_uint64)),
    "batt_batch_free": (None, (c_void_p,)),
    "batt_program_freeze": (
        c_uint64,
        (c_void_p, c_uint64, c_void_p, c_uint64, POINTER(_Parts), c_void_p),
    ),
    "batt_batch_freeze": (c_uint64, (c_void_p, c_uint64, c_void_p, c_uint64)),
    "batt_worker_new": (c_void_p, (POINTER(Fields),)),
    "batt_worker_free": (None, (c_void_p,)),
    "batt_worker_profile": (None, (c_void_p, c_void_p, c_void_p)),
    "batt_ticks": (c_uint64, ()),
    "batt_json": (c_uint32, (c_void_p, c_void_p, c_void_p, c_uint64, c_void_p, c_uint64, c_void_p)),
    "batt_run": (
        c_uint64,
        (
            *(c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_uint64),
            *(POINTER(Budget), c_void_p, POINTER(Outputs), POINTER(c_uint32), POINTER(c_uint64)),
        ),
    ),
    "batt_run_block": (
        c_uint64,
        (
            *(c_void_p, c_void_p, c_void_p, c_void_p, c_uint64, c_void_p, c_void_p, c_uint64),
            *(POINTER(Budget), c_void_p, POINTER(Outputs), POINTER(c_uint32), POINTER(c_uint64)),
            *(c_uint32, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, POINTER(c_uint64)),
        ),
    ),
    "batt_take_results": (None, (c_void_p, c_void_p, c_uint64, c_void_p)),
    "batt_sort_results": (c_uint64, (c_void_p, c_void_p, c_uint64, c_uint32, *(c_void_p,) * 5)),
    "batt_put_records": (None, (c_void_p, c_void_p, c_void_p, c_uint64)),
    **STATE_PROTOTYPES,
}


_BRIEF = ("batt_sort_results",)


class Library:
    """The loaded library: its functions by name, with declared types, and the ops that it serves."""

    def __init__(self, path: Path, table: Table = STANDARD) -> None:
        self.path = path
        self.table = table
        remedy = REINSTALL if table.folder is None else f"delete the folder {table.folder}"
        try:
            handle = ctypes.CDLL(str(path))
        except OSError as error:
            raise UsageError(f"the native library cannot be loaded ({error}); {remedy}") from None
        try:
            self.functions = {name: getattr(handle, name) for name in _PROTOTYPES}
        except AttributeError:
            raise UsageError(f"{path} is not a native library of this batt; {remedy}") from None
        # Functions of a PyDLL are called with the interpreter lock.
        locked = ctypes.PyDLL(str(path))
        self._brief = {name: getattr(locked, name) for name in _BRIEF}
        for name, function in (*self.functions.items(), *self._brief.items()):
            function.restype, function.argtypes = _PROTOTYPES[name]
        self._check(remedy)

    def call(self, name: str, *args: Any) -> Any:
        """Call a function of the library, with the interpreter lock released."""
        return self.functions[name](*args)

    def call_briefly(self, name: str, *args: Any) -> Any:
        """Call a function that takes microseconds: to wait for the interpreter lock again may take longer."""
        return self._brief[name](*args)

    def write_json(self, data: Bytes, starts: Offsets, ends: Offsets, text: Bytes, text_ends: Offsets) -> bool:
        """Write values as JSON to `text`, one after the other; return False if there is not enough memory.

        Value k is `data[starts[k] : ends[k]]`. Its text ends at `text_ends[k]`. The text is empty if the caller has to
        write it: for a function, and for an int beyond 64 bits.
        """
        count, room = len(ends), len(text)
        places = [_at(each) for each in (data, starts, ends)]
        return bool(self.call("batt_json", *places, count, _at(text), room, _at(text_ends)))

    def _check(self, remedy: str) -> None:
        found, needed = self.call("batt_abi"), abi.interface()
        if found != needed:
            raise UsageError(f"{self.path} has interface {found:08x}, this batt needs {needed:08x}; {remedy}")
        if self.call("batt_table_digest") != self.table.digest:
            raise UsageError(f"{self.path} was built from another table of ops; {remedy}")

    def __repr__(self) -> str:
        return f"<Library {self.path}>"


def library(table: Table = STANDARD) -> Library:
    """Return the native library for these ops; raise UsageError if it is missing or does not fit this batt."""
    return _loaded(_found() if table.folder is None else table.folder / file_name(), table)


def missing() -> str | None:
    """Return why the native library cannot be used, and what to do; None if it can."""
    try:
        library()
    except UsageError as error:
        return str(error)
    return None


def file_name() -> str:
    """Return the name of the library's file on this system."""
    return {"win32": "batt_native.dll", "darwin": "libbatt_native.dylib"}.get(sys.platform, "libbatt_native.so")


def places() -> tuple[Path, ...]:
    """Return the places where the library may be, in the order in which they are searched."""
    named = os.environ.get(VARIABLE)
    if named:
        return _named(named) if os.path.isabs(named) else (Path(named).absolute(),)
    return _installed()


# Small runs ask for the library many times, and making a path takes as long as an evaluation.
@cache
def _named(path: str) -> tuple[Path, ...]:
    return (Path(path),)


@cache
def _installed() -> tuple[Path, ...]:
    folders = (Path(__file__).resolve().parents[1], Path(sysconfig.get_path("platlib"), "batt"))
    return tuple([folder / file_name() for folder in folders])


def _found() -> Path:
    for path in places():
        if os.path.isfile(path):
            return path
    looked = " or ".join(map(str, dict.fromkeys(places())))
    raise UsageError(f"the native library is missing (looked for {looked}); {REINSTALL}")


@cache
def _loaded(path: Path, table: Table) -> Library:
    return Library(path, table)


class _NativeObject(Owned):
    """An object of the library, which frees it with its function `free`."""

    def __init__(self, library: Library, handle: int, free: str) -> None:
        super().__init__(partial(library.call, free, handle))
        self.library = library
        self.handle = handle


@dataclass(frozen=True, slots=True)
class Frozen:
    """A program as bytes for a device, the addresses of its parts there by name, and the routine of each slice."""

    data: Bytes
    addresses: Mapping[str, int]
    routine_of: Numbers


class NativeProgram(_NativeObject):
    """Bytecode, checked and loaded."""

    def __init__(self, library: Library, words: bytes, pool: bytes) -> None:
        flaw, where = c_uint32(), c_uint64()
        handle = library.call("batt_program_load", words, len(words) // 4, pool, len(pool), byref(flaw), byref(where))
        if not handle:
            text = library.call("batt_flaw", flaw).decode()
            raise InternalError(f"the native library refuses bytecode at word {where.value:,}: {text}")
        super().__init__(library, handle, "batt_program_free")
        self.slices = int(library.call("batt_program_slices", handle))

    def frozen(self, place: Place) -> Frozen:
        """Return the program as bytes for the address of a device that `place` returns."""
        parts, routine_of = _Parts(), np.zeros(self.slices, np.uint32)
        data, base = _freeze(self, "batt_program_freeze", place, byref(parts), _at(routine_of))
        addresses = {name: base + getattr(parts, name) for name, _ in abi.FROZEN_PROGRAM.ctype_fields}
        return Frozen(data, addresses, routine_of)


class NativeBatch(_NativeObject):
    """Loaded samples and their values. `assignments` has the positions of their parameters, as in `PackedSamples`."""

    def __init__(
        self,
        library: Library,
        data: bytes,
        ends: npt.NDArray[np.uint64],
        samples: npt.NDArray[np.void],
        assignments: npt.NDArray[np.int64] | None = None,
    ) -> None:
        none = np.zeros((0, abi.MAX_PARAMETERS), np.int64)
        given = np.ascontiguousarray(none if assignments is None else assignments, np.int64)
        tables = [*(data, _at(ends), len(ends)), *(_at(samples), len(samples)), *(_at(given), len(given))]
        handle = library.call("batt_batch_load", *tables)
        if not handle:
            raise InternalError("the native library refuses a batch of samples: malformed, or not enough memory")
        super().__init__(library, handle, "batt_batch_free")

    def frozen(self, place: Place) -> Bytes:
        """Return the samples (DEVICE_SAMPLE_TYPE) and their values, as bytes for the address that `place` returns."""
        return _freeze(self, "batt_batch_freeze", place)[0]


class NativeWorker(_NativeObject):
    """The memory in which one thread evaluates, the flag that stops it, and the count of finished evaluations."""

    def __init__(self, library: Library, memory: WorkerMemory) -> None:
        handle = library.call("batt_worker_new", byref(memory.fields))
        while not handle and memory.arena_bytes > MIN_ARENA_BYTES:
            memory = replace(memory, arena_bytes=memory.arena_bytes // 2)
            handle = library.call("batt_worker_new", byref(memory.fields))
        if not handle:
            raise UsageError(f"not enough memory for a worker of {memory.arena_bytes:,} bytes; use fewer workers")
        super().__init__(library, handle, "batt_worker_free")
        self.memory = memory
        self.stop = c_uint32()
        self.done = c_uint64()
        self.tallies: Tallies | None = None

    def count(self, tallies: Tallies) -> None:
        """Count into `tallies` from the next run on: by op, and by word of the code."""
        # Native code writes to them as long as the worker lives.
        self.tallies = tallies
        arrays = [_at(each) if len(each) else None for each in (tallies.by_op, tallies.by_word)]
        self.library.call("batt_worker_profile", self.handle, *arrays)

    def run(
        self,
        program: NativeProgram,
        batch: NativeBatch,
        slices: Numbers,
        samples: Numbers,
        budget: Budget,
        outputs: Outputs | None = None,
    ) -> tuple[int, npt.NDArray[np.void]]:
        """Evaluate slice k on sample k, for each k. Return how many are done, and an array with their results first."""
        results = np.zeros(len(slices), RESULT_TYPE)
        slices, samples = (np.ascontiguousarray(each, np.uint32) for each in (slices, samples))
        done = self.library.call(
            "batt_run",
            *(self.handle, program.handle, batch.handle, _at(slices), _at(samples), len(slices)),
            *(byref(budget), _at(results), byref(outputs) if outputs is not None else None),
            *(byref(self.stop), byref(self.done)),
        )
        return int(done), results


def _freeze(owner: _NativeObject, name: str, place: Place, *more: Any) -> tuple[Bytes, int]:
    """Return the object as bytes for a device, and the address at which they will lie."""
    size = int(owner.library.call(name, owner.handle, 0, None, 0, *more))
    if not size:
        raise UsageError("not enough memory to make a program or its samples ready for a GPU; use --engine cpu")
    base, data = place(size), np.empty(size, np.uint8)
    if owner.library.call(name, owner.handle, base, _at(data), size, *more) != size:
        raise InternalError(f"{name} gives a different number of bytes than before")
    return data, base


def _at(array: npt.NDArray[Any]) -> int:
    """Return the address of an array's items. The caller keeps the array alive."""
    return array.ctypes.data
