"""A scene as HTML: a fragment for a notebook's cell, or a whole page for a file."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from batt.draw.scene import Scene, one_line
from batt.draw.svg import svg

FITTING = "max-width:100%;height:auto"


def html(scene: Scene) -> str:
    """Return the scene as inline SVG that shrinks to the width of the page."""
    return f'<div style="max-width:100%;overflow-x:auto">{svg(scene, FITTING)}</div>'


def html_table(rows: Sequence[tuple[str, str]]) -> str:
    """Return names and values as a small table."""
    head = "<th style='text-align:left'>"
    cells = [f"<tr>{head}{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in rows]
    return f"<table>{''.join(cells)}</table>"


def html_page(scene: Scene) -> str:
    """Return the scene as a whole document."""
    return html_document(scene.title, html(scene))


def html_document(title: str, body: str, head: str = "") -> str:
    """Return a whole document; `body` and `head` are HTML."""
    heads = [
        '<meta charset="utf-8">',
        f"<title>{escape(one_line(title, 200)) or 'batt'}</title>",
        *[head] * bool(head),
    ]
    parts = ["<!DOCTYPE html>", '<html lang="en">', "<head>", *heads, "</head>", "<body>", body, "</body>", "</html>"]
    return "\n".join(parts) + "\n"
