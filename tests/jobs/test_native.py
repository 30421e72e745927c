"""Decks as jobs of the cpu engine, compiled or as they stand."""

from __future__ import annotations

from typing import Any

import pytest

from batt.compiler import Encoded, compile_deck, encode_deck
from batt.front import Deck, load_deck
from batt.jobs import evaluation
from batt.jobs.native import COMPILE_FROM, encoded, job_of, pays_to_compile
from batt.passes.plan import StagePlan
from batt.runtime.evaluations import Evaluations
from batt.tasks import load_tasks
from handmade import MIRROR, SAME, deck, sample
from native_library import needs_library


def test_solvers_find_their_slices_and_refused_ones_their_reasons():
    given = deck(solve_a=MIRROR, solve_b=SAME, solve_c=MIRROR)
    encoded = encode_deck(compile_deck(given), StagePlan.none())
    slices = {"solve_c": 0, "solve_a": 1}
    job = job_of(given, Encoded(encoded.image, slices, {"solve_b": "too long"}), Evaluations((sample(),), 3))
    assert job.slice_of.tolist() == [1, -1, 0]
    assert job.refused == {1: "too long"}
    assert [program.steps for program in job.programs] == [solver.program.steps for solver in given]


def test_compiling_pays_where_every_solver_runs_often_enough_on_every_thread():
    assert pays_to_compile(3 * COMPILE_FROM, solvers=3, threads=1)
    assert not pays_to_compile(3 * COMPILE_FROM - 1, solvers=3, threads=1)
    assert not pays_to_compile(3 * COMPILE_FROM, solvers=3, threads=2)
    assert pays_to_compile(6 * COMPILE_FROM, solvers=3, threads=2)


def test_a_deck_is_encoded_as_it_stands_or_compiled_with_or_without_a_stage():
    given = load_deck()
    images = [encoded(given, *asked).image for asked in ((False, True), (True, False), (True, True))]
    assert [image.stage_entries > 0 for image in images] == [False, False, True]
    assert len({image.words for image in images}) == 3


@needs_library
@pytest.mark.parametrize(("count", "compiles"), [(1, False), (300, True)])
def test_a_run_takes_the_form_that_pays_unless_told(monkeypatch: pytest.MonkeyPatch, count: int, compiles: bool):
    asked: list[bool] = []

    def watched(deck: Deck, compiled: bool, share: bool, *others: Any, **options: Any) -> Encoded:
        asked.append(compiled)
        return encoded(deck, compiled, share, *others, **options)

    given = deck(solve_a=MIRROR)
    monkeypatch.setattr(evaluation, "encoded", watched)
    tasks = load_tasks("arc1-training")[:count]
    for compiled in (None, False, True):
        evaluation.evaluate(given, tasks, engine="cpu", workers=1, compiled=compiled)
    assert asked == [compiles, False, True]
