"""The scores of a run: all outputs of all samples by all differs. Owns how they are kept, told and exported."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from batt.differs.differ import Differ
from batt.differs.measures import Score
from batt.differs.stage import Candidate, score
from batt.errors import UsageError
from batt.jobs import Results
from batt.jobs.values import failure, read_output
from batt.runtime import Status
from batt.types.plain import as_json


@dataclass(frozen=True)
class Scores:
    """The scores of every evaluation of a run, by its number; None where it was not run.

    Equal candidates of a sample share one tuple of scores.
    """

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
        """The scores of every evaluation as JSON: `{"equal":[0,[[3,3],[3,3]]]}`."""
        names = [differ.name for differ in self.differs]
        written: dict[int, str] = {}
        for scores in self.scores:
            if id(scores) not in written:
                told = {name: _plain(each) for name, each in zip(names, scores or (), strict=False)}
                written[id(scores)] = json.dumps(told if scores else None, separators=(",", ":"))
        return [written[id(scores)] for scores in self.scores]


def score_results(
    results: Results,
    differs: Sequence[Differ],
    engine: str = "auto",
    workers: int | None = None,
    gpu_memory: float | None = None,
) -> Scores:
    """The scores of a run that kept its outputs, within the run's limits."""
    if results.outputs is None:
        raise UsageError("outputs were not kept; evaluate with outputs=True")
    ran = list(_candidates(results))
    candidates, limits = [each for _, each in ran], results.limits
    made = score(differs, candidates, limits=limits, engine=engine, workers=workers, gpu_memory=gpu_memory)
    scores: list[tuple[Score, ...] | None] = [None] * len(results)
    for (number, _), each in zip(ran, made, strict=True):
        scores[number] = each
    return Scores(tuple(differs), scores)


def _candidates(results: Results) -> Iterator[tuple[int, Candidate]]:
    """The evaluations that ran, sample by sample; equal outputs are read once."""
    assert results.outputs is not None
    read: dict[str, Any] = {}
    _, samples = results.evaluations.columns()
    statuses, errors = results.records["status"].tolist(), results.records["error"].tolist()
    position, sample = -1, None
    for number in samples.argsort(kind="stable").tolist():
        status, text = Status(statuses[number]), results.outputs[number]
        if position != samples[number] or sample is None:
            # Samples may be made anew whenever they are asked for.
            position = int(samples[number])
            sample = results.evaluations.samples[position]
        if status is Status.OK:
            if text not in read:
                read[text] = read_output(text)
            yield number, Candidate(sample, read[text])
        elif status is not Status.NOT_RUN:
            yield number, Candidate(sample, failure(status, errors[number]))


def _plain(score: Score) -> list[Any]:
    return [score[0], [each if isinstance(each, str) else as_json(each) for each in score[1]]]
