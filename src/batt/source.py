"""Places in source text. Owns how a place is named and shown; knows nothing of what the text means."""

from __future__ import annotations

from dataclasses import dataclass

SHOWN_COLUMNS = 100


@dataclass(frozen=True, slots=True)
class Place:
    """A file (or the name a text was given), a line and a column, both counted from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


def visible(text: str) -> str:
    """Return foreign text with what a terminal would obey written out: the escape character as `\\x1b`."""
    return text if text.isprintable() else "".join([each if each.isprintable() else ascii(each)[1:-1] for each in text])


def excerpt(line: str, column: int) -> str:
    """Show one line of source with a caret under the column, cut to a width that a terminal holds."""
    line = line.rstrip("\n")
    start = 0
    if len(line) > SHOWN_COLUMNS:
        start = max(0, min(column - SHOWN_COLUMNS // 2, len(line) - SHOWN_COLUMNS))
    # A deck is foreign text: what a terminal would obey is not passed on to it.
    shown = "".join([each if each.isprintable() else " " for each in line[start : start + SHOWN_COLUMNS]])
    left = "…" if start else ""
    right = "…" if start + SHOWN_COLUMNS < len(line) else ""
    caret = " " * (len(left) + max(0, column - 1 - start)) + "^"
    return f"    {left}{shown}{right}\n    {caret}"
