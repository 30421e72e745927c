"""The kernel's own source, compiled for the host, as a fake card's kernel: one lane runs all of a launch."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from batt.own.building import COMPILERS
from batt.runtime.cuda.modes import THREADS
from batt.runtime.native import NativeBatch, NativeProgram
from fake_cupy import FakeCupy
from fake_kernel import FakeKernel, mode_of

SOURCE = Path(__file__).with_name("host_kernel.cpp")
FLAGS = ("-std=c++17", "-O0", "-w", "-fPIC", "-shared", "-fvisibility=hidden")
STRICT = ("-fsanitize=alignment", "-fsanitize-undefined-trap-on-error")
"""A device does not read a word that is not aligned; a host that does not ends the process."""


def compiled(folder: Path) -> dict[bool, ctypes.CDLL]:
    """Compile the kernel for threads and for warps (True); the test is skipped where there is no compiler."""
    compiler = next(filter(None, map(shutil.which, COMPILERS)), None)
    if compiler is None:
        pytest.skip(f"none of {', '.join(COMPILERS)} is there")

    def form(is_warps: bool) -> ctypes.CDLL:
        path = folder / f"kernel{is_warps:d}.so"
        more = ["-DTOGETHER"] if is_warps else []
        subprocess.run([compiler, *FLAGS, *STRICT, *more, str(SOURCE), "-o", str(path)], check=True, timeout=600)
        return ctypes.CDLL(str(path))

    with ThreadPoolExecutor(2) as both:
        return dict(zip((False, True), both.map(form, (False, True)), strict=True))


class HostKernel(FakeKernel):
    """The kernel as it is: the rules of a FakeKernel say nothing of it."""

    def __init__(
        self,
        cupy: FakeCupy,
        loaded: Callable[[], tuple[NativeProgram, NativeBatch]],
        forms: dict[bool, ctypes.CDLL],
    ) -> None:
        super().__init__(cupy, loaded)
        self.forms = forms

    def evaluate(self, told: np.void) -> None:
        self._run(mode_of(told) is not THREADS, "evaluate", told)

    def fill_stages(self, told: np.void) -> None:
        self._run(True, "stage", told)

    def _run(self, is_warps: bool, name: str, told: np.void) -> None:
        held = np.array(told)
        getattr(self.forms[is_warps], name)(ctypes.c_void_p(held.ctypes.data))
