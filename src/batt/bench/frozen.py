"""The decks that only `batt bench` uses: fixed workloads, so that figures compare over time."""

from __future__ import annotations

from functools import cache
from importlib import resources

from batt.front import Deck, load_deck

FIRST_132 = "first-132"
"""The first 132 solvers of the built-in deck. The deck itself grows."""


@cache
def first_132() -> Deck:
    """Return the deck `first-132`."""
    with resources.as_file(resources.files("batt.bench") / "decks" / f"{FIRST_132}.py") as path:
        return load_deck(path)
