"""The tree of errors.

It has three branches: the deck's author wrote something outside the language (`DeckError`), the data or the request is
at fault (`DataError`, `UsageError`), or batt itself is (`InternalError`). An error inside an evaluation is an outcome
and not part of this tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from batt.source import Place, excerpt


class BattError(Exception):
    """Every error that batt raises on purpose."""


class UsageError(BattError):
    """The request cannot be met: an unknown name, an engine that is not there, an unwritable target."""


class DataError(BattError):
    """Task data that is not what ARC data must be; the message names file, task and pair."""


class InternalError(BattError):
    """A broken promise of batt's own; always a bug worth reporting."""


class SourceError(BattError):
    """One mistake in a deck, with its place and the line that holds it."""

    def __init__(self, message: str, place: Place, line: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.line = line

    def __str__(self) -> str:
        head = f"{self.place}: {self.message}"
        return f"{head}\n{excerpt(self.line, self.place.column)}" if self.line.strip() else head

    def __reduce__(self) -> tuple[type[SourceError], tuple[str, Place, str]]:
        return SourceError, (self.message, self.place, self.line)


class DeckError(BattError):
    """All mistakes found in a deck, at once; or the first of them, where reading stopped before the end."""

    SHOWN = 20

    def __init__(self, mistakes: Sequence[SourceError], is_stopped: bool = False) -> None:
        self.mistakes = tuple(mistakes)
        self.is_stopped = is_stopped
        super().__init__(self.mistakes, is_stopped)

    def __str__(self) -> str:
        shown = [str(mistake) for mistake in self.mistakes[: self.SHOWN]]
        more = len(self.mistakes) - len(shown)
        if self.is_stopped:
            return "\n".join([*shown, f"… and more; reading stopped after {len(self.mistakes):,} mistakes"])
        return "\n".join([*shown, f"… and {more:,} more"] if more > 0 else shown)


def never(value: NoReturn) -> NoReturn:
    """Mark a place that a checked `match` cannot reach."""
    raise AssertionError(f"unreachable: {value!r}")
