"""Sources that carry their expected mistakes: a line `^ message` tells what is wrong with the line above it, and where.

x = foo(I)
    ^ 'foo' is not defined
"""

from __future__ import annotations

from collections.abc import Iterable

from batt.errors import SourceError


def unmarked(case: str) -> str:
    """The source of a marked case, without its marks."""
    return "\n".join([line for line in case.split("\n") if not _is_mark(line)])


def marks(case: str) -> list[tuple[int, int, str]]:
    """The mistakes that a marked case expects: line, column, message."""
    found: list[tuple[int, int, str]] = []
    number = 0
    for line in case.split("\n"):
        if _is_mark(line):
            before, _, message = line.partition("^ ")
            found.append((number, len(before) + 1, message))
        else:
            number += 1
    return found


def told(mistakes: Iterable[SourceError]) -> list[tuple[int, int, str]]:
    """Mistakes as line, column and message; what a person is shown must have the caret under that column."""
    found: list[tuple[int, int, str]] = []
    for mistake in mistakes:
        head, line, caret = str(mistake).split("\n")
        assert head == f"{mistake.place}: {mistake.message}"
        assert line == f"    {mistake.line}"
        assert caret == " " * (4 + mistake.place.column - 1) + "^"
        found.append((mistake.place.line, mistake.place.column, mistake.message))
    return found


def _is_mark(line: str) -> bool:
    return line.lstrip().startswith("^ ")
