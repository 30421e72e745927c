"""Programs on samples through an engine: records and steps, to hold one engine against another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.ir import Program
from batt.jobs.prepare import prepare
from batt.runtime import Limits, Sample
from batt.runtime.evaluations import Evaluations
from batt.runtime.job import Job
from batt.runtime.options import Options
from gathered import Once, gather, ladder_on

FORMS = ((False, False), (True, False), (True, True))
"""The forms of programs for native code: step by step, compiled, and compiled with shared steps staged."""


def run_all(
    programs: Sequence[Program], samples: Sequence[Sample], engine: str, limits: Limits, form: tuple[bool, bool]
) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64], dict[str, int]]:
    """The records and steps of all programs on all samples, program by program, and what went to the reference tier."""
    named = {f"program_{number}": each for number, each in enumerate(programs)}
    options = Options(engine=engine, limits=limits, compiled=form[0], share=form[1], workers=1)
    job = Job.plain(named) if engine == "reference" else prepare(named, options)
    ladder = ladder_on(
        job.on(Evaluations(tuple(samples), len(programs))),
        engine,
        limits=limits,
        workers=1,
    )
    records, observer = gather(ladder), ladder.observer
    assert isinstance(observer, Once)
    return records, observer.steps, dict(ladder.counts.deferred_to_reference)


def assert_engines_agree(programs: Sequence[Program], samples: Sequence[Sample], limits: Limits) -> None:
    """Native code gives the outcomes and steps of the reference engine, in every form, and defers nothing."""
    expected, expected_steps, _ = run_all(programs, samples, "reference", limits, FORMS[0])
    for form in FORMS:
        found, steps, deferred = run_all(programs, samples, "cpu", limits, form)
        assert deferred == {}
        assert found.tolist() == expected.tolist()
        assert steps.tolist() == expected_steps.tolist()
