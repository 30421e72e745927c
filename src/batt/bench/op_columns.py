"""`batt bench columns`: columns of ten ops over the inputs of ARC-1 training, on all CPU threads and on a GPU.

All results of the two engines are compared. The GPU's arguments are there before the clock starts; what their upload
and the fetching of values take is measured beside it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from statistics import median
from typing import Any, TypeAlias

from rich.table import Table

from batt.runtime import cuda
from batt.states import DeviceColumn, OpColumn, OpenEngine, open_engine
from batt.tasks import load_tasks

ROWS = 343_600
TASKS = "arc1-training"
CALLS: dict[str, tuple[Any, ...]] = {
    "objects": (True, False, True),
    "ofcolor": (0,),
    "mostcolor": (),
    "hmirror": (),
    "upscale": (2,),
    "palette": (),
    "asobject": (),
    "shift": ((1, 1),),
    "fgpartition": (),
    "rot90": (),
}
"""The ops, each with the arguments after the first, which is a grid; of `shift` it is the object of the grid."""
COMPARED = ("status", "error", "hash", "steps", "shape")
AnyColumn: TypeAlias = OpColumn | DeviceColumn


@dataclass(slots=True)
class OpFigures:
    """The time of one op for all rows: the least of all passes, in milliseconds. `deferred` rows ran on the CPU."""

    op: str
    cpu_ms: float
    gpu_ms: float | None = None
    fetch_ms: float | None = None
    deferred: int = 0
    equal: bool = True

    @property
    def ratio(self) -> float:
        """Return how many times as long the CPU took as the GPU, data resident; 0 without a GPU."""
        return self.cpu_ms / self.gpu_ms if self.gpu_ms else 0.0


@dataclass(slots=True)
class OpColumnsFigures:
    """The figures: the rows, the CPU threads, the upload of all grids, and each op."""

    rows: int
    workers: int
    has_gpu: bool
    upload_ms: float | None = None
    ops: list[OpFigures] = field(default_factory=list)

    @property
    def equal(self) -> bool:
        """Tell whether all results of the engines are equal."""
        return all(each.equal for each in self.ops)


def measure_op_columns(rows: int = ROWS, workers: int | None = None, repeat: int = 3) -> OpColumnsFigures:
    """Measure the columns of all ops in `repeat` passes, on a GPU as well if there is one."""
    grids = [pair.input for task in load_tasks(TASKS) for pair in task.pairs]
    given = (grids * (rows // len(grids) + 1))[:rows]
    has_gpu = cuda.missing() is None
    with open_engine(engine="cpu", workers=workers) as cpu:
        told = OpColumnsFigures(rows, cpu.options.workers, has_gpu)
        columns = _arguments(cpu, given)
        if not has_gpu:
            told.ops = [OpFigures(op, _least(_call(cpu, op, columns), repeat)[0]) for op in CALLS]
            return told
        with open_engine(engine="cuda", workers=workers) as gpu:
            placed = _arguments(gpu, columns[0])
            started = time.perf_counter()
            gpu.columns("identity", cpu.columns("identity", columns[0]))
            whole = (time.perf_counter() - started) * 1000
            copying = _least(lambda: gpu.columns("identity", placed[0]), 1)[0]
            on_cpu = _least(lambda: cpu.columns("identity", columns[0]), 1)[0]
            told.upload_ms = max(0.0, whole - copying - on_cpu)
            told.ops = [_measure(op, (cpu, columns), (gpu, placed), repeat) for op in CALLS]
    return told


def _arguments(engine: OpenEngine, grids: Any) -> tuple[AnyColumn, AnyColumn]:
    """Return the columns of grids and of their objects."""
    made = engine.columns("identity", grids)
    return made, engine.columns("asobject", made)


def _call(engine: OpenEngine, op: str, columns: tuple[AnyColumn, AnyColumn]) -> Callable[[], AnyColumn]:
    return lambda: engine.columns(op, columns[op == "shift"], *CALLS[op])


def _least(call: Callable[[], AnyColumn], repeat: int) -> tuple[float, AnyColumn]:
    """Return the least time of a call in milliseconds, and what it returned last."""
    times: list[float] = []
    for _ in range(repeat):
        made = None
        started = time.perf_counter()
        made = call()
        times.append((time.perf_counter() - started) * 1000)
    assert made is not None
    return min(times), made


def _measure(
    op: str,
    cpu: tuple[OpenEngine, tuple[AnyColumn, AnyColumn]],
    gpu: tuple[OpenEngine, tuple[AnyColumn, AnyColumn]],
    repeat: int,
) -> OpFigures:
    on_gpu, on_cpu = _call(gpu[0], op, gpu[1]), _call(cpu[0], op, cpu[1])
    # The first call compiles the kernel and learns how much memory values take.
    on_gpu()
    gpu_ms, made = _least(on_gpu, repeat)
    cpu_ms, wanted = _least(on_cpu, repeat)
    equal = all((made.results[name] == wanted.results[name]).all() for name in COMPARED)
    told = OpFigures(op, cpu_ms, gpu_ms, equal=equal)
    if isinstance(made, DeviceColumn):
        told.deferred = len(made.deferred)
        started = time.perf_counter()
        on_host = made.fetched
        told.fetch_ms = (time.perf_counter() - started) * 1000
        told.equal &= len(on_host) == len(wanted)
    return told


def op_columns_table(told: OpColumnsFigures) -> Table:
    """Return the figures as a table for the terminal."""
    table = Table("op", f"cpu:{told.workers} ms", "GPU ms", "ratio", "with transfers ms", "deferred", "equal", box=None)
    for row in op_columns_rows(told):
        table.add_row(*row)
    return table


def op_columns_rows(told: OpColumnsFigures) -> Iterator[tuple[str, ...]]:
    """Yield the cells of each op, then those of the median."""
    for each in told.ops:
        if each.gpu_ms is None:
            yield each.op, f"{each.cpu_ms:.1f}", "", "", "", "", ""
            continue
        moved = each.gpu_ms + (told.upload_ms or 0) + (each.fetch_ms or 0)
        cells = f"{each.cpu_ms:.1f}", f"{each.gpu_ms:.1f}", f"{each.ratio:.1f} ×", f"{moved:.0f}"
        yield each.op, *cells, f"{each.deferred:,}", "yes" if each.equal else "NO"
    if told.has_gpu:
        yield "median", "", "", f"{median([each.ratio for each in told.ops]):.1f} ×", "", "", ""
