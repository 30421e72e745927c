"""Check a deck without running it: mistakes, steps that never succeed, unread values, duplicates and unused names."""

from __future__ import annotations

import os

from batt.errors import DeckError
from batt.front import Deck, DeckSource, as_deck
from batt.front.deck import OwnOps
from batt.linting.checks import findings_of
from batt.linting.findings import Finding, FindingKind, LintReport, Severity, in_order

__all__ = ["Finding", "FindingKind", "LintReport", "Severity", "lint"]


def lint(deck: DeckSource, ops: OwnOps = None) -> LintReport:
    """Check a deck, which is anything that `as_deck` takes. Return all findings; run no solver.

    The file `ops` is executed; a deck never is. Raise UsageError if there is no such deck.
    """
    loaded = _load(deck, ops)
    return LintReport(loaded.name, len(loaded), in_order(findings_of(loaded)), sum(loaded.imports.values()))


def _load(source: DeckSource, ops: OwnOps) -> Deck:
    """Load the deck with everything good in it, which may be nothing."""
    try:
        return as_deck(source, keep_going=True, ops=ops)
    except DeckError as error:
        name = os.fspath(source) if isinstance(source, str | os.PathLike) else "sources"
        return Deck((), "source" if "\n" in name else name, error.mistakes)
