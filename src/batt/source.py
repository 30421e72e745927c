"""Places in source text: how they are named and shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

SHOWN_COLUMNS = 100


@dataclass(frozen=True, slots=True)
class Place:
    """A file (or the name that a text was given), a line and a column, both counted from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


def visible(text: str) -> str:
    """Escape characters that a terminal would interpret: the escape character becomes `\\x1b`."""
    return text if text.isprintable() else "".join([each if each.isprintable() else ascii(each)[1:-1] for each in text])


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return the end of a message about the unknown `word`: the words of `known` that are close to it, or nothing."""
    # Needed for a mistake alone, so no process imports it when it starts.
    from difflib import get_close_matches

    close = get_close_matches(word, known, n=3)
    return f"; did you mean {' or '.join(close)}?" if close else ""


def excerpt(line: str, column: int) -> str:
    """Show one line of source with a caret under `column`, cut to the width of a terminal."""
    line = line.rstrip("\n")
    start = 0
    if len(line) > SHOWN_COLUMNS:
        start = max(0, min(column - SHOWN_COLUMNS // 2, len(line) - SHOWN_COLUMNS))
    # A deck is foreign text: it must not control the terminal.
    shown = "".join([each if each.isprintable() else " " for each in line[start : start + SHOWN_COLUMNS]])
    left = "…" if start else ""
    right = "…" if start + SHOWN_COLUMNS < len(line) else ""
    caret = " " * (len(left) + max(0, column - 1 - start)) + "^"
    return f"    {left}{shown}{right}\n    {caret}"
