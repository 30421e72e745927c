"""What a deck can be made of: paths, source texts, solvers, decks, and lists of these."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from batt.errors import UsageError
from batt.front.deck import Deck, OwnOps, deck_of, load_deck, loaded
from batt.front.merging import merge_decks
from batt.front.module import read_module
from batt.front.solver import Solver

DeckSource: TypeAlias = "str | os.PathLike[str] | Deck | Solver | Mapping[str, str] | Iterable[DeckSource]"
"""What `as_deck` takes."""

EXPECTED = (
    "a Deck, a Solver, the path of a deck, source text of several lines, a dict of source texts by name, "
    "or a list of these"
)
ENTRY = {"name", "source"}
NAMED = 3
"""Sources of a list that the name of its deck tells."""


def as_deck(source: DeckSource, keep_going: bool = False, ops: OwnOps = None) -> Deck:
    """The deck that `source` is or describes. What is not a deck yet is read as `load_deck` reads it.

    It is a `Deck`, a `Solver`, the path of a deck or `"built-in"`, source text of more than one line, a dict of source
    texts by name, or a list of these, which `merge_decks` joins. In a list, a dict may also be
    `{"name": …, "source": …}`, as a line of a JSON lines file is.
    """
    if isinstance(source, Deck):
        return source
    if isinstance(source, Solver):
        return Deck([source], source.name)
    if isinstance(source, str) and "\n" in source:
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
    """A dict with the name and the source of one solver, as source texts by name; all else as it is."""
    if isinstance(source, Mapping) and set(source) == ENTRY:
        return {source["name"]: source["source"]}
    return source


def _merged(decks: list[Deck]) -> Deck:
    merged = merge_decks(decks)
    if len(decks) > NAMED:
        merged.name = f"{len(decks):,} sources"
    return merged
