"""The figures of a measurement as plain data: rates, ratios and shares.

A ratio is how many times faster a column is than the first one. Ratios by evaluation exist only for columns whose time
by evaluation is all of their work: shared values are staged before solvers run, and belong to none of them.
"""

from __future__ import annotations

import warnings
from dataclasses import asdict
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.bench.columns import ColumnKind
from batt.bench.measure import Measured, Measurement
from batt.bench.passes import CLIPPED_NS, GpuPass
from batt.runtime import Status

COSTLIEST = 20


def figures(measurement: Measurement, costliest: int = COSTLIEST) -> dict[str, Any]:
    """Return all figures of a case."""
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
        first = measurement.columns[0]
        timed = next((each for each in measurement.columns if each.column.times_each), first)
        ranked = np.argsort(-_times_by_solver(measurement, timed), kind="stable")[:costliest]
        without = ~np.isin(case.pairs[0][measurement.compared], ranked)
        told["columns"] = [_column(measurement, first, each, without) for each in measurement.columns]
        told["costliest"] = _costliest(measurement, ranked)
    return told


def _column(
    measurement: Measurement, first: Measured, each: Measured, without: npt.NDArray[np.bool_]
) -> dict[str, Any]:
    """Return the figures of a column; `without` marks the evaluations of all but the costliest solvers."""
    total_s = float(np.median(each.totals_s))
    whole, by_each = len(measurement.compared), each.column.times_each and first.column.times_each
    done, gpu = each.first, each.first.on_gpu
    known = without & ~np.isnan(first.times_ns) & ~np.isnan(each.times_ns)
    return {
        "engine": each.column.name,
        "passes": len(each.passes),
        "total_s": total_s,
        "total_min_s": float(each.totals_s.min()),
        "total_max_s": float(each.totals_s.max()),
        "evaluations_per_s": _ratio(whole, total_s),
        "running_per_s": _ratio(whole, np.median(each.running_s)),
        "ratio": _ratio(np.median(first.totals_s), total_s),
        "ratio_median_evaluation": _median(first.times_ns / np.maximum(each.times_ns, 1.0)) if by_each else None,
        "ratio_of_medians": _ratio(_median(first.times_ns), _median(each.times_ns)) if by_each else None,
        "ratio_without_costliest": _ratio(first.times_ns[known].sum(), each.times_ns[known].sum()) if by_each else None,
        "median_evaluation_ns": _median(each.times_ns) if each.column.times_each else None,
        "setup_s": each.ready.setup_s,
        "first_result_s": each.ready.setup_s + done.first_s,
        "base_bytes": each.ready.base_bytes,
        "peak_bytes": each.peak_bytes,
        "left_out": int(done.left_out.sum()),
        "deferred": sum(done.deferred.values()),
        "causes": dict(done.deferred),
        "clipped": int((done.times_ns >= CLIPPED_NS).sum()) if not each.column.in_python else 0,
        "ratio_to_all_cores": None if gpu is None else _ratio(_all_cores_s(measurement), total_s),
        "gpu": None if gpu is None else _gpu_figures(measurement, each, gpu),
        "statuses": _statuses(done.records["status"]),
        "agrees": _agreement(measurement, each),
    }


def _gpu_figures(measurement: Measurement, each: Measured, first: GpuPass) -> dict[str, Any]:
    """Return what GPUs finished and deferred. Shares are of the CPU's time for all that is compared, None if unknown.

    The CPU's time by evaluation is known from a column of the cpu engine without sharing.
    """
    case, compared = measurement.case, measurement.compared
    deferred, solvers = first.deferred[compared], case.pairs[0][compared]
    cpus = [each for each in measurement.columns if each.column.kind is ColumnKind.CPU and each.column.times_each]
    times_ns = np.nan_to_num(cpus[0].times_ns) if cpus else np.zeros(len(compared))
    whole = times_ns.sum()
    by_solver = np.bincount(solvers, deferred, minlength=len(case.deck))
    taken = np.bincount(solvers, times_ns * deferred, minlength=len(case.deck))
    ranked = np.lexsort((-by_solver, -taken))
    in_ops = sum(first.op_s.values())
    passes = [one.on_gpu for one in each.passes if one.on_gpu is not None]
    return {
        "finished": first.finished,
        "deferred": int(first.deferred.sum()),
        "deferred_by_cause": dict(first.by_cause),
        "deferred_share": float(first.deferred.mean()) if len(first.deferred) else 0.0,
        "deferred_cpu_share": _ratio(times_ns[deferred].sum(), whole),
        "deferred_by_solver": [
            {
                "solver": case.deck[at].name,
                "evaluations": int(by_solver[at]),
                "cpu_share": _ratio(taken[at], whole),
            }
            for at in ranked[by_solver[ranked] > 0].tolist()
        ],
        "deferred_by_op": {name: taken_s / in_ops for name, taken_s in first.op_s.items()},
        "share_allowed": first.share_allowed,
        "first_pass": [asdict(card) for card in first.cards],
        "cards": [[asdict(card) for card in one.cards] for one in passes],
        "notes": list(dict.fromkeys(note for one in (first, *passes) for note in one.notes)),
    }


def _all_cores_s(measurement: Measurement) -> float | None:
    """Return the time of the cpu engine on most threads, with or without sharing, whichever takes less."""
    cpus = [each for each in measurement.columns if each.column.kind is ColumnKind.CPU and not each.column.outputs]
    most = max([each.column.threads for each in cpus], default=0)
    return min([float(np.median(each.totals_s)) for each in cpus if each.column.threads == most], default=None)


def _agreement(measurement: Measurement, each: Measured) -> int | None:
    """Count the compared evaluations that end alike in plain Python, whose sets have another order, and in batt."""
    exact = [other for other in measurement.columns if other.column.is_exact]
    if each.column.kind is not ColumnKind.PLAIN or not exact:
        return None
    ours, plain = (other.first.records[measurement.compared] for other in (exact[0], each))
    same = np.logical_and.reduce([ours[name] == plain[name] for name in ("status", "error", "hash")])
    return int(same.sum())


def _times_by_solver(measurement: Measurement, each: Measured) -> npt.NDArray[np.float64]:
    """Return the time of each solver in a column, in nanoseconds."""
    solvers = measurement.case.pairs[0][measurement.compared]
    times_ns = np.nan_to_num(each.times_ns)
    return np.bincount(solvers, times_ns, minlength=len(measurement.case.deck)).astype(np.float64)


def _costliest(measurement: Measurement, ranked: npt.NDArray[np.int64]) -> list[dict[str, Any]]:
    """Return the time and share of the solvers `ranked` in every column that times each evaluation."""
    sums = {each.column.name: _times_by_solver(measurement, each)
            for each in measurement.columns if each.column.times_each}  # fmt: skip
    counts = np.bincount(measurement.case.pairs[0][measurement.compared], minlength=len(measurement.case.deck))
    return [
        {
            "solver": measurement.case.deck[solver].name,
            "evaluations": int(counts[solver]),
            "time_s": {name: total[solver] / 1e9 for name, total in sums.items()},
            "share": {name: _ratio(total[solver], total.sum()) or 0.0 for name, total in sums.items()},
        }
        for solver in ranked.tolist()
        if sums
    ]


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
