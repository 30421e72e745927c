"""The parts of a picture, independent of sizes and devices."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias


class Mark(Enum):
    """The sign before a caption."""

    NONE = " "
    EQUAL = "✓"
    DIFFERENT = "✗"
    ERROR = "!"


@dataclass(frozen=True, slots=True)
class Caption:
    """A line below a row: its outcome."""

    text: str
    mark: Mark = Mark.NONE


@dataclass(frozen=True, slots=True)
class Panel:
    """One value with its title; if it is a grid, its cells at the places `wrong` are marked."""

    title: str
    value: Any
    wrong: frozenset[tuple[int, int]] = frozenset()


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow from the panel before it to the panel after it."""


Part: TypeAlias = Panel | Arrow


@dataclass(frozen=True, slots=True)
class PanelRow:
    """Panels and arrows that belong together, from left to right."""

    parts: tuple[Part, ...]
    title: str = ""
    caption: Caption | None = None

    @property
    def is_failed(self) -> bool:
        """Tell whether its caption is an error."""
        return self.caption is not None and self.caption.mark is Mark.ERROR


@dataclass(frozen=True, slots=True)
class Scene:
    """A whole picture: rows in reading order, several beside each other if they fit."""

    title: str
    rows: tuple[PanelRow, ...]


def pair_row(source: Any, target: Any, title: str = "", caption: Caption | None = None) -> PanelRow:
    """Return a row with an input, an arrow and its output."""
    return PanelRow((Panel("input", source), Arrow(), Panel("output", target)), title, caption)


def one_line(text: str, columns: int) -> str:
    """Return the text as one line of printable characters, cut with an ellipsis after `columns`."""
    line = _printable(" ".join(text[: 8 * columns].split()))
    return line if len(line) <= columns else line[: max(0, columns - 1)] + "…"


def many_lines(text: str, columns: int, limit: int) -> list[str]:
    """Wrap the text to at most `limit` lines of `columns` characters, keeping its line breaks and indents."""
    found: list[str] = []
    for line in text[: 8 * columns * limit].splitlines():
        if len(found) == limit:
            return [*found[:-1], found[-1][: max(0, columns - 2)].rstrip(" …") + " …"]
        fill = textwrap.TextWrapper(columns, max_lines=limit - len(found), placeholder=" …", break_on_hyphens=False)
        found += fill.wrap(_printable(line.expandtabs(4))) or [""]
    return found


def _printable(text: str) -> str:
    return text if text.isprintable() else "".join([char if char.isprintable() else "�" for char in text])
