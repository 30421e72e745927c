"""The decks that tests run whole: the first 132 solvers of the built-in deck, and re-arc's 400 verifiers.

The verifiers are read by path from their package.
"""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path

import batt
from batt.bench.frozen import FIRST_132, first_132
from batt.compiler import Batt, compile_deck
from batt.front import Deck
from batt.ir.graph import Graph
from batt.passes.specialize import specialize


@cache
def verifiers() -> Deck:
    """re-arc's verifiers. Their package must be there: tests that leave it out would show nothing."""
    package = importlib.util.find_spec("reasoning_gym")
    assert package is not None, "make test installs it: pip install --no-deps reasoning-gym"
    assert package.submodule_search_locations
    return batt.load_deck(Path(package.submodule_search_locations[0]) / "arc" / "rearc_utils" / "verifiers.py")


@cache
def whole_deck(name: str) -> Deck:
    """`first-132` or `re-arc`."""
    return {FIRST_132: first_132, "re-arc": verifiers}[name]()


@cache
def compiled_deck(name: str) -> Batt:
    """A whole deck, compiled."""
    return compile_deck(whole_deck(name))


@cache
def deck_graph(name: str) -> Graph:
    """The first-order graph of a whole deck."""
    return specialize([(solver.name, solver.program) for solver in whole_deck(name)]).graph
