"""Decks of several sizes, batts written from them, and the outcome of a solver alone, for tests of generated files."""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import batt
from batt.card.dealing import deal
from batt.card.steps import merge_steps
from batt.card.writing import write_batt
from batt.differs import Differ
from batt.front import Deck
from batt.ir import Program
from batt.jobs import samples_of
from batt.jobs.values import Failed
from batt.runtime import Limits, Sample, Status, evaluate_one
from rearc import whole_deck

LIMITS = Limits(steps=20_000)
"""Enough for nearly all solvers, and few enough that those that go on and on are soon stopped."""


@cache
def deck_of(size: int) -> Deck:
    """10 or 50 of the first 132 solvers drawn by chance, all of them, or re-arc's 400."""
    if size == 400:
        return whole_deck("re-arc")
    return deal(whole_deck("first-132"), None if size == 132 else size, seed=7)


@cache
def foreign_samples(count: int) -> tuple[Sample, ...]:
    """Samples that lie far apart among those of ARC-1."""
    samples = samples_of(batt.load_tasks("arc1-training"))
    return samples[5 :: len(samples) // count][:count]


@cache
def alone(program: Program, sample: Sample) -> Any:
    """What a solver gives by itself: its value, or a Failed."""
    outcome = evaluate_one(program, sample, LIMITS)
    return outcome.value if outcome.status is Status.OK else Failed(outcome.error or outcome.status.word)


@cache
def text_of(deck: Deck, differs: tuple[Differ, ...] = (), batch: bool = False) -> str:
    """The text of a batt."""
    return write_batt(merge_steps(deck), "A batt.", differs, batch)


def imported(folder: Path, text: str, name: str = "my_batt") -> ModuleType:
    """A generated file as Python imports it."""
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
