"""Draw rates as SVG, light or dark as the reader's screen. Colours are attributes, for viewers without CSS."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias
from xml.sax.saxutils import escape

WIDTH, LEFT, RIGHT, ROW, GAP = 860.0, 220.0, 110.0, 20.0, 16.0
CHART_HEIGHT, TOP = 320.0, 64.0
FAMILY = "ui-sans-serif, system-ui, Helvetica, Arial, sans-serif"
PAPER, INK, DIM, GRID = "#ffffff", "#1f2328", "#59636e", "#d1d9e0"
COLOURS = ("#8250df", "#bc4c00", "#0969da", "#1a7f37", "#bf3989", "#6e7781")
DARK_COLOURS = ("#ab7df8", "#f0883e", "#4493f8", "#3fb950", "#db61a2", "#8b949e")
_DARK_RULES = [
    f".c{at} circle {{ fill: {each} }} .c{at} path {{ stroke: {each} }}" for at, each in enumerate(DARK_COLOURS)
]
STYLE = f"""
@media (prefers-color-scheme: dark) {{
  .paper {{ fill: #0d1117 }} text {{ fill: #e6edf3 }} .dim {{ fill: #9198a1 }} .grid {{ stroke: #3d444d }}
  {" ".join(_DARK_RULES)}
}}
"""
"""The changes for a dark screen."""


Lines: TypeAlias = Mapping[str, Sequence[tuple[float, float]]]
"""Rates by number of evaluations, by engine."""


def dots_svg(cases: Sequence[dict[str, Any]]) -> str:
    """Draw the evaluations per second of every column of every case, as dots on a scale of powers of ten.

    Not as bars: on such a scale the length of a bar is in proportion to nothing.
    """
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
            parts.append(_rule(LEFT, y + 9, WIDTH - RIGHT, y + 9))
            parts.append(f'<g class="c{_colour(engines.index(name))}">{_dot(x, y + 9, 5, engines.index(name))}</g>')
            parts.append(_text(WIDTH - RIGHT + 10, y + 13, f"{rate:,.0f}/s", ""))
            y += ROW
        y += GAP
    return _document("evaluations per second", height, parts)


def lines_svg(title: str, lines: Lines, unit: str = "/s") -> str:
    """Draw rates by number of evaluations, or figures of another `unit` by size, both on scales of powers of ten."""
    lines = {name: line for name, line in lines.items() if line}
    points = [point for line in lines.values() for point in line]
    low_x, high_x = _decades([x for x, _ in points])
    low, high = _decades([y for _, y in points])
    bottom = TOP + CHART_HEIGHT
    parts = []
    for power in range(low, high + 1):
        y = bottom - CHART_HEIGHT * (power - low) / (high - low)
        parts.append(_rule(LEFT, y, WIDTH - RIGHT, y))
        parts.append(_text(LEFT - 10, y + 4, f"{10**power:,}{unit}", "dim", "end"))
    parts += _ticks(low_x, high_x, TOP, bottom)
    ends = []
    for at, (name, line) in enumerate(lines.items()):
        places = [(_place(x, low_x, high_x), bottom - CHART_HEIGHT * (math.log10(y) - low) / (high - low))
                  for x, y in line]  # fmt: skip
        drawn = "".join([f"{'L' if number else 'M'}{x:.1f} {y:.1f}" for number, (x, y) in enumerate(places)])
        dots = "".join([_dot(x, y, 3, at) for x, y in places])
        path = f'<path fill="none" stroke="{COLOURS[_colour(at)]}" stroke-width="2" d="{drawn}"/>'
        parts.append(f'<g class="c{_colour(at)}">{path}{dots}</g>')
        ends.append((places[-1][1], places[-1][0], name))
    last = -math.inf
    for y, x, name in sorted(ends):
        # Names at the ends of lines, one below the other.
        last = max(y, last + 15)
        parts.append(_text(x + 8, last + 4, name, ""))
    return _document(title, bottom + 40, parts)


def plot(cases: Sequence[dict[str, Any]]) -> str:
    """Draw lines by size if all cases are parts of one, else dots."""
    families = {told["case"].partition("/")[0] for told in cases}
    sized = [told for told in cases if told["columns"]]
    if len(families) > 1 or len(sized) < 2:
        return dots_svg(cases)
    names = dict.fromkeys(each["engine"] for told in sized for each in told["columns"])
    by_size = sorted(sized, key=lambda told: told["compared"])
    lines = {name: [(told["compared"], each["evaluations_per_s"]) for told in by_size for each in told["columns"]
                    if each["engine"] == name and each["evaluations_per_s"]] for name in names}  # fmt: skip
    return lines_svg(f"{families.pop()}: evaluations per second by number of evaluations", lines)


def growth_svg(told: dict[str, Any]) -> str:
    """Draw the figures of `growth`."""
    rows = [(row["evaluations"], row["evaluations_per_s"]) for row in told["rows"]]
    lines = {name: [(count, rates[name]) for count, rates in rows if rates[name]] for name in told["engines"]}
    return lines_svg(told["title"], lines)


def _decades(values: Iterable[float]) -> tuple[int, int]:
    """Return the powers of ten below and above all values."""
    known = [value for value in values if value > 0] or [1.0]
    low, high = math.floor(math.log10(min(known))), math.ceil(math.log10(max(known)))
    return low, max(high, low + 1)


def _place(value: float, low: int, high: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * max(0.0, math.log10(value) - low) / (high - low)


def _ticks(low: int, high: int, top: float, bottom: float) -> list[str]:
    parts = []
    for power in range(low, high + 1):
        x = _place(10.0**power, low, high)
        parts.append(_rule(x, top, x, bottom))
        # Written out, ten million and a hundred million would touch.
        label = f"{10**power:,}" if power < 6 else f"{10 ** (power - 6):,} M"
        parts.append(_text(x, bottom + 18, label, "dim", "middle"))
    return parts


def _colour(at: int) -> int:
    return at % len(COLOURS)


def _dot(x: float, y: float, radius: float, at: int) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" fill="{COLOURS[_colour(at)]}"/>'


def _rule(x: float, y: float, to_x: float, to_y: float) -> str:
    return f'<line class="grid" x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" stroke="{GRID}"/>'


def _text(x: float, y: float, text: str, kind: str, anchor: str = "start") -> str:
    style = {"title": 'font-size="16" font-weight="600" ', "name": 'font-weight="600" '}.get(kind, "")
    fill = DIM if kind == "dim" else INK
    marked = ' class="dim"' if kind == "dim" else ""
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text{marked} {style}fill="{fill}" {place}>{escape(text)}</text>'


def _document(title: str, height: float, parts: Sequence[str]) -> str:
    size = f'width="{WIDTH:g}" height="{height:g}"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {height:g}" {size} role="img" '
        f'font-family="{FAMILY}" font-size="13">'
    )
    paper = f'<rect class="paper" {size} fill="{PAPER}"/>'
    opening = [head, f"<title>{escape(title)}</title>", f"<style>{STYLE}</style>", paper, _text(12, 28, title, "title")]
    return "\n".join([*opening, *parts, "</svg>"]) + "\n"
