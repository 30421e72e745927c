"""The scores of a run: all outputs of all samples by all differs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.differs.arrays import read_grids
from batt.differs.differ import Differ
from batt.differs.measures import Score, Shape, union_area
from batt.differs.stage import Scorer
from batt.errors import UsageError
from batt.jobs import Results
from batt.jobs.values import failure, read_output
from batt.runtime import Equality, Sample, Status
from batt.runtime.evaluations import Integers
from batt.runtime.options import read_options
from batt.runtime.outcome import RAN, shape_of
from batt.runtime.records import take
from batt.types.plain import as_json

AT_ONCE = 20_000
"""The evaluations scored at once, if a sample has no more: their outputs are held in memory meanwhile."""


@dataclass(frozen=True)
class Scores:
    """The scores of every evaluation of a run, by its number; None if it was not run. Equal scores share one tuple."""

    differs: tuple[Differ, ...]
    scores: list[tuple[Score, ...] | None]

    def __len__(self) -> int:
        return len(self.scores)

    def __getitem__(self, number: int) -> tuple[Score, ...] | None:
        return self.scores[number]

    def __repr__(self) -> str:
        return f"<Scores | {len(self):,} evaluations | {', '.join(differ.name for differ in self.differs)}>"

    @cached_property
    def summary(self) -> dict[str, dict[str, Any]]:
        """For each differ: how many evaluations have a score, how many 0, the mean; and why others have none."""
        found: dict[str, dict[str, Any]] = {}
        for at, differ in enumerate(self.differs):
            column = [scores[at] for scores in self.scores if scores is not None]
            known = [number for number, _ in column if number is not None]
            reasons = [" ".join(map(str, detail)) for number, detail in column if number is None]
            found[differ.name] = {
                "scored": len(known),
                "zero": known.count(0),
                "mean": round(sum(known) / len(known), 3) if known else None,
                "without": {why: reasons.count(why) for why in sorted(set(reasons))},
            }
        return found

    def texts(self) -> list[str]:
        """Return the scores of every evaluation as JSON: `{"equal":[0,[[3,3],[3,3]]]}`."""
        names = [json.dumps(differ.name) for differ in self.differs]
        # There are far fewer scores than evaluations.
        told: dict[Score, str] = {}
        written: dict[int, str] = {}
        for scores in self.scores:
            if id(scores) not in written:
                parts = [f"{name}:{_text(each, told)}" for name, each in zip(names, scores or (), strict=False)]
                written[id(scores)] = f"{{{','.join(parts)}}}" if parts else "null"
        return [written[id(scores)] for scores in self.scores]


def score_results(
    results: Results,
    differs: Sequence[Differ],
    engine: str = "auto",
    workers: int | None = None,
    gpu_memory: float | None = None,
) -> Scores:
    """Score a run that kept its outputs, within the run's limits."""
    if results.outputs is None:
        raise UsageError("outputs were not kept; evaluate with outputs=True")
    options = read_options(engine=engine, limits=results.limits, workers=workers, gpu_memory=gpu_memory)
    scorer = Scorer(differs, options)
    scores: list[tuple[Score, ...] | None] = [None] * len(results)
    # Many evaluations have equal scores: keep each once.
    known: dict[tuple[Score, ...], tuple[Score, ...]] = {}
    for numbers in _by_sample(results):
        recorded, wanted = _recorded(results, scorer.differs, numbers)
        names = [differ.name for differ in scorer.differs]
        first = recorded_scores(names, take(results.records, numbers[recorded]), wanted[recorded])
        for chosen, made in ((recorded, first), (~recorded, _score(scorer, results, numbers[~recorded]))):
            for number, each in zip(numbers[chosen].tolist(), made, strict=True):
                scores[number] = known.setdefault(each, each)
    return Scores(scorer.differs, scores)


def _by_sample(results: Results) -> Iterator[Integers]:
    """Yield the numbers of the evaluations that ran, sample by sample: whole samples, about `AT_ONCE` evaluations."""
    _, samples = results.evaluations.columns()
    order = samples.argsort(kind="stable")
    order = order[np.isin(results.records["status"][order], RAN)]
    firsts = np.flatnonzero(np.diff(samples[order], prepend=-1))
    cuts = firsts[np.flatnonzero(np.diff(firsts // AT_ONCE, prepend=0))]
    for numbers in np.split(order, cuts):
        if len(numbers):
            yield numbers


def _recorded(results: Results, differs: Sequence[Differ], numbers: Integers) -> tuple[npt.NDArray[np.bool_], Integers]:
    """Return which evaluations gave grids that records can score, and the shapes of the expected grids."""
    wanted = np.full((len(numbers), 2), -1, np.int64)
    if results.outputs is None or any(differ.name not in RECORDED for differ in differs):
        return np.zeros(len(numbers), bool), wanted
    _, positions = results.evaluations.pairs(numbers)
    own, places = np.unique(positions, return_inverse=True)
    expected = [results.evaluations.samples[position].expected for position in own.tolist()]
    wanted = np.array([(-1, -1) if each is None else shape_of(each) for each in expected], np.int64)[places.ravel()]
    # A grid that is too large is stored as a tag only.
    is_whole = results.outputs.sizes[numbers] > 1
    return (results.records["height"][numbers] > 0) & is_whole & (wanted[:, 0] >= 0), wanted


RECORDED = ("equal", "cells")
"""The built-in measures that can be computed from records; `measures` defines them."""


def recorded_scores(names: Sequence[str], records: npt.NDArray[Any], wanted: Integers) -> list[tuple[Score, ...]]:
    """Score grids by the measures `names`, from their records and the shapes `wanted` of the expected grids.

    The engine has compared every grid with the expected output already.
    """
    fields = [records["equal"] == Equality.YES, records["differing"], records["height"], records["width"]]
    rows = np.column_stack([*[field.astype(np.int64) for field in fields], wanted])
    # Few rows are distinct; equal rows share one tuple.
    distinct, places = np.unique(rows, axis=0, return_inverse=True)
    made = [
        tuple([_recorded_score(name, bool(is_equal), differing, (height, width), (tall, wide)) for name in names])
        for is_equal, differing, height, width, tall, wide in distinct.tolist()
    ]
    return [made[place] for place in places.ravel().tolist()]


def _recorded_score(name: str, is_equal: bool, differing: int, shape: Shape, wanted: Shape) -> Score:
    if name == "equal":
        return int(not is_equal), (shape, wanted)
    places = union_area(shape, wanted)
    return differing, (places - differing, places)


def _score(scorer: Scorer, results: Results, numbers: Integers) -> Iterator[tuple[Score, ...]]:
    """Yield the scores of these evaluations, which are sorted by sample. Equal outputs of a sample are scored once."""
    assert results.outputs is not None
    if not len(numbers):
        return iter(())
    wires, functions = results.outputs.take(numbers)
    records = take(results.records, numbers)
    statuses, errors = records["status"].tolist(), records["error"].tolist()
    _, positions = results.evaluations.pairs(numbers)
    # With the usual functions, the bytes alone identify a value.
    usual = functions[0]
    firsts: list[int] = []
    samples: list[Sample] = []
    places: list[int] = []
    position = -1
    for at, own in enumerate(positions.tolist()):
        if own != position:
            # Samples may be made on demand at every access.
            position, sample = own, results.evaluations.samples[own]
            distinct: dict[Any, int] = {}
        key = wires[at] if functions[at] is usual else (wires[at], functions[at])
        place = distinct.setdefault(key if statuses[at] == Status.OK else (statuses[at], errors[at]), len(firsts))
        if place == len(firsts):
            firsts.append(at)
            samples.append(sample)
        places.append(place)
    values: list[Any] = [*read_grids([wires[at] for at in firsts])]
    for place, at in enumerate(firsts):
        if statuses[at] != Status.OK:
            values[place] = failure(Status(statuses[at]), errors[at])
        elif values[place] is None:
            values[place] = read_output(wires[at], functions[at])
    made = scorer.score_distinct(samples, values)
    return (made[place] for place in places)


def _text(score: Score, told: dict[Score, str]) -> str:
    """Return the score as JSON; `told` caches the texts."""
    text = told.get(score)
    if text is None:
        text = told[score] = json.dumps(_plain(score), separators=(",", ":"))
    return text


def _plain(score: Score) -> list[Any]:
    return [score[0], [each if isinstance(each, str) else as_json(each) for each in score[1]]]
