"""Score all candidates at once, by all differs.

Built-in measures run on arrays, the user's differs on an engine, each distinct candidate of a sample once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from batt.differs.arrays import as_grid, measure
from batt.differs.differ import BuiltInDiffer, Differ, Written, engine_program, input_of
from batt.differs.measures import UNKNOWN, Score, no_score
from batt.jobs.programs import Programs
from batt.jobs.values import Failed
from batt.runtime import Limits, Sample, Split
from batt.runtime.options import Options, read_options
from batt.types import ordered

AT_ONCE = 20_000
"""The most candidates passed to an engine at once."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """The output of a program for a sample: a value or a Failed."""

    sample: Sample
    value: Any


class Scorer:
    """Scores candidates again and again. The user's differs are prepared once."""

    def __init__(self, differs: Sequence[Differ], options: Options) -> None:
        self.differs = tuple(differs)
        self._built_in = [each for each in differs if isinstance(each, BuiltInDiffer)]
        self._written = [each for each in differs if isinstance(each, Written)]
        programs = [engine_program(differ.solver.program) for differ in self._written]
        self._ready = Programs(programs, options) if programs else None

    def score(self, candidates: Sequence[Candidate]) -> list[tuple[Score, ...]]:
        """Score every candidate by the differs in order. Equal candidates of a sample share one tuple."""
        distinct: dict[tuple[int, Any], int] = {}
        firsts: list[Candidate] = []
        places: list[int] = []
        for each in candidates:
            place = distinct.setdefault((id(each.sample), each.value), len(firsts))
            if place == len(firsts):
                firsts.append(each)
            places.append(place)
        made = self.score_distinct([each.sample for each in firsts], [each.value for each in firsts])
        return [made[place] for place in places]

    def score_distinct(self, samples: Sequence[Sample], values: Sequence[Any]) -> list[tuple[Score, ...]]:
        """Score values for samples. A grid may be an array of its cells, as `arrays.read_grids` makes them."""
        names = [differ.name for differ in self._built_in]
        pairs = [(value, sample.expected) for value, sample in zip(values, samples, strict=True)]
        columns = dict(zip(names, measure(names, pairs), strict=True))
        if self._ready is not None:
            columns |= _run(self._ready, self._written, list(map(Candidate, samples, map(as_grid, values))))
        if not self.differs:
            return [()] * len(values)
        return list(zip(*[columns[differ.name] for differ in self.differs], strict=True))


def score(
    differs: Sequence[Differ],
    candidates: Sequence[Candidate],
    *,
    limits: Limits | None = None,
    engine: str = "auto",
    workers: int | None = None,
    gpu_memory: float | None = None,
) -> list[tuple[Score, ...]]:
    """Score every candidate by the differs in order. Candidates of a task should be adjacent.

    A failed candidate has no score but how it ended. A differ has the budget of an evaluation; one that raises or
    exceeds it gives no score but the reason.
    """
    options = read_options(engine=engine, limits=limits, workers=workers, gpu_memory=gpu_memory)
    return Scorer(differs, options).score(candidates)


def _run(ready: Programs, differs: Sequence[Written], candidates: Sequence[Candidate]) -> dict[str, list[Score]]:
    """Return the scores by each differ that is a program; unknown if it needs an expected output that is missing."""
    columns = {differ.name: [no_score(each.value, ()) or UNKNOWN for each in candidates] for differ in differs}
    values = [at for at, each in enumerate(candidates) if not isinstance(each.value, Failed)]
    for start in range(0, len(values), AT_ONCE):
        chosen = values[start : start + AT_ONCE]
        made = iter(ready.on([_engine_sample(candidates[at]) for at in chosen]).values)
        for differ in differs:
            for at in chosen:
                value = next(made)
                if not differ.takes_expected or candidates[at].sample.expected is not None:
                    columns[differ.name][at] = score_of(value)
    return columns


def _engine_sample(candidate: Candidate) -> Sample:
    sample = candidate.sample
    given = input_of(sample.input, candidate.value, sample.expected)
    return Sample(sample.task, Split.TEST, 0, sample.demonstrations, given, None)


def score_of(value: Any) -> Score:
    """Return the score that the value of a user's differ means.

    An int is the score. A pair of an int and a value is the score and its detail. A set holds what is wrong: its items
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
