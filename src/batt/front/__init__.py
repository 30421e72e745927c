"""Reading decks: source text to programs, never executed."""

from batt.front.deck import BUILT_IN, Deck, load_deck
from batt.front.solver import Solver

__all__ = ["BUILT_IN", "Deck", "Solver", "load_deck"]
