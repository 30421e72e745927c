"""What the legacy names share: which engine they use, what they say of it, and how a value leaves a column."""

from __future__ import annotations

import sys
from typing import Any

from batt.errors import UsageError
from batt.ir.interpreter import RAISED
from batt.jobs import Failed, choose_engine
from batt.lazy import Batch, Column
from batt.runtime import cuda, native
from batt.runtime.cuda.selection import Devices

_told: set[str] = set()


def no_gpu() -> str | None:
    """Why the cuda engine cannot be used, and what to do; None where it can."""
    return native.missing() or cuda.missing()


def engine_for(use_gpu: bool) -> str:
    """The cuda engine where it is asked for and there, else the best that is; a GPU that is missing is told of once."""
    if not use_gpu:
        return choose_engine("auto").engine
    why = no_gpu()
    if why is None:
        return "cuda"
    tell(f"GPU not available, using the CPU: {why}")
    return choose_engine("auto").engine


def tell(line: str) -> None:
    """Say a line on standard error, each once."""
    if line not in _told:
        _told.add(line)
        print(f"batt: {line}", file=sys.stderr)


def new_batch(engine: str, devices: Devices = None) -> Batch:
    """Columns that are run on an engine, which says so where it is not the one that was meant."""
    return Batch(engine, tell=tell, devices=devices)


def plain(column: Column, at: int = 0) -> Any:
    """The value of a column for a sample; where the reference raises an error, the same one is raised."""
    value = column.at(at)
    if not isinstance(value, Failed):
        return value
    why = column.why(at) or value
    where = f" in {why.op}" if why.op else ""
    if value.kind in RAISED:
        raise RAISED[value.kind](f"{value.kind}{where}")
    raise UsageError(f"no value: {value.kind}{where}")
