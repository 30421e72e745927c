"""Programs made ready for native code, compiled or as they stand; what options leave open is settled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from batt.bench.frozen import first_132
from batt.bytecode.image import Encoded
from batt.ir import Program
from batt.jobs import evaluation
from batt.jobs import prepare as module
from batt.jobs.prepare import COMPILE_FROM, pays_to_compile, prepare, settle
from batt.runtime.evaluations import Evaluations
from batt.runtime.job import Job
from batt.runtime.options import Options
from batt.tasks import load_tasks
from handmade import MIRROR, SAME, deck, evaluations_of, sample
from native_library import needs_library


def test_solvers_find_their_slices_and_refused_ones_their_reasons():
    given = deck(solve_a=MIRROR, solve_b=SAME, solve_c=MIRROR).programs
    slices = {"solve_c": 0, "solve_a": 1}
    encoded = Encoded(prepare(given, Options()).image, slices, {"solve_b": "too long"})
    job = Job.of(given, encoded)
    assert job.slice_of.tolist() == [1, -1, 0]
    assert job.refused == {1: "too long"}
    assert job.programs == list(given.values())
    assert job.evaluations.total == 0
    assert job.on(Evaluations((sample(),), 3)).evaluations.total == 3


def test_compiling_pays_where_every_solver_runs_often_enough_on_every_thread():
    assert pays_to_compile(3 * COMPILE_FROM, solvers=3, threads=1)
    assert not pays_to_compile(3 * COMPILE_FROM - 1, solvers=3, threads=1)
    assert not pays_to_compile(3 * COMPILE_FROM, solvers=3, threads=2)
    assert pays_to_compile(6 * COMPILE_FROM, solvers=3, threads=2)


def test_a_deck_is_encoded_as_it_stands_or_compiled_with_or_without_a_stage():
    given = first_132().programs
    asked = ((False, True), (True, False), (True, True), (None, True))
    images = [prepare(given, Options(compiled=compiled, share=share)).image for compiled, share in asked]
    assert [image.stage_entries > 0 for image in images] == [False, False, True, True]
    assert len({image.words for image in images}) == 3


def test_programs_of_a_deck_are_prepared_as_those_without_names():
    given = deck(solve_a=MIRROR, solve_b=SAME).programs
    named, bare = [prepare(each, Options()) for each in (given, dict(enumerate_names(given)))]
    assert named.image.words == bare.image.words
    assert named.slice_of.tolist() == bare.slice_of.tolist()


def enumerate_names(programs: dict[str, Program]) -> Iterator[tuple[str, Program]]:
    for number, each in enumerate(programs.values()):
        yield f"program_{number}", each


def test_verifying_looks_at_hints_too(monkeypatch: pytest.MonkeyPatch):
    asked: list[bool] = []
    real = module.compile_programs

    def watched(programs: Any, hints: bool, verify: bool | None) -> Any:
        asked.append(hints)
        return real(programs, hints=hints, verify=verify)

    monkeypatch.setattr(module, "compile_programs", watched)
    for verify in (None, False, True):
        prepare(deck(solve_a=MIRROR).programs, Options(verify=verify))
    assert asked == [False, False, True]


@needs_library
@pytest.mark.parametrize(("count", "compiles"), [(1, False), (300, True)])
def test_a_run_takes_the_form_that_pays_unless_told(monkeypatch: pytest.MonkeyPatch, count: int, compiles: bool):
    asked: list[bool | None] = []

    def watched(programs: dict[str, Program], options: Options, **others: Any) -> Job:
        asked.append(options.compiled)
        return prepare(programs, options, **others)

    given = deck(solve_a=MIRROR)
    monkeypatch.setattr(evaluation, "prepare", watched)
    tasks = load_tasks("arc1-training")[:count]
    for compiled in (None, False, True):
        evaluation.evaluate(given, tasks, engine="cpu", workers=1, compiled=compiled)
    assert asked == [compiles, False, True]


@needs_library
def test_what_is_left_open_is_settled_and_what_is_given_stays():
    programs = deck(solve_a=MIRROR, solve_b=SAME).programs
    every, pairs = evaluations_of(2, 400), evaluations_of(2, 1, np.array([0, 1]), np.array([0, 0]))
    open_ = Options(engine="cpu", workers=1)
    assert settle(programs, every, open_) == (replace(open_, compiled=True, share=True), "")
    assert settle(programs, pairs, open_) == (replace(open_, compiled=False, share=False), "")
    given = replace(open_, engine="reference", compiled=False, share=True)
    assert settle(programs, every, given) == (given, "")
