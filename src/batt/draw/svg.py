"""Write a scene as a standalone SVG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby
from operator import itemgetter

from batt.draw.blocks import Box, Line, Shape, ShapeBlock, Text
from batt.draw.layout import lay_out
from batt.draw.scene import Scene, one_line
from batt.errors import never

SANS = "ui-sans-serif,system-ui,'Segoe UI',Helvetica,Arial,sans-serif"
MONO = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"


def svg(scene: Scene, style: str = "") -> str:
    """Return the scene as an SVG document with its own background; `style` is for a document inside a page."""
    return svg_block(lay_out(scene), scene.title, style)


def svg_block(card: ShapeBlock, title: str, style: str = "") -> str:
    """Return a block of shapes as an SVG document."""
    width, height = _number(card.width + 1), _number(card.height + 1)
    # Not in a file: some viewers read `height:auto` as no height at all.
    styled = f' style="{style}"' if style else ""
    titles = [f"<title>{escape(one_line(title, 200))}</title>"] if title else []
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'role="img" font-family="{SANS}"{styled}>'
    )
    return "\n".join([head, *titles, *_elements(card.walk()), "</svg>"]) + "\n"


def _elements(shapes: Iterable[Shape]) -> Iterator[str]:
    """Yield one path per run of shapes of the same style, and one element for each of the others."""
    for style, run in groupby(map(_drawn, shapes), itemgetter(0)):
        pieces = [piece for _, piece in run]
        if style:
            yield f'<path {style} d="{"".join(pieces)}"/>'
        else:
            yield from pieces


def _drawn(shape: Shape) -> tuple[str, str]:
    """Return the shared attributes and the path of a plain shape; or an empty text and a separate element."""
    match shape:
        case Box():
            x, y, width, height = map(_number, (shape.x, shape.y, shape.width, shape.height))
            if not shape.radius:
                return f'fill="{shape.fill}" shape-rendering="crispEdges"', f"M{x} {y}h{width}v{height}h-{width}z"
            stroke = f' stroke="{shape.stroke}"' if shape.stroke else ""
            place = f'x="{x}" y="{y}" width="{width}" height="{height}" rx="{_number(shape.radius)}"'
            rect = f'<rect {place} fill="{shape.fill}"{stroke}'
            return "", f"{rect}>{_title(shape.title)}</rect>" if shape.title else f"{rect}/>"
        case Line():
            x, y, to_x, to_y = map(_number, (shape.x, shape.y, shape.to_x, shape.to_y))
            weight = _number(shape.weight)
            style = f'fill="none" stroke="{shape.color}" stroke-width="{weight}" stroke-linecap="round"'
            return style, f"M{x} {y}L{to_x} {to_y}"
        case Text():
            return "", _text(shape)
    never(shape)


def _text(text: Text) -> str:
    attributes = [f'x="{_number(text.x)}" y="{_number(text.y)}" font-size="{_number(text.size)}" fill="{text.color}"']
    if text.centered:
        attributes.append('text-anchor="middle"')
    if text.bold:
        attributes.append('font-weight="600"')
    if text.mono:
        attributes.append(f'font-family="{MONO}" xml:space="preserve"')
    return f"<text {' '.join(attributes)}>{_title(text.title)}{escape(text.text)}</text>"


def _title(text: str) -> str:
    return f"<title>{escape(text)}</title>" if text else ""


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
