"""Compare engines on decks and on random programs, and make small examples of differences."""
