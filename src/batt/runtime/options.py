"""How programs are run: one frozen object, read where a run begins and handed on as it is.

The environment is read in `read_options` alone, which only the outermost caller calls.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

from batt.errors import UsageError
from batt.runtime.cuda.memory import FRACTION, fraction
from batt.runtime.cuda.selection import Devices, Numbers, device_numbers
from batt.runtime.memory import MEMORY, WorkerMemory
from batt.runtime.outcome import Limits

WORK = 2_000_000_000
"""Comparisons and copies, which steps do not count, after which native code defers an evaluation."""


def usable_cores() -> int:
    """Processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_workers(workers: int | None) -> int:
    """The number of workers to use; by default one per core."""
    if workers is not None and workers < 1:
        raise UsageError(f"the number of workers must be at least 1, got {workers}")
    return workers or usable_cores()


@dataclass(frozen=True, slots=True)
class Options:
    """How programs are run. Outcomes depend on `limits` alone.

    `engine` is a name; `devices` are the GPUs of the engine's workers, and `gpu_memory` the fraction of a GPU's memory
    that may be in use. `workers` is the number of threads or processes, `memory` how each uses it. With `outputs` the
    values are kept. With `compiled` programs are compiled to one graph, and with `share` what they share is computed
    once per sample; None leaves that open. `work` are the comparisons and copies, which steps do not count, after which
    native code defers an evaluation. With `verify` graphs and images are checked, with None where the compiler
    checks by default.
    """

    engine: str = "auto"
    devices: Numbers | None = None
    limits: Limits = field(default_factory=Limits)
    workers: int = field(default_factory=usable_cores)
    outputs: bool = False
    share: bool | None = None
    compiled: bool | None = None
    gpu_memory: float = FRACTION
    verify: bool | None = None
    memory: WorkerMemory = MEMORY
    work: int = WORK


def read_options(
    *,
    devices: Devices = None,
    limits: Limits | None = None,
    workers: int | None = None,
    gpu_memory: float | None = None,
    **others: Any,
) -> Options:
    """The options as a person gives them, checked; the environment fills in what is not given."""
    return Options(
        devices=device_numbers(devices),
        limits=limits or Limits(),
        workers=check_workers(workers),
        gpu_memory=fraction(gpu_memory),
        **others,
    )
