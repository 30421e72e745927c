"""Runs that are stored, cut short, and gone on with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from batt.front import Deck
from batt.jobs import Results
from batt.runtime.tier import Part
from batt.store import Session
from batt.store.manifest import Choices
from batt.tasks import Tasks


def cut(parts: int) -> Callable[[Part], None]:
    """Interrupt a run after some parts."""
    seen: list[Part] = []

    def count(part: Part) -> None:
        seen.append(part)
        if len(seen) == parts:
            raise KeyboardInterrupt

    return count


def stored(folder: Path, deck: Deck, tasks: Tasks, choices: Choices | None = None, **options: Any) -> Results:
    """The results of a run in `folder`."""
    with Session.begin(folder, deck, tasks, choices) as session:
        return session.evaluate(workers=1, **options)


def resumed(folder: Path, **options: Any) -> Results:
    """The results of a run that goes on."""
    with Session.resume(folder) as session:
        return session.evaluate(workers=1, **options)
