"""Generated files on a GPU: what each solver gives alone. Run on a machine with a GPU."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from batt.card.running import device_line
from batt.differs import BUILT_IN, Candidate, differs_named, score
from batt.runtime.cuda import missing
from dealt import LIMITS, alone, deck_of, foreign_samples, imported, text_of

WHY_NOT = missing()

pytestmark = [pytest.mark.gpu, pytest.mark.skipif(WHY_NOT is not None, reason=f"no GPU: {WHY_NOT}")]


@pytest.mark.parametrize("size", [10, 50, 400])
def test_outputs_on_a_gpu_are_those_of_each_solver_alone(tmp_path: Path, size: int):
    one = imported(tmp_path, text_of(deck_of(size))).batt
    many = imported(tmp_path, text_of(deck_of(size), batch=True), "batt_batch").batt_batch
    samples = foreign_samples(3)
    expected = [[alone(solver.program, sample) for solver in deck_of(size)] for sample in samples]
    one.engine = many.engine = "cuda"
    one.limits = many.limits = LIMITS
    rows: list[list[Any]] = [[s.task, s.demonstrations, s.input, s.expected] for s in samples]
    assert [[value for *_, value in one(*row)[0]] for row in rows] == expected
    assert [[value for *_, value in o] for o, _ in many(*map(list, zip(*rows, strict=True)))] == expected


@pytest.mark.parametrize("size", [10, 50, 400])
def test_scores_on_a_gpu_are_those_of_the_differs_run_directly(tmp_path: Path, size: int):
    differs = differs_named(BUILT_IN)
    (sample,) = foreign_samples(1)
    one = imported(tmp_path, text_of(deck_of(size), differs)).batt
    one.engine, one.limits = "cuda", LIMITS
    _, s = one(sample.task, sample.demonstrations, sample.input, sample.expected)
    candidates = [Candidate(sample, alone(solver.program, sample)) for solver in deck_of(size)]
    assert [each[3] for each in s] == [each for scores in score(differs, candidates, limits=LIMITS) for each in scores]


def test_the_line_names_the_card():
    assert device_line("cuda").startswith("Batt GPU: Enabled (")
    assert "NVIDIA" in device_line("cuda")
