"""How many steps a run takes is estimated by a few of its evaluations, but only where `auto` asks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import batt
from batt.jobs import probing, samples_of
from batt.jobs.choice import PAYS_FROM, PROBED_FROM
from batt.jobs.prepare import prepare
from batt.jobs.probing import MOST_STEPS, estimated_steps, work_of
from batt.jobs.settling import settle
from batt.runtime import Limits, cuda
from batt.runtime.cluster.choice import read_cluster
from batt.runtime.collected import Collected
from batt.runtime.evaluations import Evaluations
from batt.runtime.ladder import Ladder
from batt.runtime.options import Options
from fake_cupy import FakeCupy
from handmade import MIRROR, SAME, deck, evaluations_of
from native_library import needs_library
from rearc import whole_deck

pytestmark = needs_library

OPEN = Options(workers=2)
ENDLESS = ("x = interval(0, 1000, 1)", "x = product(x, x)", "x = product(x, x)")


def true_steps(programs: dict[str, Any], evaluations: Evaluations, most: int = 10**7) -> int:
    """The steps of all evaluations, each at most `most`."""
    options = Options(engine="cpu", limits=Limits(steps=most, wall_s=60), workers=2, share=False)
    found = Collected(evaluations.total)
    Ladder(prepare(programs, options).on(evaluations), options, observer=found).run()
    return int(found.steps.sum())


@pytest.mark.parametrize("deck_name", ["first-132", "re-arc"])
def test_an_estimate_is_near_to_the_steps_of_all(deck_name: str):
    programs = whole_deck(deck_name).programs
    samples = samples_of(batt.load_tasks("arc1-training").select(None, 30))
    every = Evaluations(samples, len(programs))
    wanted = true_steps(programs, every, MOST_STEPS)
    assert wanted / 2 < estimated_steps(programs, every, OPEN) < 2 * wanted


def test_an_estimate_is_the_same_each_time_and_grows_with_the_run():
    programs = deck(solve_a=MIRROR, solve_b=SAME).programs
    few, many = evaluations_of(2, 3000), evaluations_of(2, 6000)
    assert estimated_steps(programs, few, OPEN) == estimated_steps(programs, few, replace(OPEN, workers=1))
    assert estimated_steps(programs, many, OPEN) == 2 * estimated_steps(programs, few, OPEN)


def test_chosen_pairs_are_estimated_too():
    programs = deck(solve_a=MIRROR, solve_b=SAME, solve_c=MIRROR).programs
    pairs = evaluations_of(3, 2, np.array([2] * 90 + [0] * 10), np.arange(100) % 2)
    assert estimated_steps(programs, pairs, OPEN) == true_steps(programs, pairs)


def test_an_evaluation_that_takes_long_is_cut_off():
    programs = deck(solve_a=ENDLESS).programs
    found = estimated_steps(programs, evaluations_of(1, 10), replace(OPEN, limits=Limits(steps=10**9)))
    assert found <= 10 * MOST_STEPS


def test_without_evaluations_that_can_be_run_the_estimate_is_0(tmp_path: Path):
    path = tmp_path / "my_ops.py"
    path.write_text(
        "from batt.own import GRID, op\n\n\n@op(GRID, result=GRID)\ndef stacked(grid):\n    return grid + grid\n"
    )
    (tmp_path / "solvers.py").write_text("def solve_a(I):\n    return stacked(I)\n")
    programs = batt.load_deck(tmp_path / "solvers.py", ops=path).programs
    assert estimated_steps(programs, evaluations_of(1, 10), OPEN) == 0


@pytest.mark.parametrize(
    ("options", "count", "in_sight"),
    [
        (replace(OPEN, engine="cpu"), PROBED_FROM, True),
        (replace(OPEN, engine="cuda"), PROBED_FROM, True),
        (replace(OPEN, devices=(0,)), PROBED_FROM, True),
        (replace(OPEN, cluster=read_cluster("local:2")), PROBED_FROM, True),
        (OPEN, PROBED_FROM - 1, True),
        (OPEN, PROBED_FROM, False),
    ],
)
def test_nothing_is_estimated_where_nobody_asks(
    monkeypatch: pytest.MonkeyPatch, options: Options, count: int, in_sight: bool
):
    monkeypatch.setattr(cuda, "in_sight", lambda: in_sight)
    monkeypatch.setattr(probing, "estimated_steps", lambda *given: pytest.fail("estimated"))
    assert work_of(deck(solve_a=MIRROR).programs, evaluations_of(1, count), options) == 0


@pytest.mark.parametrize(("needed", "engine"), [(1, "cuda"), (10**12, "cpu")])
def test_auto_takes_gpus_where_the_estimate_says_that_they_pay(
    monkeypatch: pytest.MonkeyPatch, needed: int, engine: str
):
    FakeCupy().use(monkeypatch)
    monkeypatch.setattr(cuda, "in_sight", lambda: True)
    monkeypatch.setitem(PAYS_FROM, "cuda", needed)
    settled, note = settle(deck(solve_a=MIRROR).programs, evaluations_of(1, PROBED_FROM), OPEN)
    assert (settled.engine, note) == (engine, "")
