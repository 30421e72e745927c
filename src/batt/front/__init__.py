"""Read decks: source text to programs. A deck is never executed."""

from batt.front.deck import BUILT_IN, Deck, linked_deck, load_deck
from batt.front.solver import Solver
from batt.front.sources import DeckSource, as_deck, merge_decks

__all__ = ["BUILT_IN", "Deck", "DeckSource", "Solver", "as_deck", "linked_deck", "load_deck", "merge_decks"]
