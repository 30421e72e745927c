"""Find out whether a GPU can be used, and if not, why and what to do. CuPy is handed in, not imported."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from batt.runtime.cuda.faults import NoGpu

OLDEST_CUPY = 14
OLDEST_CAPABILITY = (6, 0)

CUDA12 = "pip install '.[cuda12]'"
CUDA13 = "pip install '.[cuda13]'"
_EITHER = f"in batt's source folder: {CUDA13} (for drivers older than 580: {CUDA12})"
_TO_CUDA12 = f"pip uninstall cupy-cuda13x, then in batt's source folder: {CUDA12}"

GPU_FILES = (("/proc/driver/nvidia/gpus", "*"), ("/dev", "nvidia[0-9]*"))
"""Folders with the names of the files that Linux has for each GPU, if it has an NVIDIA driver."""
_TOOL = "nvidia-smi.exe"
"""A program of the NVIDIA driver for Windows."""

_NO_DEVICE = 100
_OLD_DRIVER = 35


@dataclass(frozen=True, slots=True)
class Target:
    """The target that NVRTC compiles for, such as `sm_90`, and the version of NVRTC."""

    name: str
    compiler: str


def in_sight() -> bool:
    """Tell whether this process can see an NVIDIA GPU, usable or not. Needs neither CuPy nor a call of the driver."""
    if os.environ.get("CUDA_VISIBLE_DEVICES", "0").strip() in ("", "-1"):
        return False
    return any(next(Path(folder).glob(names), None) for folder, names in GPU_FILES) or shutil.which(_TOOL) is not None


def imported(load: Callable[[], Any]) -> Any:
    """Return CuPy as `load` imports it; raise NoGpu if it is missing, broken, too old or not for NVIDIA."""
    try:
        cupy = load()
        version = str(cupy.__version__)
        cuda = cupy.cuda
        is_hip = cuda.runtime.is_hip
    except (ImportError, AttributeError, OSError, RuntimeError, TypeError, ValueError) as error:
        if isinstance(error, ModuleNotFoundError) and error.name == "cupy":
            raise NoGpu(f"CuPy is not installed; to use a GPU, run {_EITHER}") from None
        raise NoGpu(f"CuPy is broken ({_first_cause(error)}); uninstall it, then run {_EITHER}") from None
    if is_hip:
        raise NoGpu(f"CuPy is installed for AMD cards; uninstall it, then run {_EITHER}")
    major = version.partition(".")[0]
    if not major.isdecimal() or int(major) < OLDEST_CUPY:
        raise NoGpu(f"CuPy {version} is too old, {OLDEST_CUPY} is needed; uninstall it, then run {_EITHER}")
    return cupy


def count_of(cupy: Any) -> int:
    """Count the GPUs; raise NoGpu if there is none."""
    runtime = cupy.cuda.runtime
    try:
        count = int(runtime.getDeviceCount())
    except RuntimeError as error:
        raise NoGpu(_why_none(runtime, error)) from None
    if not count:
        raise NoGpu(_invisible())
    return count


def name_of(cupy: Any, number: int) -> str:
    """Return the name of a GPU."""
    name = _properties(cupy, number)["name"]
    return name.decode(errors="replace") if isinstance(name, bytes) else str(name)


def unfit(cupy: Any, number: int) -> str | None:
    """Return why a GPU cannot be used, and what to do; None if it can."""
    properties = _properties(cupy, number)
    major, minor = int(properties["major"]), int(properties["minor"])
    if (major, minor) < OLDEST_CAPABILITY:
        return f"{name_of(cupy, number)} is too old: its compute capability is {major}.{minor}, 6.0 is needed"
    try:
        best_target(cupy, f"{major}.{minor}")
    except NoGpu as error:
        return f"{name_of(cupy, number)}: {error}"
    return None


def best_target(cupy: Any, capability: str | None) -> Target:
    """Return the target to compile for: the capability, or the next lower minor version, whose code runs there too."""
    nvrtc = cupy.cuda.nvrtc
    try:
        major, minor = nvrtc.getVersion()
        known = sorted(divmod(int(each), 10) for each in nvrtc.getSupportedArchs())
    except (RuntimeError, ImportError, OSError, AttributeError) as error:
        package = "nvidia-cuda-nvrtc" if cupy.cuda.runtime.runtimeGetVersion() >= 13000 else "nvidia-cuda-nvrtc-cu12"
        raise NoGpu(f"CuPy finds no NVRTC ({_line(error)}); pip install {package}") from None
    compiler = f"{major}.{minor}"
    if capability is None:
        return Target("", compiler)
    wanted = tuple(map(int, capability.split(".")))
    fitting = [each for each in known if each[0] == wanted[0] and each <= wanted]
    if fitting:
        return Target("sm_{}{}".format(*fitting[-1]), compiler)
    todo = _TO_CUDA12 if wanted < known[0] else f"a newer one is needed; run in batt's source folder: {CUDA13}"
    raise NoGpu(f"NVRTC {compiler} does not compile for compute capability {capability}; {todo}")


def version_text(number: int) -> str:
    """Return a version of CUDA as a text: 13020 is 13.2."""
    return f"{number // 1000}.{number % 1000 // 10}"


def _properties(cupy: Any, number: int) -> Any:
    try:
        return cupy.cuda.runtime.getDeviceProperties(number)
    except RuntimeError as error:
        raise NoGpu(f"GPU {number} does not respond ({_line(error)}); see nvidia-smi") from None


def _why_none(runtime: Any, error: RuntimeError) -> str:
    status = getattr(error, "status", None)
    if status == _NO_DEVICE:
        return _invisible()
    if status != _OLD_DRIVER:
        return f"the NVIDIA driver does not respond ({_line(error)}); see nvidia-smi"
    # CUDA gives the same error where there is no driver at all.
    driver, needed = int(runtime.driverGetVersion()), int(runtime.runtimeGetVersion())
    if not driver:
        return "no NVIDIA driver is installed; a GPU needs one (nvidia-smi must work)"
    words = f"the NVIDIA driver is too old: it is for CUDA {version_text(driver)}, CuPy for {version_text(needed)}"
    return f"{words}; update it{f', or {_TO_CUDA12}' if driver >= 12000 and needed >= 13000 else ''}"


def _invisible() -> str:
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if visible is not None:
        return f"no GPU is visible: CUDA_VISIBLE_DEVICES is {visible!r}; unset it, or name a GPU that is there"
    return "the NVIDIA driver finds no GPU; see nvidia-smi"


def _first_cause(error: BaseException) -> str:
    while error.__cause__ is not None:
        error = error.__cause__
    return _line(error)


def _line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__
