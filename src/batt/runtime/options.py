"""The options of a run: one frozen object, made where a run begins and then passed on unchanged.

Only `read_options` reads the environment, and only the outermost caller calls it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import Any

from batt.errors import UsageError
from batt.runtime.cluster.choice import ClusterChoice, read_cluster
from batt.runtime.cuda.memory import FRACTION, fraction
from batt.runtime.cuda.selection import Devices, Numbers, device_numbers
from batt.runtime.memory import MEMORY, WorkerMemory
from batt.runtime.outcome import Limits

WORK = 2_000_000_000
"""Comparisons and copies, which are not steps, after which native code defers an evaluation."""


def usable_cores() -> int:
    """Return the number of CPU cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_workers(workers: int | None) -> int:
    """Return the number of workers to use; by default one per core."""
    if workers is not None and workers < 1:
        raise UsageError(f"the number of workers must be at least 1, got {workers}")
    return workers or usable_cores()


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a run. Only `limits` can change an outcome.

    `engine` is a name. `devices` are the GPUs of the workers, and `gpu_memory` is the fraction of a GPU's memory that
    may be in use. `workers` is the number of threads or processes, and `memory` how each uses memory. With `outputs`,
    values are kept. With `compiled`, programs are compiled to one graph, and with `share` shared steps run once per
    sample; None leaves the choice open. After `work` comparisons and copies, native code defers an evaluation. `verify`
    tells whether to check graphs and images; None is the compiler's default. With a `cluster`, its workers run the
    evaluations, and `engine` and `workers` are those of this process. With `scores`, values are scored beyond equality.
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
    cluster: ClusterChoice | None = None
    scores: bool = False

    @property
    def engine_name(self) -> str:
        """Return what ran the evaluations, for people."""
        return self.engine if self.cluster is None else "cluster"


def read_options(
    *,
    devices: Devices = None,
    limits: Limits | None = None,
    workers: int | None = None,
    gpu_memory: float | None = None,
    cluster: str | None = None,
    engine: str = "auto",
    **others: Any,
) -> Options:
    """Check the options that a person gives, and take those that are not given from the environment.

    With a `cluster`, the engine, the devices and the threads are those of its workers.
    """
    numbers = device_numbers(devices)
    chosen = None
    if cluster is not None:
        check_workers(workers)
        chosen = replace(read_cluster(cluster), engine=engine, devices=numbers, threads=workers)
        workers, numbers = None, None
    return Options(
        engine=engine,
        cluster=chosen,
        devices=numbers,
        limits=limits or Limits(),
        workers=check_workers(workers),
        gpu_memory=fraction(gpu_memory),
        **others,
    )
