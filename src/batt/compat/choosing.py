"""Choose the engine that a legacy name uses, print notes about it, and take values out of columns."""

from __future__ import annotations

from typing import Any

from batt.card.running import tell_once
from batt.errors import UsageError
from batt.ir.interpreter import RAISED
from batt.jobs import Failed, choose_engine
from batt.lazy import Batch, Column
from batt.runtime import cuda, native
from batt.runtime.cuda.selection import Devices


def no_gpu() -> str | None:
    """Return why the cuda engine cannot run and what to do about it, or None if it can run."""
    return native.missing() or cuda.missing()


def engine_for(use_gpu: bool) -> str:
    """Return "cuda" if `use_gpu` is true and a GPU is available, else the engine that `auto` chooses."""
    why = no_gpu() if use_gpu else None
    if use_gpu and why is None:
        return "cuda"
    if why is not None:
        tell(f"GPU not available, using the CPU: {why}")
    return choose_engine("auto").engine


def tell(line: str) -> None:
    """Print `line` to standard error unless it was printed before."""
    tell_once(f"batt: {line}")


def new_batch(engine: str, devices: Devices = None) -> Batch:
    """Return a batch that runs on `engine` and reports when another engine had to run."""
    return Batch(engine, tell=tell, devices=devices)


def plain(column: Column, at: int = 0) -> Any:
    """Return the value of `column` for sample `at`, or raise the error that the primitive raises."""
    value = column.at(at)
    if not isinstance(value, Failed):
        return value
    why = column.why(at) or value
    where = f" in {why.op}" if why.op else ""
    if value.kind in RAISED:
        raise RAISED[value.kind](f"{value.kind}{where}")
    raise UsageError(f"no value: {value.kind}{where}")
