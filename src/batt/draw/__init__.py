"""Drawing of language values in ARC's ten colours: describe a scene, then draw it as text, SVG, PNG or HTML."""

from batt.draw.html import html, html_table
from batt.draw.picture import Picture
from batt.draw.png import png
from batt.draw.scene import Arrow, Caption, Mark, Panel, PanelRow, Scene, pair_row
from batt.draw.svg import svg
from batt.draw.terminal import render_text, terminal

__all__ = [
    "Arrow",
    "Caption",
    "Mark",
    "Panel",
    "PanelRow",
    "Picture",
    "Scene",
    "html",
    "html_table",
    "pair_row",
    "png",
    "render_text",
    "svg",
    "terminal",
]
