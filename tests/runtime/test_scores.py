"""Scores beyond equality: their definition, and native code against it."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import batt
from batt.bench.frozen import first_132
from batt.errors import UsageError
from batt.front import Deck
from batt.jobs import evaluate
from batt.runtime import Limits, Status, evaluate_one
from batt.runtime.scores import PACKED, Likeness, pack_score, read_table, score_value
from handmade import plain_tasks, program, sample
from native_library import needs_library

SHAPE, COUNTS, TABLE = Likeness
LIMITS = Limits(steps=300_000, max_items=20_000, wall_s=60)
ONE = ((0, 0, 3), (0, 4, 3))


@pytest.mark.parametrize(
    ("value", "right", "shown", "likeness"),
    [
        (ONE, 3, 3, SHAPE | COUNTS | TABLE),
        (((0, 0, 3), (0, 0, 0)), 1, 1, SHAPE),
        (((3, 0, 0), (3, 4, 0)), 1, 3, SHAPE | COUNTS),
        (((5, 5, 6), (5, 7, 6)), 0, 6, SHAPE | TABLE),
        (((0, 0), (0, 4)), 1, 1, Likeness(0)),
        (((0, 0), (0, 4), (3, 3)), 1, 3, COUNTS),
        (((0, 0, 3, 9), (0, 4, 3, 9), (9, 9, 9, 9)), 3, 9, Likeness(0)),
        (((0, 0, 3), (0, 4, 12)), 0, 0, SHAPE),
        (((0, 0, 3), (0, 4, -1)), 0, 0, SHAPE),
        (3, 0, 0, Likeness(0)),
        ((), 0, 0, Likeness(0)),
        (((0, 0), (3,)), 0, 0, Likeness(0)),
    ],
)
def test_a_value_is_scored_against_the_expected_grid(value: Any, right: int, shown: int, likeness: Likeness):
    found = score_value(value, ONE)
    assert found[:2] == (right, shown)
    assert Likeness(found[3]) == likeness


def test_wanted_counts_the_cells_outside_the_most_frequent_colour_and_the_lowest_of_several():
    assert score_value(((1,),), ONE)[2] == 3
    assert score_value(((1,),), ((2, 1), (2, 1)))[:3] == (0, 0, 2)
    assert score_value(((2,),), ((2, 1), (2, 1)))[:3] == (1, 1, 2)


def test_a_table_says_what_each_colour_becomes():
    assert read_table(score_value(((5, 5, 6), (5, 7, 6)), ONE)[4]) == {5: 0, 6: 3, 7: 4}
    assert score_value(((3, 0, 0), (3, 4, 0)), ONE)[4] == 0


def random_grid(rng: random.Random, most: int) -> tuple[tuple[int, ...], ...]:
    colours = rng.sample(range(most), rng.randint(1, 3))
    height, width = rng.randint(1, 4), rng.randint(1, 4)
    return tuple([tuple([rng.choice(colours) for _ in range(width)]) for _ in range(height)])


def native_scores(grids: list[tuple[Any, Any]], limits: Limits = LIMITS) -> list[tuple[int, ...]]:
    """The scores of the identity on pairs of an input and an expected output."""
    tasks = {f"t{n:05}": {"train": [{"input": a, "output": b}], "test": []} for n, (a, b) in enumerate(grids)}
    deck = Deck.from_sources({"solve": "def solve(I):\n    return identity(I)\n"})
    found = evaluate(deck, batt.tasks_from_dict(tasks), engine="cpu", limits=limits, scores=True)
    assert found.native == len(grids)
    assert found.scores is not None
    return [tuple(each) for each in found.scores.tolist()]


@needs_library
def test_native_scores_are_those_of_the_definition_on_random_grids():
    rng = random.Random(1)
    grids = []
    for _ in range(3_000):
        value = random_grid(rng, rng.choice([3, 10, 10]))
        other = random_grid(rng, 10)
        if rng.random() < 0.6:
            table = [rng.randrange(10) for _ in range(10)]
            other = tuple([tuple([table[cell] for cell in row]) for row in value])
        if rng.random() < 0.3:
            cells = rng.sample([cell for row in value for cell in row], len(value) * len(value[0]))
            other = tuple([tuple(cells[at : at + len(value[0])]) for at in range(0, len(cells), len(value[0]))])
        grids.append((value, other))
    found = native_scores(grids)
    assert found == [score_value(a, b) for a, b in grids]
    assert {each[3] for each in found} == {0, 1, 2, 3, 5, 7}


@needs_library
def test_engines_agree_on_scores_of_real_solvers():
    deck = first_132().select(random.Random(2).sample(first_132().names, 25))
    tasks = batt.load_tasks("arc1-training").select(None, 8)
    runs = [
        evaluate(deck, tasks, engine="reference", limits=LIMITS, scores=True, outputs=True),
        *[evaluate(deck, tasks, engine="cpu", limits=LIMITS, scores=True, compiled=c, share=c) for c in (False, True)],
    ]
    for each in runs:
        assert each.scores is not None
        assert np.array_equal(each.scores, runs[0].scores)
        assert np.array_equal(each.records, runs[0].records)
    # The kept outputs have the same scores.
    values = runs[0].values()
    _, samples = runs[0].evaluations.columns()
    for value, position, record, score in zip(values, samples, runs[0].records, runs[0].scores.tolist(), strict=True):
        expected = runs[0].evaluations.samples[position].expected
        wanted = score_value(value, expected) if record["status"] == Status.OK else (0,) * 5
        assert tuple(score) == wanted
    assert (runs[0].scores["likeness"] == int(SHAPE | COUNTS | TABLE)).any()


@needs_library
def test_values_that_are_no_packed_grids_are_scored_as_well():
    lines = ("x = astuple(first(I), last(I))", "x = (first(I), (3, 3))", "x = (first(I), (3, 300))", "x = 3")
    deck = Deck.from_sources({f"s{n}": f"def s{n}(I):\n    {line}\n    return x\n" for n, line in enumerate(lines)})
    tasks = batt.tasks_from_dict(
        {"t": {"train": [{"input": [[1, 2], [3, 3]], "output": [[1, 2], [3, 3]]}], "test": []}}
    )
    runs = [evaluate(deck, tasks, engine=engine, scores=True).scores for engine in ("reference", "cpu")]
    assert runs[0] is not None
    assert runs[0].tolist() == runs[1].tolist()  # type: ignore[union-attr]
    assert runs[0]["likeness"].tolist() == [7, 7, 1, 0]


def test_without_asking_there_are_no_scores():
    deck = Deck.from_sources({"solve": "def solve(I):\n    return identity(I)\n"})
    assert evaluate(deck, plain_tasks()).scores is None


def test_scores_are_refused_with_a_cache_or_a_cluster():
    deck = Deck.from_sources({"solve": "def solve(I):\n    return identity(I)\n"})
    for options in ({"cache": True}, {"cluster": "local:1"}):
        with pytest.raises(UsageError, match="without a cluster and without a cache"):
            evaluate(deck, plain_tasks(), scores=True, **options)  # type: ignore[arg-type]


def test_an_evaluation_without_a_value_or_an_expected_output_has_no_scores():
    raised = evaluate_one(program("x = first(())"), sample(), LIMITS)
    assert PACKED.unpack(pack_score(raised, sample())) == (0,) * 5
    fine = evaluate_one(program("x = vmirror(I)"), sample(), LIMITS)
    assert PACKED.unpack(pack_score(fine, replace(sample(), expected=None))) == (0,) * 5
    assert PACKED.unpack(pack_score(fine, sample()))[3] == 7
