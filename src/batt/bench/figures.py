"""What is told of a measurement. Owns rates, ratios and shares; says nothing of how they are shown.

Ratios are how many times faster than the first column. Those by evaluation are told only where a column's time by
evaluation is all of its work: what solvers share is staged before them and belongs to none.
"""

from __future__ import annotations

import os
import platform
import warnings
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.bench.columns import Kind
from batt.bench.leftover import gpu_figures
from batt.bench.measure import Measured, Measurement
from batt.bench.runner import CLIPPED_NS
from batt.runtime import Status, usable_cores

COSTLIEST = 20


def figures(measurement: Measurement, costliest: int = COSTLIEST) -> dict[str, Any]:
    """All figures of a case as plain data."""
    case = measurement.case
    told: dict[str, Any] = {
        "case": case.spec.name,
        "title": case.title,
        "deck": case.deck.name,
        "solvers": len(case.deck),
        "evaluations": len(case),
        "evaluations_of_the_case": case.whole,
        "compared": len(measurement.compared),
        "repeat": measurement.settings.repeat,
        "guard_s": measurement.settings.guard_s,
        "limits": asdict(measurement.settings.limits),
        "equal": not measurement.different,
        "different": measurement.different,
        "differences": list(measurement.differences),
        "columns": [],
        "costliest": [],
    }
    if measurement.columns and len(measurement.compared):
        ranked = _ranked(measurement)
        without = ~np.isin(case.pairs[0][measurement.compared], ranked[:costliest])
        first = measurement.columns[0]
        told["columns"] = [_column(measurement, first, each, without) for each in measurement.columns]
        told["costliest"] = _costliest(measurement, ranked[:costliest])
    return told


def machine() -> dict[str, Any]:
    """Where it was measured."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return {
        "cpu": names[0] if names else platform.machine(),
        "usable_cores": usable_cores(),
        "load": os.getloadavg()[0],
        "python": platform.python_version(),
        "system": platform.platform(),
    }


def _column(
    measurement: Measurement, first: Measured, each: Measured, without: npt.NDArray[np.bool_]
) -> dict[str, Any]:
    totals = np.array(each.totals_s)
    total_s = float(np.median(totals))
    whole, by_each = len(measurement.compared), each.column.times_each and first.column.times_each
    done = each.first
    told = {
        "engine": each.column.name,
        "passes": len(totals),
        "total_s": total_s,
        "total_min_s": float(totals.min()),
        "total_max_s": float(totals.max()),
        "evaluations_per_s": whole / total_s if total_s else None,
        "running_per_s": whole / float(np.median(each.running_s)) if total_s else None,
        "ratio": float(np.median(first.totals_s)) / total_s if total_s else None,
        "ratio_median_evaluation": None,
        "ratio_of_medians": None,
        "ratio_without_costliest": None,
        "median_evaluation_ns": _median(each.times_ns) if each.column.times_each else None,
        "setup_s": each.ready.setup_s,
        "first_result_s": each.ready.setup_s + done.first_s,
        "base_bytes": each.ready.base_bytes,
        "peak_bytes": each.peak_bytes,
        "left_out": int(done.left_out.sum()),
        "handed_down": int(done.handed_down.sum()),
        "clipped": int((done.times_ns >= CLIPPED_NS).sum()) if not each.column.in_python else 0,
        "ratio_to_all_cores": _ratio(_all_cores_s(measurement), total_s) if done.on_gpu is not None else None,
        "gpu": None if done.on_gpu is None else gpu_figures(measurement, each, done.on_gpu),
        "causes": dict(done.fallbacks),
        "statuses": _statuses(done.records["status"]),
        "agrees": _agreement(measurement, each),
    }
    if by_each:
        told["ratio_median_evaluation"] = _median(first.times_ns / np.maximum(each.times_ns, 1.0))
        told["ratio_of_medians"] = _ratio(_median(first.times_ns), _median(each.times_ns))
        known = without & ~np.isnan(first.times_ns) & ~np.isnan(each.times_ns)
        told["ratio_without_costliest"] = _ratio(first.times_ns[known].sum(), each.times_ns[known].sum())
    return told


def _all_cores_s(measurement: Measurement) -> float | None:
    """The time of the cpu engine on most threads, with or without sharing, whichever takes less."""
    cpus = [each for each in measurement.columns if each.column.kind is Kind.CPU and not each.column.outputs]
    most = max([each.column.threads for each in cpus], default=0)
    return min([float(np.median(each.totals_s)) for each in cpus if each.column.threads == most], default=None)


def _agreement(measurement: Measurement, each: Measured) -> int | None:
    """Of the compared evaluations, how many plain Python ends as ours do: its sets come in another order."""
    exact = [other for other in measurement.columns if other.column.is_exact]
    if each.column.kind is not Kind.PLAIN or not exact:
        return None
    ours, plain = (other.first.records[measurement.compared] for other in (exact[0], each))
    same = np.logical_and.reduce([ours[name] == plain[name] for name in ("status", "error", "hash")])
    return int(same.sum())


def _ranked(measurement: Measurement) -> npt.NDArray[np.int64]:
    """Solvers by their time in the first column whose times by evaluation are all of its work, the costliest first."""
    solvers = measurement.case.pairs[0][measurement.compared]
    each = next((each for each in measurement.columns if each.column.times_each), measurement.columns[0])
    times_ns = np.bincount(solvers, np.nan_to_num(each.times_ns), minlength=len(measurement.case.deck))
    return np.argsort(-times_ns, kind="stable")


def _costliest(measurement: Measurement, ranked: npt.NDArray[np.int64]) -> list[dict[str, Any]]:
    """The costliest solvers with their time and share in every column that tells time by evaluation."""
    solvers = measurement.case.pairs[0][measurement.compared]
    columns = [each for each in measurement.columns if each.column.times_each]
    sums = [
        np.bincount(solvers, np.nan_to_num(each.times_ns), minlength=len(measurement.case.deck)) for each in columns
    ]
    return [
        {
            "solver": measurement.case.deck[int(solver)].name,
            "evaluations": int((solvers == solver).sum()),
            "time_s": {each.column.name: total[solver] / 1e9 for each, total in zip(columns, sums, strict=True)},
            "share": {each.column.name: _ratio(total[solver], total.sum()) or 0.0
                      for each, total in zip(columns, sums, strict=True)},
        }
        for solver in ranked.tolist()
        if len(columns)
    ]  # fmt: skip


def _statuses(column: npt.NDArray[Any]) -> dict[str, int]:
    found = np.bincount(column, minlength=max(Status) + 1)
    return {status.word: int(found[status]) for status in Status if found[status]}


def _median(values: npt.NDArray[np.float64]) -> float | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        found = float(np.nanmedian(values)) if len(values) else float("nan")
    return None if np.isnan(found) else found


def _ratio(one: Any, other: Any) -> float | None:
    return float(one) / float(other) if one is not None and other else None
