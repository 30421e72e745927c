"""What a batt is made of and where its time goes, by the legacy names."""

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
"""A deck; or the path of one or of a batt, the name of a module of this folder, or `built-in`."""


def deck_like(given: DeckLike) -> Deck:
    """The deck that is meant."""
    if isinstance(given, Deck):
        return given
    return load_deck(given if given == BUILT_IN or os.path.isdir(given) else batt_path(given))


def detect_batch_pattern(solvers: DeckLike | Iterable[Solver]) -> Patterns:
    """The steps of a batt that a batch does at once: sample extraction, forms of objects, groups of `mapply`."""
    return detect(deck_like(solvers) if isinstance(solvers, str | os.PathLike) else solvers)


def profile_batt_operations(
    batt: DeckLike,
    tasks: Tasks | str = "arc1-training",
    *,
    own: bool = False,
    limits: Limits | None = None,
    workers: int | None = None,
) -> Figures:
    """Run a batt or deck on tasks and tell which ops, steps, solvers and patterns take the time."""
    deck = deck_like(batt)
    samples = tasks if isinstance(tasks, Tasks) else load_tasks(tasks)
    evaluations = match_own(deck, samples) if own else match_all(deck, samples)
    return figures(profile(deck, evaluations, limits=limits, workers=workers))
