"""Scoring as a stage of its own: all candidates at once, by all differs. Owns what comes of a differ's value.

Built-in measures run on arrays, the user's own on an engine, each distinct candidate of a sample once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from batt.differs.arrays import measure
from batt.differs.differ import BuiltIn, Differ, Written, handed, input_of
from batt.differs.measures import UNKNOWN, Score, no_score
from batt.jobs.programs import Programs
from batt.jobs.values import Failed
from batt.runtime import Limits, Part, Sample
from batt.runtime.options import read_options
from batt.types import ordered

AT_ONCE = 20_000
"""Candidates that are handed to an engine at once."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What a program gave for a sample: a value, or a Failed where it gave none."""

    sample: Sample
    value: Any


def score(
    differs: Sequence[Differ],
    candidates: Sequence[Candidate],
    *,
    limits: Limits | None = None,
    engine: str = "auto",
    workers: int | None = None,
    gpu_memory: float | None = None,
) -> list[tuple[Score, ...]]:
    """The scores of every candidate, by the differs in their order; candidates of a task should stand side by side.

    A candidate that is no value has none, and says how it ended. A differ has the budget of an evaluation; one that
    raises or goes beyond it gives no score, and says so.
    """
    found: list[tuple[Score, ...]] = [()] * len(candidates)
    distinct: dict[tuple[int, Any], list[int]] = {}
    for at, each in enumerate(candidates):
        distinct.setdefault((id(each.sample), each.value), []).append(at)
    firsts = [candidates[places[0]] for places in distinct.values()]
    columns = _measured([each for each in differs if isinstance(each, BuiltIn)], firsts)
    written = [each for each in differs if isinstance(each, Written)]
    if written:
        programs = [handed(differ.solver.program) for differ in written]
        options = read_options(engine=engine, limits=limits, workers=workers, gpu_memory=gpu_memory)
        ready = Programs(programs, options)
        columns |= _run(ready, written, firsts)
    ordered_columns = [columns[differ.name] for differ in differs]
    for number, places in enumerate(distinct.values()):
        scores = tuple([column[number] for column in ordered_columns])
        for at in places:
            found[at] = scores
    return found


def _measured(differs: Sequence[BuiltIn], candidates: Sequence[Candidate]) -> dict[str, list[Score]]:
    """The scores by each built-in measure."""
    names = [differ.name for differ in differs]
    pairs = [(each.value, each.sample.expected) for each in candidates]
    return dict(zip(names, measure(names, pairs), strict=True))


def _run(ready: Programs, differs: Sequence[Written], candidates: Sequence[Candidate]) -> dict[str, list[Score]]:
    """The scores by each differ that is a program; one that takes the expected output has to know it."""
    columns = {differ.name: [no_score(each.value, ()) or UNKNOWN for each in candidates] for differ in differs}
    values = [at for at, each in enumerate(candidates) if not isinstance(each.value, Failed)]
    for start in range(0, len(values), AT_ONCE):
        chosen = values[start : start + AT_ONCE]
        made = iter(ready.on([_handed(candidates[at]) for at in chosen]).values)
        for differ in differs:
            for at in chosen:
                value = next(made)
                if not differ.takes_expected or candidates[at].sample.expected is not None:
                    columns[differ.name][at] = score_of(value)
    return columns


def _handed(candidate: Candidate) -> Sample:
    sample = candidate.sample
    given = input_of(sample.input, candidate.value, sample.expected)
    return Sample(sample.task, Part.TEST, 0, sample.demonstrations, given, None)


def score_of(value: Any) -> Score:
    """What the value of a differ of the user counts as.

    An int is the score. A pair of an int and a value is the score and its detail. A set is what is to blame: its items
    are counted. Anything else is no score.
    """
    match value:
        case Failed(kind=kind):
            return None, ("differ", kind)
        case int():
            return int(value), ()
        case (int() as number, tuple() as detail):
            return int(number), detail
        case (int() as number, detail):
            return int(number), (detail,)
        case frozenset():
            return len(value), tuple(ordered(value))
        case _:
            return None, ("differ", "no score")
