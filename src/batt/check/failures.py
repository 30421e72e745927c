"""Explain differences between engines: make each small, describe it, and write it to files."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from batt.check.child import ComparingChild, Lost
from batt.check.compare import Difference, EngineComparison
from batt.check.engines import ENGINES, Engine
from batt.check.shrink import MAX_S, FailingCase, fewer, shrunk
from batt.files import write_text
from batt.front import Deck
from batt.ir.writing import source_text
from batt.runtime import Sample

_NUMBERS = re.compile(r"\b[0-9a-f]{16}\b|[\d,]+")


@dataclass(frozen=True, slots=True)
class Failure:
    """A difference of `engine` from `measure` with an example; `is_alone` if it shows without earlier evaluations."""

    engine: str
    measure: str
    what: str
    case: FailingCase
    is_alone: bool

    @property
    def head(self) -> str:
        """Return a line that describes the difference."""
        return f"# {self.engine} against {self.measure}: {self.what}"

    def __str__(self) -> str:
        lines = [self.head, str(self.case)]
        if not self.is_alone:
            lines.insert(1, "# seen only after the evaluations before it")
        return "\n".join(lines)


def explain(comparison: EngineComparison, found: Difference, child: ComparingChild, max_s: float = MAX_S) -> Failure:
    """Make a difference small: try the solver alone, then the solver in its deck."""
    engine = next(each for each in comparison.engines if each.name == found.engine)
    measure = comparison.engines[-1]
    programs = [solver.program for solver in comparison.deck]
    others = (*programs[: found.solver], *programs[found.solver + 1 :])
    alone = FailingCase(programs[found.solver], comparison.samples[found.sample], comparison.limits[found.sample])
    for case in (alone, replace(alone, others=others)):
        kind = kind_of(difference_in(case, engine, measure, child))
        if kind:
            small = _shrunk(case, kind, engine, measure, child, max_s)
            what = difference_in(small, engine, measure, child)
            return Failure(engine.name, measure.name, what or found.what, small, True)
    return Failure(engine.name, measure.name, found.what, alone, False)


def _shrunk(
    case: FailingCase, kind: str, engine: Engine, measure: Engine, child: ComparingChild, max_s: float
) -> FailingCase:
    """Return a small case with a difference of the same kind."""

    def values(each: FailingCase) -> Sequence[Any]:
        try:
            return child.values(each.program, each.sample, each.limits)
        except Lost:
            return ()

    return shrunk(case, lambda each: kind_of(difference_in(each, engine, measure, child)) == kind, values, max_s)


def difference_in(case: FailingCase, engine: Engine, measure: Engine, child: ComparingChild) -> str:
    """Describe the difference of `engine` in a case, if there is one. A crash is one, a time-out is not."""
    deck = case.deck
    try:
        child.open(EngineComparison(deck, (case.sample,), (case.limits,), (engine, measure)))
        found = child.compare([(number, 0) for number in range(len(deck))]).found
    except Lost as lost:
        return "" if lost.timed_out else lost.why
    return next((each.what for each in found if each.solver == 0), "")


def kind_of(what: str) -> str:
    """Return a description without its numbers, so that a smaller case has the same kind of difference."""
    # If statuses differ, other fields do not matter.
    names, _, states = what.partition(": ")
    return _NUMBERS.sub("", states if names.startswith("status") else what)


def fewest(
    comparison: EngineComparison, found: Difference, child: ComparingChild, max_s: float
) -> EngineComparison | None:
    """Return the part of `comparison` with the fewest solvers and samples that still differs; None if none does.

    It has samples of one budget, and two engines: the one that differs, and the last.
    """
    until_s = time.monotonic() + max_s
    engine = next(each for each in comparison.engines if each.name == found.engine)

    def part(solvers: Sequence[int], samples: Sequence[int]) -> EngineComparison:
        return EngineComparison(
            Deck([comparison.deck[number] for number in solvers]),
            tuple([comparison.samples[number] for number in samples]),
            tuple([comparison.limits[number] for number in samples]),
            (engine, comparison.engines[-1]),
        )

    def differs(solvers: Sequence[int], samples: Sequence[int]) -> bool:
        pairs = [(solver, sample) for sample in range(len(samples)) for solver in range(len(solvers))]
        if not pairs:
            return False
        try:
            child.open(part(solvers, samples))
            return bool(child.compare(pairs).found)
        except Lost as lost:
            return not lost.timed_out

    limits = comparison.limits[found.sample]
    samples = tuple([number for number, each in enumerate(comparison.limits) if each == limits])
    solvers = tuple(range(len(comparison.deck)))
    if not differs(solvers, samples):
        return None
    before = None
    while before != (solvers, samples) and time.monotonic() < until_s:
        before = solvers, samples
        samples = fewer(samples, lambda kept: differs(solvers, kept), until_s)  # noqa: B023
        solvers = fewer(solvers, lambda kept: differs(kept, samples), until_s)  # noqa: B023
    return part(solvers, samples)


def save(failure: Failure, path: Path, origin: str, comparison: EngineComparison | None = None) -> None:
    """Write the deck as `<path>.py` and the sample as a task in `<path>.json`, as `batt check` reads them.

    With `comparison`, which is needed to see the failure again, write its solvers and samples instead.
    """
    deck, tasks = path.with_suffix(".py"), path.with_suffix(".json")
    case = failure.case
    head = [f"# {origin}"]
    if {failure.engine, failure.measure} <= set(ENGINES):
        command = f"batt check --deck {deck.name} --tasks {tasks.name} --engines {failure.engine},{failure.measure}"
        head.append(f"# {command} --steps {case.limits.steps}")
    if comparison is None:
        others = [solver.source for solver in case.deck][1:]
        text, found = [str(failure), *["\n" + each for each in others]], {"failure": _task((case.sample,))}
    else:
        limits = f"# steps {case.limits.steps:,}, items {case.limits.max_items:,}"
        text = [failure.head, limits, *["\n" + source_text(each.program, each.name) for each in comparison.deck]]
        found = {f"failure{number}": _task(each) for number, each in enumerate(_by_task(comparison.samples))}
    write_text(deck, "\n".join([*head, *text]) + "\n")
    write_text(tasks, json.dumps(found) + "\n")


def _by_task(samples: Sequence[Sample]) -> Iterable[Sequence[Sample]]:
    """Group samples with the same demonstrations."""
    found: dict[object, list[Sample]] = {}
    for sample in samples:
        found.setdefault(sample.demonstrations, []).append(sample)
    return found.values()


def _task(samples: Sequence[Sample]) -> dict[str, object]:
    tests = [{"input": each.input} | ({} if each.expected is None else {"output": each.expected}) for each in samples]
    shown = samples[0].demonstrations
    return {"train": [{"input": left, "output": right} for left, right in shown], "test": tests}
