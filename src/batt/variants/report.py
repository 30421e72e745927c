"""Count which tasks the variants of a deck solve: their own, and others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.jobs import Results, evaluate
from batt.tasks import Tasks
from batt.variants.inferring import Variants


@dataclass(frozen=True, slots=True)
class VariantFigures:
    """Counts of variants, and of the tasks that they solve: all demonstrations and all test outputs right.

    `by_source` counts their changes; `new` are tasks that a variant solves and no solver of the deck does.
    """

    solvers: int
    with_variants: int
    variants: int
    by_source: dict[str, int]
    with_own_task: int
    same_on_own_task: int
    correct_on_own_task: int
    correct_though_not_same: int
    fit_another_task: int
    hits: tuple[tuple[str, str], ...]
    new: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        return {name: getattr(self, name) for name in self.__slots__}


def report(variants: Variants, tasks: Tasks, **options: Any) -> VariantFigures:
    """Run the solvers of a deck and their variants on all tasks, with the options of `evaluate`, and count."""
    return figures(variants, evaluate(variants.beside, tasks, **options))


def figures(variants: Variants, results: Results) -> VariantFigures:
    """Count the figures of variants in a run of them together with their originals."""
    solved, ids = results.fits & results.correct, results.tasks.ids
    rows = {name: solved[row] for row, name in enumerate(results.deck.names)}
    own = [_at(rows[each.solver.name], ids, each.task) for each in variants.variants]
    hits = [
        (variant.solver.name, ids[task])
        for variant in variants.variants
        for task in np.flatnonzero(rows[variant.solver.name]).tolist()
        if ids[task] != variant.task
    ]
    before = np.zeros(len(ids), dtype=bool)
    for name in variants.originals.names:
        before |= rows[name]
    sources = [change.source.value for each in variants.variants for change in each.changes]
    return VariantFigures(
        solvers=len(variants.originals),
        with_variants=len({each.original for each in variants.variants}),
        variants=len(variants.variants),
        by_source={source: sources.count(source) for source in dict.fromkeys(sorted(sources))},
        with_own_task=sum(each.task is not None for each in variants.variants),
        same_on_own_task=sum(each.is_the_same for each in variants.variants),
        correct_on_own_task=sum(own),
        correct_though_not_same=sum(
            right and not each.is_the_same for right, each in zip(own, variants.variants, strict=True)
        ),
        fit_another_task=len({name for name, _ in hits}),
        hits=tuple(hits),
        new=tuple(sorted({task for _, task in hits if not before[ids.index(task)]})),
    )


def _at(solved: npt.NDArray[np.bool_], ids: tuple[str, ...], task: str | None) -> bool:
    return task is not None and bool(solved[ids.index(task)])
