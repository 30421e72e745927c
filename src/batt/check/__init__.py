"""Whether engines agree: comparing them on decks and on random programs, and making small what shows a difference."""
