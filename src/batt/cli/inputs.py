"""Which decks and tasks the options name."""

from __future__ import annotations

import argparse

DEFAULT_TASKS = "arc1-training"


def deck_paths(args: argparse.Namespace) -> list[str]:
    """The decks that the options name, as they were given; none where the default is meant."""
    return [*getattr(args, "decks", ()), *listed(args.deck)]


def task_sources(args: argparse.Namespace) -> list[str]:
    """The sources of tasks that the options name."""
    return listed(args.tasks) or [DEFAULT_TASKS]


def listed(given: str | list[str] | None) -> list[str]:
    """What an option that may be given again holds."""
    return [given] if isinstance(given, str) else given or []
