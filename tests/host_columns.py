"""The kernels of columns and of states, compiled for the host, as those of a fake card."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from functools import partial
from pathlib import Path

import pytest

from batt.own.building import COMPILERS
from fake_cupy import FakeCupy
from host_kernel import FLAGS, STRICT

COLUMNS, STATES = (Path(__file__).with_name(f"host_{name}.cpp") for name in ("columns", "states"))


def compiled(folder: Path, source: Path = COLUMNS) -> ctypes.CDLL:
    """Compile the kernels of all ops; the test is skipped where there is no compiler."""
    compiler = next(filter(None, map(shutil.which, COMPILERS)), None)
    if compiler is None:
        pytest.skip(f"none of {', '.join(COMPILERS)} is there")
    path = folder / f"{source.stem}.so"
    subprocess.run([compiler, *FLAGS, *STRICT, str(source), "-o", str(path)], check=True, timeout=600)
    return ctypes.CDLL(str(path))


def give(cupy: FakeCupy, library: ctypes.CDLL) -> None:
    """Make the kernels those of a fake card: one thread runs all rows of a launch."""
    cupy.column_kernel = partial(_run, library.column)
    cupy.pack_kernel = partial(_run, library.pack)


def give_states(cupy: FakeCupy, library: ctypes.CDLL) -> None:
    """The same for the kernels of states."""
    cupy.states_kernel = partial(_run, library.states)
    cupy.pack_kernel = partial(_run, library.pack)


def _run(function: ctypes._CFuncPtr, blocks: int, threads: int, argument: int) -> None:
    function(ctypes.c_void_p(argument))
