"""Draw shares as areas: a treemap in SVG, light or dark like the reader's screen.

Its colours are attributes, so that programs without CSS show them too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from colorsys import hls_to_rgb
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT, TOP, MARGIN = 960.0, 600.0, 48.0, 12.0
FONT, SMALL, WIDE_EM = 13.0, 11.0, 0.62
"""Font sizes, and an upper bound of a letter's width as a fraction of its size."""
FAMILY = "ui-sans-serif, system-ui, Helvetica, Arial, sans-serif"
PAPER, INK, PLAIN = "#ffffff", "#1f2328", "#d8dee4"
DARK_PAPER, DARK_INK, DARK_PLAIN = "#0d1117", "#e6edf3", "#3d444d"
GOLDEN_ANGLE = 137.508
"""Hues at multiples of this angle stay apart, for any number of them."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A named weight, and its tooltip."""

    name: str
    weight: float
    title: str


@dataclass(frozen=True, slots=True)
class LeafGroup:
    """Leaves that are drawn together; a plain group is grey."""

    name: str
    leaves: Sequence[Leaf]
    plain: bool = False

    @property
    def weight(self) -> float:
        """Return the weight of all leaves."""
        return sum(leaf.weight for leaf in self.leaves)


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float

    @property
    def area(self) -> float:
        """Return its area."""
        return self.width * self.height


def squarified(weights: Sequence[float], box: Rectangle) -> list[Rectangle]:
    """Divide `box` in proportion to `weights`, positive and descending, into parts that are nearly square.

    Rows run along the shorter side. A row takes weights as long as its worst ratio of sides does not grow.
    """
    found: list[Rectangle] = []
    at = 0
    while at < len(weights):
        left = sum(weights[at:])
        # The area of a weight of 1, if the shorter side were 1.
        unit = max(box.width, box.height) / min(box.width, box.height) / left
        end = at + 1
        while end < len(weights) and _worst(weights[at : end + 1], unit) <= _worst(weights[at:end], unit):
            end += 1
        row, box = _row(weights[at:end], sum(weights[end:]), box)
        found += row
        at = end
    return found


def _worst(weights: Sequence[float], unit: float) -> float:
    """Return the worst ratio of sides in a row along a side of length 1; the area of a weight is `unit` times it."""
    depth = sum(weights) * unit
    return max(max(weight * unit / depth**2, depth**2 / (weight * unit)) for weight in weights)


def _row(weights: Sequence[float], rest: float, box: Rectangle) -> tuple[list[Rectangle], Rectangle]:
    """Return the parts of a row along the shorter side, and the remaining box for weights of the sum `rest`."""
    total = sum(weights)
    # Sides by ratio, never by difference: the remaining box may be very small.
    first, last = total / (total + rest), rest / (total + rest)
    parts: list[Rectangle] = []
    if box.width >= box.height:
        y, depth = box.y, box.width * first
        for weight in weights:
            parts.append(Rectangle(box.x, y, depth, box.height * weight / total))
            y += box.height * weight / total
        return parts, Rectangle(box.x + depth, box.y, box.width * last, box.height)
    x, depth = box.x, box.height * first
    for weight in weights:
        parts.append(Rectangle(x, box.y, box.width * weight / total, depth))
        x += box.width * weight / total
    return parts, Rectangle(box.x, box.y + depth, box.width, box.height * last)


def treemap_svg(title: str, groups: Iterable[LeafGroup]) -> str:
    """Draw groups with their leaves; every area is in proportion to its weight."""
    kept = [LeafGroup(each.name, _descending(each.leaves), each.plain) for each in groups]
    kept = sorted([each for each in kept if each.leaves], key=lambda each: (-each.weight, each.name))
    whole = Rectangle(MARGIN, TOP, WIDTH - 2 * MARGIN, HEIGHT - TOP - MARGIN)
    parts: list[str] = []
    dark: list[str] = []
    for at, (group, box) in enumerate(zip(kept, squarified([each.weight for each in kept], whole), strict=True)):
        light, night = _fills(group, at)
        dark.append(f".g{at} {{ fill: {night} }}")
        boxes = squarified([leaf.weight for leaf in group.leaves], box)
        for number, (leaf, inner) in enumerate(zip(group.leaves, boxes, strict=True)):
            below = group.name if not number and group.name != leaf.name else ""
            style = f'class="edge g{at}" fill="{light}" stroke="{PAPER}"'
            drawn = f"<rect {style} {_place(inner)}><title>{escape(leaf.title)}</title></rect>"
            parts.append(f"<g>{drawn}{_label(leaf.name, below, inner)}</g>")
        frame = f'class="edge" fill="none" stroke="{PAPER}" stroke-width="4" pointer-events="none"'
        parts.append(f"<rect {frame} {_place(box)}/>")
    return "\n".join([*_opening(title, dark), _text(MARGIN, 30, title, size=16, bold=True), *parts, "</svg>"]) + "\n"


def _opening(title: str, dark: Sequence[str]) -> list[str]:
    """Return the head of the document and its background. Its only CSS is what a dark screen changes."""
    size = f'width="{WIDTH:g}" height="{HEIGHT:g}"'
    rules = [f".paper {{ fill: {DARK_PAPER} }} .edge {{ stroke: {DARK_PAPER} }} text {{ fill: {DARK_INK} }}", *dark]
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" {size} role="img" '
        f'font-family="{FAMILY}">',
        f"<title>{escape(title)}</title>",
        f"<style>\n@media (prefers-color-scheme: dark) {{\n  {' '.join(rules)}\n}}\n</style>",
        f'<rect class="paper" {size} fill="{PAPER}"/>',
    ]


def _fills(group: LeafGroup, at: int) -> tuple[str, str]:
    """Return the colours of a group on a light screen and on a dark one."""
    if group.plain:
        return PLAIN, DARK_PLAIN
    hue = at * GOLDEN_ANGLE % 360 / 360
    return _hex(hue, 0.82, 0.62), _hex(hue, 0.29, 0.34)


def _hex(hue: float, lightness: float, saturation: float) -> str:
    red, green, blue = (round(255 * part) for part in hls_to_rgb(hue, lightness, saturation))
    return f"#{red:02x}{green:02x}{blue:02x}"


def _descending(leaves: Iterable[Leaf]) -> list[Leaf]:
    return sorted([leaf for leaf in leaves if leaf.weight > 0], key=lambda leaf: (-leaf.weight, leaf.name))


def _label(name: str, below: str, box: Rectangle) -> str:
    """Return the name of a leaf, and in the first of a group that of the group, if they fit."""
    x, y = box.x + 6, box.y + 18
    if len(name) * FONT * WIDE_EM + 10 > box.width or box.height < 24:
        return ""
    label = _text(x, y, name)
    if below and len(below) * SMALL * WIDE_EM + 10 <= box.width and box.height >= 40:
        label += _text(x, y + 15, below, size=SMALL, opacity=0.75)
    return label


def _place(box: Rectangle) -> str:
    # With enough digits that areas stay in proportion.
    return f'x="{box.x:.3f}" y="{box.y:.3f}" width="{box.width:.3f}" height="{box.height:.3f}"'


def _text(x: float, y: float, text: str, size: float = FONT, bold: bool = False, opacity: float = 1) -> str:
    style = f'font-size="{size:g}" fill="{INK}" pointer-events="none"'
    style += ' font-weight="600"' * bold + f' opacity="{opacity:g}"' * (opacity < 1)
    return f'<text {style} x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'
