"""Make a deck from paths, source texts, solvers, decks, or lists of these."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from batt.errors import UsageError
from batt.front.deck import Deck, OwnOps, deck_of, load_deck, loaded
from batt.front.solver import Solver
from batt.ir import Program

DeckSource: TypeAlias = "str | os.PathLike[str] | Deck | Solver | Mapping[str, str] | Iterable[DeckSource]"
"""The argument of `as_deck`."""

EXPECTED = (
    "a Deck, a Solver, the path of a deck, source text of several lines, a dict of source texts by name, "
    "or a list of these"
)
ENTRY = {"name", "source"}
NAMED = 3
"""The most sources of a list that the name of its deck lists."""


def as_deck(source: DeckSource, keep_going: bool = False, ops: OwnOps = None) -> Deck:
    """Return `source` as a deck, read as `load_deck` reads it.

    `source` is a `Deck`, a `Solver`, the path of a deck or `"built-in"`, source text of more than one line, a dict of
    source texts by name, or a list of these, which `merge_decks` joins. In a list, a dict may also be
    `{"name": …, "source": …}`, like a line of a JSON lines file.
    """
    if isinstance(source, Deck):
        return source
    if isinstance(source, Solver):
        return Deck([source], source.name)
    if isinstance(source, str) and "\n" in source:
        from batt.front.module import read_module

        return deck_of(read_module(source, "source", loaded(ops)), "source", keep_going)
    if isinstance(source, str | os.PathLike):
        return load_deck(source, keep_going, ops)
    if isinstance(source, Mapping):
        return Deck.from_sources(source, keep_going, ops)
    if isinstance(source, Iterable) and not isinstance(source, bytes | bytearray):
        decks = [as_deck(_entry(each), keep_going, ops) for each in source]
        if decks:
            return _merged(decks)
    kind = "an empty list" if isinstance(source, list | tuple) else f"a value of type {type(source).__name__}"
    raise UsageError(f"expected a deck: {EXPECTED}; got {'None' if source is None else kind}")


def _entry(source: DeckSource) -> DeckSource:
    """Convert a dict with the name and the source of one solver to source texts by name."""
    if isinstance(source, Mapping) and set(source) == ENTRY:
        return {source["name"]: source["source"]}
    return source


def _merged(decks: list[Deck]) -> Deck:
    merged = merge_decks(decks)
    if len(decks) > NAMED:
        merged.name = f"{len(decks):,} sources"
    return merged


def merge_decks(decks: Sequence[Deck]) -> Deck:
    """Join `decks` into one deck, in their order.

    A solver with the same name and the same program in several decks is kept once. If the programs differ, the first
    keeps the name, and the others are renamed to STEM_NAME after the file or folder of their deck, with a number if
    that name is taken too.
    """
    if len(decks) == 1:
        return decks[0]
    from batt.ir.writing import Numbering

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
