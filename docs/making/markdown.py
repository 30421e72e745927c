"""Texts as Markdown that both GitHub and the site show alike."""

from __future__ import annotations

from html import escape


def code(text: str) -> str:
    """Return the text as code, also within a table, where a bar would end the cell."""
    return f"<code>{escape(text, quote=False).replace('|', '&#124;')}</code>" if "|" in text else f"`{text}`"


def cell(text: str) -> str:
    """Return plain text for a cell of a table: in one line, with nothing that Markdown would take for its own."""
    line = escape(" ".join(text.split()), quote=False).replace("|", "&#124;")
    return line.replace("*", "\\*").replace("_", "\\_")
