"""The decks and tasks that the options name."""

from __future__ import annotations

import argparse

DEFAULT_TASKS = "arc1-training"


def deck_paths(args: argparse.Namespace) -> list[str]:
    """Return the decks that the options name, as given; none for the default deck."""
    return [*getattr(args, "decks", ()), *listed(args.deck)]


def task_sources(args: argparse.Namespace) -> list[str]:
    """Return the sources of tasks that the options name."""
    return listed(args.tasks) or [DEFAULT_TASKS]


def listed(given: str | list[str] | None) -> list[str]:
    """Return the values of an option that may be repeated."""
    return [given] if isinstance(given, str) else given or []
