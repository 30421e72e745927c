"""Fit the weights of evidence by which `batt solve` chooses answers, to records of training tasks.

batt bench solve arc1-training --time 1 --records one.jsonl
batt bench solve arc2-training --time 1 --records two.jsonl
python benchmarks/evidence.py one.jsonl two.jsonl --write

At most one output of a test input is right. The model is a softmax over its outputs and "none of them", with a weight
for each kind of evidence, pulled towards the guess of its layer's row where records are few. It prints how often
answers are right by how sure they are, with weights that were fitted to other tasks, and writes evidence.json.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from importlib import resources
from math import log2
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.bench.solving import SURE_BOUNDS
from batt.solving.answers import choosing
from batt.solving.answers.choosing import LAYERS, AnswerEvidence, EvidenceWeights, Family, Vote, probabilities
from batt.solving.answers.invariants import Aspect
from batt.solving.candidates import Layer

Vector = npt.NDArray[np.float64]

ROUNDS, STEPS, RATE = 4, 400, 0.5
PULL = 1.0
"""How many records a guess counts as, about."""
FOLDS = 5
SAME_FAMILY = (1.0, 0.8, 0.6, 0.4, 0.2)
"""What a second answer of the same family may count."""
TARGET = Path(str(resources.files("batt.solving"))) / choosing.WEIGHTS


@dataclass(frozen=True, slots=True)
class Record:
    """The outputs that were found for a test input, and which one is right; None if none is."""

    found: tuple[AnswerEvidence, ...]
    right: int | None


def read_records(paths: Sequence[Path]) -> list[Record]:
    """Return the records of files that `batt bench solve --records` wrote."""
    return [read_record(json.loads(line)) for path in paths for line in path.read_text("utf-8").splitlines()]


def read_record(plain: list[dict[str, Any]]) -> Record:
    """Return the record of a line."""
    found = [
        AnswerEvidence(
            tuple([Vote(Layer[name], *rest) for name, *rest in each["votes"]]),
            each["programs"],
            {Aspect(name): count for name, count in each["broken"].items()},
        )
        for each in plain
    ]
    return Record(tuple(found), next((at for at, each in enumerate(plain) if each["right"]), None))


class Model:
    """The weights as one vector: kinds, sizes and steps of families, broken invariants, families and programs."""

    def __init__(self, records: Sequence[Record]) -> None:
        votes = [vote for record in records for found in record.found for vote in found.votes]
        self.kinds = sorted({vote.kind for vote in votes})
        self.families = [family.value for family in Family]
        self.aspects = [aspect.value for aspect in Aspect]
        some = {vote.kind: vote for vote in votes}
        guessed = EvidenceWeights()
        # The guess of a kind is its odds at size 0, as the model counts sizes.
        kinds = [guessed.of_vote(replace(some[kind], size=0, steps=0)) for kind in self.kinds]
        self.guess = np.array(
            [
                *kinds,
                *[choosing.PER_SIZE] * len(self.families),
                *[0.0] * len(self.families),
                *[choosing.PER_BROKEN] * len(self.aspects),
                guessed.per_family,
                guessed.per_program,
            ]
        )

    def weights(self, vector: Vector) -> EvidenceWeights:
        """Return a vector as weights."""
        values = iter([round(value, 4) for value in vector.tolist()])
        names = (self.kinds, self.families, self.families, self.aspects)
        return EvidenceWeights(*[dict(zip(each, values, strict=False)) for each in names], *values)

    def features(self, found: AnswerEvidence, weights: EvidenceWeights) -> Vector:
        """Return what counts for an output, with the best vote by `weights`."""
        best = max(found.votes, key=weights.of_vote)
        made = np.zeros(len(self.guess))
        made[self.kinds.index(best.kind)] = 1
        family = self.families.index(LAYERS[best.layer].family.value)
        made[len(self.kinds) + family] = -log2(1 + best.size)
        made[len(self.kinds) + len(self.families) + family] = -log2(1 + best.steps)
        for aspect, count in found.broken.items():
            made[self.aspects.index(aspect.value) - len(self.aspects) - 2] = -log2(1 + count)
        made[-2:] = len(found.families) - 1, log2(found.programs)
        return made

    def fit(self, records: Sequence[Record]) -> Vector:
        """Return the vector that makes the records likeliest. Which votes are best is chosen anew in each round."""
        vector = self.guess.copy()
        for _ in range(ROUNDS):
            weights = self.weights(vector)
            tables = [np.array([self.features(each, weights) for each in record.found]) for record in records]
            vector = _descend(
                vector, self.guess, [(t, r.right) for t, r in zip(tables, records, strict=True) if len(t)]
            )
        return vector


def _descend(start: Vector, guess: Vector, tables: Sequence[tuple[Vector, int | None]]) -> Vector:
    """Return the vector of the least loss, by gradient descent with a step for each weight (Adagrad)."""
    vector, squares = start.copy(), np.full(len(start), 1e-8)
    for _ in range(STEPS):
        slope = PULL * (vector - guess)
        for table, right in tables:
            odds = np.exp(np.clip(table @ vector, choosing.LEAST_ODDS, choosing.MOST_ODDS))
            slope += (odds / (1 + odds.sum())) @ table
            if right is not None:
                slope -= table[right]
        squares += slope**2
        vector = vector - RATE * slope / np.sqrt(squares)
        # More agreement, shorter programs and kept invariants never count against an answer.
        signed = slice(-2 - len(Aspect) - 2 * len(Family), None)
        vector[signed] = np.maximum(vector[signed], 0)
    return vector


def ranked(record: Record, weights: EvidenceWeights) -> list[tuple[float, int]]:
    """Return how sure each output is, and its number, in the order in which they are handed in."""
    sure = probabilities([found.odds(weights) for found in record.found])
    order = sorted(range(len(sure)), key=lambda at: -sure[at])
    if len(order) > choosing.ANSWERS:
        first = record.found[order[0]].families
        same = [weights.same_family if record.found[at].families <= first else 1.0 for at in range(len(sure))]
        order[1:] = sorted(order[1:], key=lambda at: -sure[at] * same[at])
    return [(sure[at], at) for at in order]


def solved(records: Sequence[Record], weights: EvidenceWeights, answers: int = choosing.ANSWERS) -> int:
    """Count the test inputs with a right one among the first answers."""
    return sum([r.right is not None and r.right in [at for _, at in ranked(r, weights)[:answers]] for r in records])


def with_second(records: Sequence[Record], weights: EvidenceWeights) -> EvidenceWeights:
    """Return weights with the factor for the second answer that solves most."""
    made = [replace(weights, same_family=factor) for factor in SAME_FAMILY]
    return max(made, key=lambda each: (solved(records, each), each.same_family))


def cross_validated(records: Sequence[Record]) -> dict[float, tuple[int, int, float]]:
    """Return how many first answers there are by certainty, how many are right, and how many should be."""
    counts = dict.fromkeys(SURE_BOUNDS, (0, 0, 0.0))
    for fold in range(FOLDS):
        rest = [record for at, record in enumerate(records) if at % FOLDS != fold]
        model = Model(records)
        weights = model.weights(model.fit(rest))
        for record in records[fold::FOLDS]:
            for sure, at in ranked(record, weights)[:1]:
                bound = next(bound for bound in SURE_BOUNDS if sure >= bound)
                given, right, expected = counts[bound]
                counts[bound] = given + 1, right + (at == record.right), expected + sure
    return counts


def main(argv: Sequence[str] | None = None) -> int:
    """Fit, print, and write if asked to."""
    parser = argparse.ArgumentParser(description="Fit the weights of evidence to records of training tasks.")
    parser.add_argument("records", nargs="+", type=Path)
    parser.add_argument("--write", action="store_true", help=f"write {TARGET.name} into the package")
    args = parser.parse_args(argv)
    records = read_records(args.records)
    model = Model(records)
    weights = with_second(records, model.weights(model.fit(records)))
    possible = sum([record.right is not None for record in records])
    print(f"{len(records):,} test inputs, {possible:,} with a right output among those found")
    for name, each in (
        ("guessed", EvidenceWeights()),
        ("as committed", choosing.fitted_weights()),
        ("fitted", weights),
    ):
        print(f"{name}: {solved(records, each, 1):,} right at first, {solved(records, each):,} in two answers")
    print("by certainty, fitted to other tasks: right of given (expected)")
    for bound, (given, right, expected) in cross_validated(records).items():
        print(f"  from {bound:.0%}: {right:,} of {given:,} ({expected:.1f})")
    if args.write:
        TARGET.write_text(json.dumps(asdict(weights), indent=1) + "\n", "utf-8")
        print(f"wrote {TARGET}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
