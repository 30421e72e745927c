"""What the options of a run leave open is settled; what they give stays."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from batt.ir import Program
from batt.jobs import evaluation
from batt.jobs.prepare import prepare
from batt.jobs.settling import COMPILE_FROM, pays_to_compile, settle
from batt.runtime.job import Job
from batt.runtime.options import Options
from batt.tasks import load_tasks
from handmade import MIRROR, SAME, deck, evaluations_of
from native_library import needs_library


def test_compiling_pays_where_every_solver_runs_often_enough_on_every_thread():
    assert pays_to_compile(3 * COMPILE_FROM, solvers=3, threads=1)
    assert not pays_to_compile(3 * COMPILE_FROM - 1, solvers=3, threads=1)
    assert not pays_to_compile(3 * COMPILE_FROM, solvers=3, threads=2)
    assert pays_to_compile(6 * COMPILE_FROM, solvers=3, threads=2)


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
