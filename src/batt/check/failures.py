"""Differences as a person meets them: made small, told, and kept in files. Owns the form of those files."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from batt.check.child import Child
from batt.check.compare import Bench, Found
from batt.check.engines import Engine
from batt.check.prober import difference_in, values_in
from batt.check.shrink import MAX_S, Case, shrunk
from batt.files import write_text
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

    def __str__(self) -> str:
        lines = [f"# {self.engine} against {self.measure}: {self.what}", str(self.case)]
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


def save(failure: Failure, path: Path, origin: str) -> None:
    """Write the deck as `<path>.py` and the sample as a task in `<path>.json`, as `batt check` reads them."""
    deck, tasks = path.with_suffix(".py"), path.with_suffix(".json")
    case = failure.case
    command = f"batt check --deck {deck.name} --tasks {tasks.name} --engines {failure.engine},{failure.measure}"
    head = f"# {origin}\n# {command} --steps {case.limits.steps}"
    others = [solver.source for solver in case.deck][1:]
    write_text(deck, "\n".join([head, str(failure), *["\n" + each for each in others]]) + "\n")
    write_text(tasks, json.dumps({"failure": _task(case.sample)}) + "\n")


def _task(sample: Sample) -> dict[str, object]:
    test = {"input": sample.input} if sample.expected is None else {"input": sample.input, "output": sample.expected}
    return {"train": [{"input": left, "output": right} for left, right in sample.demonstrations], "test": [test]}
