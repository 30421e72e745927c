"""The figures of `batt bench` as tables for the terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

SHOWN_SOLVERS, SHOWN_DEFERRED = 20, 10


def _or_dash(written: Callable[[Any], str], value: Any) -> str:
    return "–" if value is None else written(value)


def _number(value: float | None) -> str:
    return _or_dash(lambda known: f"{known:,.0f}", value)


def _times(value: float | None) -> str:
    return _or_dash(lambda known: f"{known:,.1f} ×" if known >= 10 else f"{known:.2f} ×", value)


def _micros(value: float | None) -> str:
    return _or_dash(lambda known: f"{known / 1e3:,.1f} µs", value)


def _mb(count: int) -> str:
    return f"{max(0, count) / 2**20:,.0f}"


ROWS: dict[str, Callable[[dict[str, Any]], str]] = {
    "evaluations/s": lambda each: _number(each["evaluations_per_s"]),
    "… samples packed": lambda each: _number(each["running_per_s"]),
    "total s": lambda each: f"{each['total_s']:.3f}",
    "… least": lambda each: f"{each['total_min_s']:.3f}",
    "… most": lambda each: f"{each['total_max_s']:.3f}",
    "passes": lambda each: f"{each['passes']}",
    "ratio": lambda each: _times(each["ratio"]),
    "… to all cores": lambda each: _times(each["ratio_to_all_cores"]),
    "median evaluation": lambda each: _micros(each["median_evaluation_ns"]),
    "… ratio there": lambda each: _times(each["ratio_of_medians"]),
    "median ratio": lambda each: _times(each["ratio_median_evaluation"]),
    "ratio less costliest": lambda each: _times(each["ratio_without_costliest"]),
    "compile s": lambda each: f"{each['setup_s']:.2f}",
    "first result s": lambda each: f"{each['first_result_s']:.3f}",
    "peak MB (added)": lambda each: f"{_mb(each['peak_bytes'])} ({_mb(each['peak_bytes'] - each['base_bytes'])})",
}
"""The rows of a case's table."""
FOR_SOME = {"… to all cores"}
"""Rows that are left out if they are empty in all columns."""


def case_table(told: dict[str, Any], shown_solvers: int = SHOWN_SOLVERS) -> RenderableType:
    """Return the figures of one case, with a column for each engine that was measured."""
    head = Text(f"{told['case']}: {told['title']}", style="bold")
    if told["differences"] or not told["equal"]:
        lines = [Text(f"  {line}", style="red") for line in told["differences"]]
        return Group(head, Text(f"outcomes differ in {told['different']:,} evaluations:", style="red"), *lines)
    table = _empty("", *[each["engine"] for each in told["columns"]], wraps=False)
    for label, written in ROWS.items():
        cells = [written(each) for each in told["columns"]]
        if label not in FOR_SOME or any(cell != "–" for cell in cells):
            table.add_row(label, *cells)
    solvers = [_solvers(told, shown_solvers)] if told["costliest"] and shown_solvers else []
    return Group(head, *[Text(line, style="dim") for line in _notes(told)], table, *solvers)


def _notes(told: dict[str, Any]) -> list[str]:
    part = f" of {told['evaluations_of_the_case']:,}"
    limited = part if told["evaluations"] < told["evaluations_of_the_case"] else ""
    lines = [f"{told['evaluations']:,}{limited} evaluations, {told['compared']:,} compared; all outcomes equal"]
    for each in told["columns"]:
        if each["agrees"] is not None:
            same, left = f"{each['agrees']:,} of {told['compared']:,}", f"{each['left_out']:,}"
            lines.append(f"{each['engine']}: same outcome as batt in {same}; its sets iterate in hash order")
            lines.append(f"{each['engine']}: {left} left out: over {told['guard_s']:g} s, or it lacks a primitive")
        if each["deferred"]:
            lines.append(f"{each['engine']}: {each['deferred']:,} ran on the reference engine: {each['causes']}")
        if each["gpu"] is not None:
            lines += [f"{each['engine']}: {line}" for line in _gpu_lines(each["gpu"])]
        if each["clipped"]:
            lines.append(f"{each['engine']}: {each['clipped']:,} took 4.3 s or more, and count as that by evaluation")
    return lines


def _gpu_lines(told: dict[str, Any]) -> list[str]:
    """Return the figures of GPUs in words, a fact per line."""
    on_cpu = _share(told["deferred_cpu_share"], ", {:.1%} of the CPU's time for all")
    lines = [f"{told['finished']:,} finished on GPUs; {told['deferred']:,} deferred "
             f"({told['deferred_share']:.2%}{on_cpu})"]  # fmt: skip
    lines += [f"deferred: {cause}: {count:,}" for cause, count in told["deferred_by_cause"].items()]
    solvers = [f"{each['solver']} {each['evaluations']:,}{_share(each['cpu_share'], ' ({:.1%})')}"
               for each in told["deferred_by_solver"]]  # fmt: skip
    ops = [f"{name} {part:.1%}" for name, part in told["deferred_by_op"].items()]
    for heading, items in (("deferred by solver", solvers), ("their time on the CPU by op", ops)):
        more = f", and {len(items) - SHOWN_DEFERRED:,} more" if len(items) > SHOWN_DEFERRED else ""
        lines += [f"{heading}: {', '.join(items[:SHOWN_DEFERRED])}{more}"] if items else []
    passes = told["cards"] or [told["first_pass"]]
    for at, card in enumerate(passes[0]):
        peak = max(one[at]["peak_bytes"] for one in passes) / card["total_bytes"]
        kept = max(one[at]["after_bytes"] - one[at]["before_bytes"] for one in passes)
        lines.append(
            f"{card['name']}: at most {peak:.1%} of its memory in use (allowed {told['share_allowed']:.0%}), "
            f"{max(0, kept):,} bytes more after a pass than before it"
        )
    return [*lines, *told["notes"]]


def _share(value: float | None, text: str) -> str:
    return "" if value is None else text.format(value)


def _solvers(told: dict[str, Any], count: int) -> Table:
    names = list(told["costliest"][0]["time_s"])
    table = _empty("costliest solvers", "evaluations", *[f"{name} s, share" for name in names])
    for each in told["costliest"][:count]:
        cells = [f"{each['time_s'][name]:.3f} {each['share'][name]:.1%}" for name in names]
        table.add_row(each["solver"], f"{each['evaluations']:,}", *cells)
    return table


def growth_table(told: dict[str, Any]) -> RenderableType:
    """Return evaluations per second by number of evaluations, with a column for each engine."""
    names = list(told["engines"])
    heads = ("auto is", "auto ÷ best forced", "auto cost ÷ at 10^4", "auto peak MB")
    table = _empty("evaluations", *[f"{name}/s" for name in names], *heads)
    for row in told["rows"]:
        rates = [_number(row["evaluations_per_s"][name]) for name in names]
        others = _times(row["auto_of_best"]), _times(row["auto_cost"]), _mb(row["auto_peak_bytes"])
        table.add_row(f"{row['evaluations']:,}", *rates, row["auto_engine"], *others)
    return Group(Text(told["title"], style="bold"), table)


def scaling_table(told: dict[str, Any]) -> RenderableType:
    """Return evaluations per second by workers on GPUs."""
    table = _empty("workers", "GPUs", "evaluations/s", "ratio", "by GPUs", "least and most by a worker")
    for row in told["rows"]:
        parts = sorted(row["by_worker"].values())
        spread = f"{parts[0]:,} – {parts[-1]:,}" if parts else "–"
        rate, ratio = _number(row["evaluations_per_s"]), _times(row["ratio"])
        table.add_row(str(row["workers"]), row["devices"], rate, ratio, f"{row['on_gpus']:.1%}", spread)
    notes = [Text(f"{row['devices']}: {line}", style="dim") for row in told["rows"] for line in row["notes"]]
    counted = Text(f"{told['evaluations']:,} evaluations; all outcomes are those of the cpu engine", style="dim")
    return Group(Text(told["title"], style="bold"), counted, *notes, table)


def list_table(cases: Sequence[tuple[str, str, int, str]]) -> RenderableType:
    """Return the list of cases."""
    table = _empty("case", "evaluations", "hash", "what")
    for name, title, evaluations, digest in cases:
        table.add_row(name, f"{evaluations:,}", digest[:12], Text(title))
    return table


def _empty(*heads: str, wraps: bool = True) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="dim")
    for at, head in enumerate(heads):
        table.add_column(head, justify="left" if not at or head == "what" else "right", no_wrap=not at or not wraps)
    return table
