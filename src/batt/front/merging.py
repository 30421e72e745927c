"""Several decks as one. Owns which name a solver gets where two decks use the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from batt.front.deck import Deck
from batt.front.solver import Solver
from batt.ir import Program
from batt.ir.writing import Numbering


def merge_decks(decks: Sequence[Deck]) -> Deck:
    """Join `decks` into one deck, in their order.

    A solver that has the same name and the same program in several decks is there once. Where the programs differ, the
    first keeps the name, and each other one is renamed to STEM_NAME after the file or folder of its deck, with a number
    where that name is taken too.
    """
    if len(decks) == 1:
        return decks[0]
    numbering = Numbering(name for deck in decks for name in deck.names)
    programs: dict[str, list[Program]] = {}
    solvers: list[Solver] = []
    for deck in decks:
        for solver in deck:
            known = programs.setdefault(solver.name, [])
            if solver.program in known:
                continue
            free = numbering.free(f"{Path(deck.name).stem}_{solver.name}") if known else solver.name
            known.append(solver.program)
            solvers.append(replace(solver, name=free))
    mistakes = [mistake for deck in decks for mistake in deck.mistakes]
    imports = sum([Counter(deck.imports) for deck in decks], Counter[str]())
    defaults = sum(deck.defaults for deck in decks)
    return Deck(solvers, " + ".join(deck.name for deck in decks), mistakes, defaults, imports)
