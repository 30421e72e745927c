"""Engines agree: the built-in deck on tasks, every record and every byte of an export."""

from __future__ import annotations

from pathlib import Path

import pytest

import batt
from batt.bench.frozen import first_132
from batt.jobs import Results, evaluate, export
from batt.runtime import Limits
from native_library import needs_library

pytestmark = needs_library

BUDGETS = {"plenty": Limits(wall_s=600), "tight": Limits(steps=3_000, max_items=900, wall_s=600)}


def run(engine: str, budget: str, compiled: bool = True, share: bool = True, outputs: bool = True) -> Results:
    tasks = batt.load_tasks("arc1-training").select(None, 2)
    limits = BUDGETS[budget]
    return evaluate(first_132(), tasks, engine=engine, limits=limits, compiled=compiled, share=share, outputs=outputs)


@pytest.fixture(scope="module", params=BUDGETS)
def reference(request: pytest.FixtureRequest) -> tuple[str, Results]:
    return request.param, run("reference", request.param)


@pytest.mark.parametrize(("compiled", "share"), [(False, False), (True, False), (True, True)])
@pytest.mark.parametrize("outputs", [False, True])
def test_the_built_in_deck_gives_the_same_on_every_engine(
    reference: tuple[str, Results], tmp_path: Path, compiled: bool, share: bool, outputs: bool
):
    budget, plain = reference
    native = run("cpu", budget, compiled, share, outputs)
    assert native.records.tolist() == plain.records.tolist()
    # How far an evaluation came that ran over its budget is no part of its outcome.
    assert native.steps == plain.steps or budget == "tight"
    for results, name in ((native, "native"), (plain, "plain")):
        export(results, tmp_path / name, outputs=outputs)
    assert (tmp_path / "native").read_bytes() == (tmp_path / "plain").read_bytes()
    assert native.native + sum(native.fallbacks.values()) == len(native)
    assert (native.counts["over_budget"] > 0) == (budget == "tight")
