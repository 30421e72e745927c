"""Patterns and profiles of a batt under their legacy names."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeAlias

from batt.card.patterns import Patterns
from batt.card.patterns import detect_batch_pattern as detect
from batt.front import Deck, Solver, load_deck
from batt.front.batts import batt_path
from batt.front.deck import BUILT_IN
from batt.jobs.matching import match_all, match_own
from batt.profile.figures import Figures, figures
from batt.profile.run import profile
from batt.runtime import Limits
from batt.tasks import Tasks, load_tasks

DeckLike: TypeAlias = Deck | str | os.PathLike[str]
"""A deck; or the path of a deck or a batt, the name of a module in this folder, or `built-in`."""


def deck_like(given: DeckLike) -> Deck:
    """Return the deck that `given` names."""
    if isinstance(given, Deck):
        return given
    return load_deck(given if given == BUILT_IN or os.path.isdir(given) else batt_path(given))


def detect_batch_pattern(solvers: DeckLike | Iterable[Solver]) -> Patterns:
    """Find the steps that a batch runs once: sample extraction, several forms of objects, groups of `mapply`."""
    return detect(deck_like(solvers) if isinstance(solvers, str | os.PathLike) else solvers)


def profile_batt_operations(
    batt: DeckLike,
    tasks: Tasks | str = "arc1-training",
    *,
    own: bool = False,
    limits: Limits | None = None,
    workers: int | None = None,
) -> Figures:
    """Run a batt or deck on `tasks` and return which ops, steps, solvers and patterns take the time."""
    deck = deck_like(batt)
    samples = tasks if isinstance(tasks, Tasks) else load_tasks(tasks)
    evaluations = match_own(deck, samples) if own else match_all(deck, samples)
    return figures(profile(deck, evaluations, limits=limits, workers=workers))
