"""Differences as a person meets them: made small, told, and kept in files. Owns the form of those files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from batt.check.child import Child
from batt.check.compare import Bench, Found
from batt.check.engines import ENGINES, Engine
from batt.check.prober import difference_in, values_in
from batt.check.shrink import MAX_S, Case, shrunk
from batt.files import write_text
from batt.ir.writing import source_text
from batt.runtime import Sample

_NUMBERS = re.compile(r"\b[0-9a-f]{16}\b|[\d,]+")


@dataclass(frozen=True, slots=True)
class Failure:
    """A difference with an example of it; `is_alone` where that shows it without what ran before it."""

    engine: str
    measure: str
    what: str
    case: Case
    is_alone: bool

    @property
    def head(self) -> str:
        """What differs."""
        return f"# {self.engine} against {self.measure}: {self.what}"

    def __str__(self) -> str:
        lines = [self.head, str(self.case)]
        if not self.is_alone:
            lines.insert(1, "# seen only after the evaluations before it")
        return "\n".join(lines)


def explain(bench: Bench, found: Found, child: Child, max_s: float = MAX_S) -> Failure:
    """A difference made small: first the solver alone, else in its deck."""
    engine = next(each for each in bench.engines if each.name == found.engine)
    measure = bench.engines[-1]
    programs = [solver.program for solver in bench.deck]
    others = (*programs[: found.solver], *programs[found.solver + 1 :])
    alone = Case(programs[found.solver], bench.samples[found.sample], bench.limits[found.sample])
    for case in (alone, Case(alone.program, alone.sample, alone.limits, others)):
        small = _smallest(case, engine, measure, child, max_s)
        if small is not None:
            what = difference_in(small, engine, measure, child)
            return Failure(engine.name, measure.name, what or found.what, small, True)
    return Failure(engine.name, measure.name, found.what, alone, False)


def _smallest(case: Case, engine: Engine, measure: Engine, child: Child, max_s: float) -> Case | None:
    """A small case with a difference of the same kind; None where the case has none."""
    kind = kind_of(difference_in(case, engine, measure, child))
    if not kind:
        return None
    return shrunk(
        case,
        lambda each: kind_of(difference_in(each, engine, measure, child)) == kind,
        lambda each: values_in(each, child),
        max_s,
    )


def kind_of(what: str) -> str:
    """What differs without its numbers, so that what becomes smaller stays of its kind."""
    # Where statuses differ, it is of no interest what else does.
    fields, _, states = what.partition(": ")
    return _NUMBERS.sub("", states if fields.startswith("status") else what)


def save(failure: Failure, path: Path, origin: str, bench: Bench | None = None) -> None:
    """Write the deck as `<path>.py` and the sample as a task in `<path>.json`, as `batt check` reads them.

    With `bench`, which is what it takes to see the failure, its solvers and samples are written instead.
    """
    deck, tasks = path.with_suffix(".py"), path.with_suffix(".json")
    case = failure.case
    head = [f"# {origin}"]
    if {failure.engine, failure.measure} <= set(ENGINES):
        command = f"batt check --deck {deck.name} --tasks {tasks.name} --engines {failure.engine},{failure.measure}"
        head.append(f"# {command} --steps {case.limits.steps}")
    if bench is None:
        others = [solver.source for solver in case.deck][1:]
        text, found = [str(failure), *["\n" + each for each in others]], {"failure": _task((case.sample,))}
    else:
        limits = f"# steps {case.limits.steps:,}, items {case.limits.max_items:,}"
        text = [failure.head, limits, *["\n" + source_text(each.program, each.name) for each in bench.deck]]
        found = {f"failure{number}": _task(each) for number, each in enumerate(_by_task(bench.samples))}
    write_text(deck, "\n".join([*head, *text]) + "\n")
    write_text(tasks, json.dumps(found) + "\n")


def _by_task(samples: Sequence[Sample]) -> Iterable[Sequence[Sample]]:
    """The samples with the same demonstrations together."""
    found: dict[object, list[Sample]] = {}
    for sample in samples:
        found.setdefault(sample.demonstrations, []).append(sample)
    return found.values()


def _task(samples: Sequence[Sample]) -> dict[str, object]:
    tests = [{"input": each.input} | ({} if each.expected is None else {"output": each.expected}) for each in samples]
    shown = samples[0].demonstrations
    return {"train": [{"input": left, "output": right} for left, right in shown], "test": tests}
