"""A scene for a notebook's cell. Owns the HTML around the drawing."""

from __future__ import annotations

from batt.draw.scene import Scene
from batt.draw.svg import svg


def html(scene: Scene) -> str:
    """The scene as inline SVG in an element that scrolls where the page is narrow."""
    return f'<div style="max-width:100%;overflow-x:auto">{svg(scene)}</div>'
