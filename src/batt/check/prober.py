"""Single cases in a process of their own: whether engines still differ, and comparing that survives a crash."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from batt.check.child import Child, Lost, Recipe
from batt.check.compare import Bench, Found, Tally
from batt.check.engines import Engine
from batt.check.shrink import Case
from batt.front import Deck

MAX_LOST = 20
"""Evaluations of one piece of work that may be lost before its rest is given up."""
LEFT_OUT = "left out after too many lost processes"


def difference_in(case: Case, engine: Engine, measure: Engine, child: Child) -> str:
    """What an engine does otherwise in a case, in words; a crash is a difference, a time-out is none."""
    deck = case.deck
    try:
        child.open(Bench(deck, (case.sample,), (case.limits,), (engine, measure)))
        found = child.compare([(number, 0) for number in range(len(deck))]).found
    except Lost as lost:
        return "" if lost.timed_out else lost.why
    return next((each.what for each in found if each.solver == 0), "")


def values_in(case: Case, child: Child) -> Sequence[Any]:
    """The values of a case's steps; none where the reference engine does not end."""
    try:
        return child.values(case.program, case.sample, case.limits)
    except Lost:
        return ()


def compare_safely(child: Child, bench: Recipe, engines: Sequence[Engine], pairs: Sequence[tuple[int, int]]) -> Tally:
    """Compare evaluations of one budget of the bench that is open.

    One that ends the process is a difference, one that the guard ends is timed out; the bench is then opened again.
    """
    left, tally = list(pairs), Tally()
    for _ in range(MAX_LOST):
        if not left:
            return tally
        try:
            tally.add(child.compare(left))
            return tally
        except Lost as lost:
            child.open(bench)
            solver, sample = left.pop(min(lost.number, len(left) - 1))
            tally.evaluations += 1
            tally.lost[solver] += 1
            if lost.timed_out:
                tally.timed_out += 1
            else:
                tally.found.append(Found(solver, sample, engines[lost.phase - 1].name, lost.why))
    tally.evaluations += len(left)
    tally.unsupported[LEFT_OUT] += len(left)
    return tally


def culprit(bench: Bench, child: Child) -> int | None:
    """The program for which a bench cannot be made ready; None where that takes several of them."""
    suspects = list(range(len(bench.deck)))
    while len(suspects) > 1:
        half = len(suspects) // 2
        suspects = next((part for part in (suspects[:half], suspects[half:]) if _is_lost(bench, part, child)), [])
    return suspects[0] if suspects else None


def _is_lost(bench: Bench, programs: Sequence[int], child: Child) -> bool:
    try:
        child.open(replace(bench, deck=Deck([bench.deck[number] for number in programs])))
    except Lost:
        return True
    return False
