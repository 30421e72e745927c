"""Read batts: files in which a generator wrote many solvers into one function. They are parsed, never run.

Three forms are read: what `batt card` writes for one sample and for a batch, and what earlier generators wrote. Each
solver comes out as it went in, so that a batt can be run, shown and compared like any deck.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from batt.errors import DeckError, UsageError
from batt.front.deck import Deck, OwnOps, deck_of, loaded
from batt.front.module import read_module
from batt.front.shape import BattForm, Score
from batt.front.solver import Solver
from batt.front.texts import batt_path, read_text
from batt.front.unfold import Entry

__all__ = ["BattFile", "BattForm", "Entry", "Score", "batt_path", "read_batt", "read_batt_text"]


@dataclass(frozen=True, slots=True)
class BattFile:
    """A batt read from a file: its solvers as a deck, in the order of `o`, and the entries that they come from."""

    file: str
    form: BattForm
    deck: Deck
    entries: tuple[Entry, ...]
    scores: tuple[Score, ...]
    defaults: int

    @property
    def solvers(self) -> tuple[Solver, ...]:
        """The solvers, one for each `o.append`."""
        return tuple(self.deck)

    def __repr__(self) -> str:
        return f"<BattFile {self.file} | {self.form.value} | {len(self.deck):,} solvers>"


def read_batt(source: str | os.PathLike[str], ops: OwnOps = None) -> BattFile:
    """Read the batt in a file. `source` is its path or the name of a module in this folder."""
    path = batt_path(source)
    return read_batt_text(read_text(path), str(path), ops)


def read_batt_text(text: str, file: str, ops: OwnOps = None) -> BattFile:
    """Read the batt in `text`; `file` is its name in messages."""
    module = read_module(text, file, loaded(ops))
    if module.batt is None:
        if module.mistakes:
            raise DeckError(module.mistakes)
        raise UsageError(
            f"{file}: no batt in it; a batt is `def batt(task_id, S, I, C, log_path)` as `batt card` writes"
        )
    deck = deck_of(module, Path(file).stem).select(entry.name for entry in module.batt.entries)
    return BattFile(file, module.batt.form, deck, module.batt.entries, module.batt.scores, module.batt.defaults)
