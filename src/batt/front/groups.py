"""Group the solvers of a deck by file. In the built-in deck, a file holds the solvers of one concept."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from batt.front.solver import Solver

UNFILED = "solvers"
"""The title of the group of the solvers that no file holds."""

_FILE = re.compile(r"(.*\.py)|(.*\.jsonl):\d+ .*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class SolverGroup:
    """Solvers of one file, with the file's docstring if it has one."""

    title: str
    doc: str
    solvers: tuple[Solver, ...]


def groups_of(solvers: Iterable[Solver]) -> tuple[SolverGroup, ...]:
    """Return the solvers by file, in the order of reading.

    A group's title is the stem of its file, or the whole path where two files have one stem.
    """
    members: dict[str, list[Solver]] = {}
    for solver in solvers:
        members.setdefault(_file_of(solver), []).append(solver)
    stems = {file: Path(file).stem for file in members}
    files_with = Counter(stems.values())
    titles = {file: stem if files_with[stem] == 1 else file for file, stem in stems.items()}
    return tuple(SolverGroup(titles[file], _doc_of(found), tuple(found)) for file, found in members.items())


def _file_of(solver: Solver) -> str:
    """Return the file of a solver; a line of JSON is named FILE:NUMBER NAME."""
    match = _FILE.fullmatch(solver.place.file)
    return (match[1] or match[2]) if match else UNFILED


def _doc_of(solvers: list[Solver]) -> str:
    """Return the docstring that all of the solvers were read below."""
    docs = {solver.module.doc for solver in solvers}
    return docs.pop() if len(docs) == 1 else ""
