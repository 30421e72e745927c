"""What a picture shows, whatever it is drawn on. Owns the parts of a scene; knows nothing of sizes or devices."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias


class Mark(Enum):
    """How a caption is signed."""

    NONE = " "
    EQUAL = "✓"
    DIFFERENT = "✗"
    ERROR = "!"


@dataclass(frozen=True, slots=True)
class Caption:
    """A line below something: what came of it."""

    text: str
    mark: Mark = Mark.NONE


@dataclass(frozen=True, slots=True)
class Panel:
    """One value with its title; where it is a grid, its cells at the places `wrong` are marked."""

    title: str
    value: Any
    caption: Caption | None = None
    wrong: frozenset[tuple[int, int]] = frozenset()


@dataclass(frozen=True, slots=True)
class Arrow:
    """Leads from the panel before it to the panel after it."""


Part: TypeAlias = Panel | Arrow


@dataclass(frozen=True, slots=True)
class Row:
    """Panels and arrows that belong together, from left to right."""

    parts: tuple[Part, ...]
    title: str = ""
    caption: Caption | None = None

    @property
    def is_failed(self) -> bool:
        """Whether its caption tells an error."""
        return self.caption is not None and self.caption.mark is Mark.ERROR


@dataclass(frozen=True, slots=True)
class Scene:
    """A whole picture: rows in reading order, as many beside each other as there is room for."""

    title: str
    rows: tuple[Row, ...]


def value_scene(value: Any, title: str = "") -> Scene:
    """The scene of a single value."""
    return Scene("", (Row((Panel(title, value),)),))


def pair_row(source: Any, target: Any, title: str = "", caption: Caption | None = None) -> Row:
    """An input, an arrow and its output."""
    return Row((Panel("input", source), Arrow(), Panel("output", target)), title, caption)


def one_line(text: str, columns: int) -> str:
    """The text as one line of printable characters, cut with an ellipsis beyond the columns."""
    line = _printable(" ".join(text[: 8 * columns].split()))
    return line if len(line) <= columns else line[: max(0, columns - 1)] + "…"


def many_lines(text: str, columns: int, limit: int) -> list[str]:
    """The text as at most so many lines of at most so many columns, its own line breaks and indents kept."""
    found: list[str] = []
    for line in text[: 8 * columns * limit].splitlines():
        if len(found) == limit:
            return [*found[:-1], found[-1][: max(0, columns - 2)].rstrip(" …") + " …"]
        fill = textwrap.TextWrapper(columns, max_lines=limit - len(found), placeholder=" …", break_on_hyphens=False)
        found += fill.wrap(_printable(line.expandtabs(4))) or [""]
    return found


def _printable(text: str) -> str:
    return text if text.isprintable() else "".join([char if char.isprintable() else "�" for char in text])
