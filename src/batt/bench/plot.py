"""Rates as a picture. Owns its shapes and colours; a drawing of its own, light or dark as the reader's screen is."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

WIDTH, LEFT, RIGHT, ROW, GAP = 860.0, 220.0, 110.0, 20.0, 16.0
CHART_HEIGHT, TOP = 320.0, 64.0
STYLE = """
svg { color-scheme: light dark; background: #ffffff }
text { fill: #1f2328; font: 13px ui-sans-serif, system-ui, Helvetica, Arial, sans-serif }
.title { font-size: 16px; font-weight: 600 } .dim { fill: #59636e } .grid { stroke: #d1d9e0; stroke-width: 1 }
.c0 { color: #8250df } .c1 { color: #bc4c00 } .c2 { color: #0969da } .c3 { color: #1a7f37 } .c4 { color: #bf3989 }
.c5 { color: #6e7781 }
rect.bar, circle { fill: currentColor } path.line { stroke: currentColor; fill: none; stroke-width: 2 }
@media (prefers-color-scheme: dark) {
  svg { background: #0d1117 } text { fill: #e6edf3 } .dim { fill: #9198a1 } .grid { stroke: #3d444d }
  .c0 { color: #ab7df8 } .c1 { color: #f0883e } .c2 { color: #4493f8 } .c3 { color: #3fb950 } .c4 { color: #db61a2 }
  .c5 { color: #8b949e }
}
"""
COLOURS = 6


@dataclass(frozen=True, slots=True)
class Line:
    """Rates by number of evaluations."""

    name: str
    points: Sequence[tuple[float, float]]


def bars_svg(cases: Sequence[dict[str, Any]]) -> str:
    """Evaluations per second of every column of every case, on a scale of powers of ten."""
    groups = [(told["case"], [(each["engine"], each["evaluations_per_s"]) for each in told["columns"]
                              if each["evaluations_per_s"]]) for told in cases]  # fmt: skip
    groups = [(case, rows) for case, rows in groups if rows]
    rates = [rate for _, rows in groups for _, rate in rows]
    low, high = _decades(rates)
    engines = list(dict.fromkeys(name for _, rows in groups for name, _ in rows))
    height = TOP + sum(ROW * (len(rows) + 1) + GAP for _, rows in groups) + 30
    parts = [*_ticks(low, high, TOP - 8, height - 30)]
    y = TOP
    for case, rows in groups:
        parts.append(_text(12, y + 12, case, "name"))
        y += ROW
        for name, rate in rows:
            x = _place(rate, low, high)
            parts.append(_text(LEFT - 10, y + 13, name, "dim", "end"))
            parts.append(
                f'<rect class="bar c{engines.index(name) % COLOURS}" x="{LEFT:g}" y="{y:.1f}" '
                f'width="{max(1.0, x - LEFT):.1f}" height="{ROW - 5:g}" rx="2"/>'
            )
            parts.append(_text(x + 6, y + 13, f"{rate:,.0f}/s", ""))
            y += ROW
        y += GAP
    return _document("evaluations per second", height, parts)


def lines_svg(title: str, lines: Sequence[Line]) -> str:
    """Rates by number of evaluations, both on scales of powers of ten."""
    points = [point for line in lines for point in line.points]
    low_x, high_x = _decades([x for x, _ in points])
    low, high = _decades([y for _, y in points])
    bottom = TOP + CHART_HEIGHT
    parts = []
    for power in range(low, high + 1):
        y = bottom - CHART_HEIGHT * (power - low) / (high - low)
        parts.append(f'<line class="grid" x1="{LEFT:g}" y1="{y:.1f}" x2="{WIDTH - RIGHT:g}" y2="{y:.1f}"/>')
        parts.append(_text(LEFT - 10, y + 4, f"{10**power:,}/s", "dim", "end"))
    parts += _ticks(low_x, high_x, TOP, bottom)
    ends = []
    for at, line in enumerate(lines):
        places = [(_place(x, low_x, high_x), bottom - CHART_HEIGHT * (math.log10(y) - low) / (high - low))
                  for x, y in line.points]  # fmt: skip
        drawn = "".join([f"{'L' if number else 'M'}{x:.1f} {y:.1f}" for number, (x, y) in enumerate(places)])
        dots = "".join([f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in places])
        parts.append(f'<g class="c{at % COLOURS}"><path class="line" d="{drawn}"/>{dots}</g>')
        ends.append((places[-1][1], places[-1][0], line.name))
    last = -math.inf
    for y, x, name in sorted(ends):
        # Names at the ends of lines, one below the other.
        last = max(y, last + 15)
        parts.append(_text(x + 8, last + 4, name, ""))
    return _document(title, bottom + 40, parts)


def plot(cases: Sequence[dict[str, Any]]) -> str:
    """Lines by size where all cases are parts of one, else bars."""
    families = {told["case"].partition("/")[0] for told in cases}
    sized = [told for told in cases if told["columns"]]
    if len(families) > 1 or len(sized) < 2:
        return bars_svg(cases)
    names = dict.fromkeys(each["engine"] for told in sized for each in told["columns"])
    by_size = sorted(sized, key=lambda told: told["compared"])
    lines = [Line(name, [(told["compared"], each["evaluations_per_s"]) for told in by_size for each in told["columns"]
                         if each["engine"] == name and each["evaluations_per_s"]]) for name in names]  # fmt: skip
    return lines_svg(f"{families.pop()}: evaluations per second by number of evaluations", lines)


def growth_svg(told: dict[str, Any]) -> str:
    """The rates of a growth."""
    rows = [(row["evaluations"], row["evaluations_per_s"]) for row in told["rows"]]
    lines = [Line(name, [(count, rates[name]) for count, rates in rows if rates[name]]) for name in told["engines"]]
    return lines_svg(told["title"], [line for line in lines if line.points])


def _decades(values: Iterable[float]) -> tuple[int, int]:
    """The powers of ten around values."""
    known = [value for value in values if value > 0] or [1.0]
    low, high = math.floor(math.log10(min(known))), math.ceil(math.log10(max(known)))
    return low, max(high, low + 1)


def _place(value: float, low: int, high: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * max(0.0, math.log10(value) - low) / (high - low)


def _ticks(low: int, high: int, top: float, bottom: float) -> list[str]:
    parts = []
    for power in range(low, high + 1):
        x = _place(10.0**power, low, high)
        parts.append(f'<line class="grid" x1="{x:.1f}" y1="{top:g}" x2="{x:.1f}" y2="{bottom:g}"/>')
        # Written out, ten million and a hundred million would touch.
        label = f"{10**power:,}" if power < 6 else f"{10 ** (power - 6):,} M"
        parts.append(_text(x, bottom + 18, label, "dim", "middle"))
    return parts


def _text(x: float, y: float, text: str, kind: str, anchor: str = "start") -> str:
    marked = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{marked} text-anchor="{anchor}">{escape(text)}</text>'


def _document(title: str, height: float, parts: Sequence[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {height:g}" width="{WIDTH:g}" role="img">'
    opening = [head, f"<title>{escape(title)}</title>", f"<style>{STYLE}</style>", _text(12, 28, title, "title")]
    return "\n".join([*opening, *parts, "</svg>"]) + "\n"
