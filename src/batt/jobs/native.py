"""A deck as a job of the cpu engine. Owns in which form it runs, and how solvers' names become numbers of slices."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from batt.bytecode.table import Table
from batt.compiler import Encoded, compile_deck, encode_deck, encode_programs
from batt.front import Deck
from batt.own.native import native_table
from batt.passes.plan import StagePlan, plan
from batt.runtime.cpu import Job
from batt.runtime.evaluations import Evaluations

SHARED_ON = frozenset({"cpu"})
"""Engines on which what solvers share is worked out ahead of them where nobody says whether to."""

COMPILE_FROM = 45
"""Evaluations of each solver, for each thread, from which compiling takes less time than it saves.

Compiling takes 0.3 ms a solver of the built-in deck and saves 6 µs an evaluation; re-arc's verifiers are longer, 0.9 ms
and 20 µs. All threads save at once, while one compiles.
"""


def pays_to_compile(evaluations: int, solvers: int, threads: int) -> bool:
    """Whether compiling the solvers saves more time than it takes in a run of this many evaluations."""
    return evaluations >= COMPILE_FROM * solvers * threads


def encoded(
    deck: Deck,
    compiled: bool,
    share: bool,
    engine: str = "cpu",
    tell: Callable[[str], None] | None = None,
    verify: bool | None = None,
    table: Table | None = None,
) -> Encoded:
    """The image of a deck: compiled, where asked for with what solvers share worked out ahead; or as it stands.

    Where no `table` is given, the C++ bodies of a user's own ops are compiled for `engine`; `tell` gets a line if
    that takes a while. `verify` checks the graph and the image.
    """
    if table is None:
        table = native_table([solver.program for solver in deck], engine, tell)
    if not compiled:
        return encode_programs([(solver.name, solver.program) for solver in deck], table, verify)
    batt = compile_deck(deck, hints=False, verify=verify)
    return encode_deck(batt, plan(batt.graph) if share else StagePlan.none(), table, verify)


def job_of(deck: Deck, encoded: Encoded, evaluations: Evaluations) -> Job:
    """The job of a deck's image."""
    names = deck.names
    return Job(
        [solver.program for solver in deck],
        encoded.image,
        np.array([encoded.slice_of.get(name, -1) for name in names], dtype=np.int64),
        {number: encoded.refused[name] for number, name in enumerate(names) if name in encoded.refused},
        evaluations,
    )
