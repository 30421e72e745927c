"""What is told of GPUs: what they left to the threads, by cause, solver and op, and the memory of their cards.

What an evaluation takes on the CPU is known from a column that times each: the cpu engine without sharing.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from batt.bench.columns import Kind
from batt.bench.measure import Measured, Measurement
from batt.bench.runner import OnGpu

SHOWN = 10


def gpu_figures(measurement: Measurement, each: Measured, first: OnGpu) -> dict[str, Any]:
    """The figures of a column of GPUs; shares are of the CPU's time for all that is compared, None where unknown."""
    case, compared = measurement.case, measurement.compared
    left = first.left[compared]
    solvers = case.pairs[0][compared]
    timed = [other for other in measurement.columns if other.column.kind is Kind.CPU and other.column.times_each]
    times_ns = np.nan_to_num(timed[0].times_ns) if timed else np.zeros(len(compared))
    whole = float(times_ns.sum())
    by_solver = np.bincount(solvers, left, minlength=len(case.deck))
    taken = np.bincount(solvers, times_ns * left, minlength=len(case.deck))
    ranked = np.lexsort((-by_solver, -taken))
    in_ops = sum(first.left_op_s.values())
    return {
        "finished": first.finished,
        "left_over": int(first.left.sum()),
        "left_over_by_cause": dict(first.left_by),
        "left_over_share": float(first.left.mean()) if len(first.left) else 0.0,
        "left_over_cpu_share": float(times_ns[left].sum()) / whole if whole else None,
        "left_over_by_solver": [
            {
                "solver": case.deck[int(at)].name,
                "evaluations": int(by_solver[at]),
                "cpu_share": float(taken[at]) / whole if whole else None,
            }
            for at in ranked.tolist()
            if by_solver[at]
        ],
        "left_over_by_op": {name: taken_s / in_ops for name, taken_s in first.left_op_s.items()},
        "share_allowed": first.share_allowed,
        "first_pass": [asdict(card) for card in first.cards],
        "cards": [[asdict(card) for card in one.cards] for one in each.on_gpu],
        "notes": list(dict.fromkeys(note for one in (first, *each.on_gpu) for note in one.notes)),
    }


def gpu_lines(told: dict[str, Any]) -> list[str]:
    """The same in words, a fact a line."""
    share = told["left_over_cpu_share"]
    on_cpu = f", {share:.1%} of the CPU's time for all" if share is not None else ""
    lines = [f"{told['finished']:,} finished on GPUs; {told['left_over']:,} left over "
             f"({told['left_over_share']:.2%}{on_cpu})"]  # fmt: skip
    lines += [f"left over: {cause}: {count:,}" for cause, count in told["left_over_by_cause"].items()]
    if told["left_over_by_solver"]:
        named = [_solver(each) for each in told["left_over_by_solver"][:SHOWN]]
        lines.append(f"left over by solver: {', '.join(named)}{_more(told['left_over_by_solver'])}")
    if told["left_over_by_op"]:
        named = [f"{name} {part:.1%}" for name, part in list(told["left_over_by_op"].items())[:SHOWN]]
        lines.append(f"their time on the CPU by op: {', '.join(named)}{_more(told['left_over_by_op'])}")
    passes = told["cards"] or [told["first_pass"]]
    for at, card in enumerate(passes[0]):
        peak = max(one[at]["peak_bytes"] for one in passes) / card["total_bytes"]
        kept = max(one[at]["after_bytes"] - one[at]["before_bytes"] for one in passes)
        lines.append(
            f"{card['name']}: at most {peak:.1%} of its memory in use (allowed {told['share_allowed']:.0%}), "
            f"{max(0, kept):,} bytes more after a pass than before it"
        )
    return [*lines, *told["notes"]]


def _solver(each: dict[str, Any]) -> str:
    share = "" if each["cpu_share"] is None else f" ({each['cpu_share']:.1%})"
    return f"{each['solver']} {each['evaluations']:,}{share}"


def _more(items: Any) -> str:
    return f", and {len(items) - SHOWN:,} more" if len(items) > SHOWN else ""
