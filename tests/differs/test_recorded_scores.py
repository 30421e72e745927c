"""Scores from records: those of the definitions."""

from __future__ import annotations

import numpy as np
import pytest

import batt
from batt.differs import BUILT_IN, differs_named, score_results
from batt.differs.arrays import PLAIN
from batt.differs.results import RECORDED, recorded_scores
from batt.runtime import Outcome, Sample, Status
from batt.runtime.packing import pack
from batt.runtime.records import RECORD_TYPE
from handmade import deck, sample

EXPECTED = (((1, 2), (3, 4)), ((1, 2, 3),), ((300,),), (), 5, ((1,), (2, 3)))
GRIDS = (((1, 2), (3, 4)), ((1, 2), (3, 5)), ((7,),), ((1, 2, 3, 4),) * 9, ((300,),), ((True, 2), (3, 4)))


def sample_of(expected: object) -> Sample:
    return sample(((1,),), expected)  # type: ignore[arg-type]


@pytest.mark.parametrize("expected", EXPECTED, ids=repr)
@pytest.mark.parametrize("grid", GRIDS, ids=repr)
def test_the_record_of_a_grid_gives_the_scores_of_the_definitions(grid, expected):
    record = np.frombuffer(pack(Outcome(Status.OK, value=grid), sample_of(expected)), RECORD_TYPE)
    is_grid = isinstance(expected, tuple) and len({len(row) for row in expected}) == 1
    wanted = np.array([(len(expected), len(expected[0])) if is_grid else (0, 0)])
    names = tuple(RECORDED)
    assert recorded_scores(names, record, wanted) == [tuple([PLAIN[name](grid, expected) for name in names])]
    assert recorded_scores(names, record[:0], wanted[:0]) == []


@pytest.mark.parametrize("engine", ["auto", "reference"])
def test_they_are_those_of_reading_every_output(engine):
    solvers = deck(
        solve_a=("x = vmirror(I)",),
        solve_b=("x = replace(I, 0, 300)",),
        solve_c=("x = upscale(I, 60)",),
        solve_d=("x = objects(I, T, F, F)",),
        solve_e=("x = first(())",),
        solve_f=("x = astuple(I, I)",),
    )
    tasks = batt.load_tasks("arc1-training").select(count=3)
    results = batt.evaluate(solvers, tasks, engine=engine, outputs=True)
    values, (_, positions) = results.values(), results.evaluations.columns()
    found = score_results(results, differs_named("cells,equal")).scores
    for number, value in enumerate(values):
        expected = results.evaluations.samples[int(positions[number])].expected
        assert found[number] == (PLAIN["cells"](value, expected), PLAIN["equal"](value, expected))
    assert {scores[0][1] for scores in found if scores and scores[0][0] is None} == {("too_large",), ("StopIteration",)}
    every = score_results(results, list(BUILT_IN.values())).scores
    assert [scores and scores[:2][::-1] for scores in every] == found
