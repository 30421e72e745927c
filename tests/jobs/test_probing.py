"""How long a run takes is estimated by a few of its evaluations, but only where `auto` asks."""

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
from batt.jobs.probing import EACH, FEW, MANY, MOST_STEPS, NEAR, estimated_s, probed, work_of
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
ENOUGH = PROBED_FROM * OPEN.workers
ENDLESS = ("x = interval(0, 1000, 1)", "x = product(x, x)", "x = product(x, x)")


def true_steps(programs: dict[str, Any], evaluations: Evaluations, most: int = 10**7) -> int:
    """The steps of all evaluations, each at most `most`."""
    options = Options(engine="cpu", limits=Limits(steps=most, wall_s=60), workers=2, share=False)
    found = Collected(evaluations.total)
    Ladder(prepare(programs, options).on(evaluations), options, observer=found).run()
    return int(found.steps.sum())


def estimated_steps(programs: dict[str, Any], evaluations: Evaluations, options: Options, places: int = MANY) -> int:
    found = probed(programs, evaluations, options, places)
    assert (found.times_ns >= 0).all()
    return int(found.steps.mean() * evaluations.total)


@pytest.mark.parametrize("deck_name", ["first-132", "re-arc"])
def test_what_is_run_resembles_all(deck_name: str):
    programs = whole_deck(deck_name).programs
    samples = samples_of(batt.load_tasks("arc1-training").select(None, 30))
    every = Evaluations(samples, len(programs))
    wanted = true_steps(programs, every, MOST_STEPS)
    assert wanted / 2 < estimated_steps(programs, every, OPEN) < 2 * wanted


def test_the_same_evaluations_are_run_each_time():
    programs = deck(solve_a=MIRROR, solve_b=SAME).programs
    few, many = evaluations_of(2, 3000), evaluations_of(2, 6000)
    assert estimated_steps(programs, few, OPEN) == estimated_steps(programs, few, replace(OPEN, workers=1))
    assert estimated_steps(programs, many, OPEN) == 2 * estimated_steps(programs, few, OPEN)
    for places in (FEW, MANY):
        assert len(probed(programs, many, OPEN, places).steps) == EACH * places


def test_chosen_pairs_are_run_too():
    programs = deck(solve_a=MIRROR, solve_b=SAME, solve_c=MIRROR).programs
    pairs = evaluations_of(3, 2, np.array([2] * 90 + [0] * 10), np.arange(100) % 2)
    assert estimated_steps(programs, pairs, OPEN) == true_steps(programs, pairs)


def test_an_evaluation_that_takes_long_is_cut_off():
    programs = deck(solve_a=ENDLESS).programs
    found = estimated_steps(programs, evaluations_of(1, 10), replace(OPEN, limits=Limits(steps=10**9)))
    assert found <= 10 * MOST_STEPS


@pytest.mark.parametrize(("ns", "is_near"), [(0.9, False), (1.1, True)])
def test_more_are_run_only_if_a_few_say_that_a_gpu_may_pay(monkeypatch: pytest.MonkeyPatch, ns: float, is_near: bool):
    total, asked = 10_000, list[int]()
    each_ns = int(ns * NEAR * PAYS_FROM["cuda"] * OPEN.workers * 1e9 / total)

    def of(programs: Any, evaluations: Evaluations, options: Options, places: int) -> Collected:
        asked.append(places)
        found = Collected(3)
        # One of them was not run.
        found.times_ns[:2] = (each_ns, each_ns) if places == FEW else (3 * each_ns, each_ns)
        return found

    monkeypatch.setattr(probing, "probed", of)
    found = estimated_s(deck(solve_a=MIRROR).programs, evaluations_of(1, total), OPEN)
    assert asked == ([FEW, MANY] if is_near else [FEW])
    assert found == pytest.approx((2 if is_near else 1) * each_ns * total / 1e9)


def test_without_evaluations_that_can_be_run_the_estimate_is_0(tmp_path: Path):
    path = tmp_path / "my_ops.py"
    path.write_text(
        "from batt.own import GRID, op\n\n\n@op(GRID, result=GRID)\ndef stacked(grid):\n    return grid + grid\n"
    )
    (tmp_path / "solvers.py").write_text("def solve_a(I):\n    return stacked(I)\n")
    programs = batt.load_deck(tmp_path / "solvers.py", ops=path).programs
    assert estimated_s(programs, evaluations_of(1, 10), OPEN) == 0.0


@pytest.mark.parametrize(
    ("options", "count", "in_sight"),
    [
        (replace(OPEN, engine="cpu"), ENOUGH, True),
        (replace(OPEN, engine="cuda"), ENOUGH, True),
        (replace(OPEN, devices=(0,)), ENOUGH, True),
        (replace(OPEN, cluster=read_cluster("local:2")), ENOUGH, True),
        (OPEN, ENOUGH - 1, True),
        (OPEN, ENOUGH, False),
    ],
)
def test_nothing_is_estimated_where_nobody_asks(
    monkeypatch: pytest.MonkeyPatch, options: Options, count: int, in_sight: bool
):
    monkeypatch.setattr(cuda, "in_sight", lambda: in_sight)
    monkeypatch.setattr(probing, "estimated_s", lambda *given: pytest.fail("estimated"))
    assert work_of(deck(solve_a=MIRROR).programs, evaluations_of(1, count), options) == 0


@pytest.mark.parametrize(("needed", "engine"), [(0.0, "cuda"), (1e12, "cpu")])
def test_auto_takes_gpus_where_the_estimate_says_that_they_pay(
    monkeypatch: pytest.MonkeyPatch, needed: float, engine: str
):
    FakeCupy().use(monkeypatch)
    monkeypatch.setattr(cuda, "in_sight", lambda: True)
    monkeypatch.setitem(PAYS_FROM, "cuda", needed)
    settled, note = settle(deck(solve_a=MIRROR).programs, evaluations_of(1, ENOUGH), OPEN)
    assert (settled.engine, note) == (engine, "")
