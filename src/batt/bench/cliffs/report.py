"""The cliffs that were found: as data, as a table for the terminal, and as lines for a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from batt.bench.cliffs.judge import BEST_NS, LIMIT, Case, Judged, judge
from batt.bench.plot import lines_svg

SHOWN, DRAWN = 40, 12
"""Rows of the table, and lines of the picture."""
HEADS = ("op", "call", "shape", "form", "items", "ns a step", "ns a byte", "× best", "× form", "reason")


def told_cliffs(cases: Sequence[Case]) -> dict[str, Any]:
    """Return all figures as plain data, the slowest relative to its op first."""
    judged = judge(cases)
    ops = {each.case.name for each in judged}
    slow = {each.case.name for each in judged if each.is_cliff}
    return {
        "limit": LIMIT,
        "cases": len(cases),
        "judged": len(judged),
        "names": len(ops),
        "above": sorted(slow),
        "rows": [_row(each) for each in judged],
    }


def _row(each: Judged) -> dict[str, Any]:
    case = each.case
    finished = case.steps is not None
    return {
        "name": case.name,
        "call": case.call,
        "shape": case.shape,
        "form": ", ".join(filter(None, (case.form, case.second))),
        "items": case.size,
        "steps": case.steps,
        "time_ns": case.time_ns,
        "step_ns": case.step_ns if finished else None,
        "byte_ns": each.byte_ns,
        "factor": each.factor if finished else None,
        "factor_of_form": each.factor_of_form if finished else None,
        "is_cliff": each.is_cliff,
        "reason": each.reason or case.ended,
    }


def worst(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the slowest row of each call, the slowest first."""
    first: dict[str, dict[str, Any]] = {}
    for row in rows:
        first.setdefault(f"{row['name']} {row['call']}", row)
    return list(first.values())


def cliffs_table(figures: dict[str, Any], shown: int = SHOWN) -> RenderableType:
    """Return the slowest case of each of the slowest calls."""
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="dim")
    for at, head in enumerate(HEADS):
        table.add_column(head, justify="right" if 4 <= at <= 8 else "left")
    for row in worst(figures["rows"])[:shown]:
        times = [_figure(row[key]) for key in ("step_ns", "byte_ns", "factor", "factor_of_form")]
        labels = [Text(row[key]) for key in ("name", "call", "shape", "form")]
        table.add_row(*labels, f"{row['items']:,}", *times, row["reason"] or ("cliff" if row["is_cliff"] else ""))
    head = (
        f"{figures['judged']:,} of {figures['cases']:,} cases judged; {len(figures['above'])} of {figures['names']} "
        f"ops and loops have a case above {LIMIT:g} × their best time a step ({BEST_NS:g} ns at least) without a reason"
    )
    return Group(Text("time a step by op, shape and form", style="bold"), Text(head, style="dim"), table)


def cliffs_svg(figures: dict[str, Any]) -> str:
    """Draw the time a step of the slowest shape and form by number of items, for the slowest ops."""
    names = list(dict.fromkeys(row["name"] for row in figures["rows"]))[:DRAWN]
    lines: dict[str, list[tuple[float, float]]] = {}
    for name in names:
        by_size: dict[int, float] = {}
        for row in figures["rows"]:
            if row["name"] == name and row["step_ns"]:
                by_size[row["items"]] = max(by_size.get(row["items"], 0.0), row["step_ns"])
        lines[name] = sorted(by_size.items())
    return lines_svg("ns a step of the slowest shape and form, by items", lines, " ns")


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:,.1f}"
