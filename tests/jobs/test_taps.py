"""Taps: the outcomes of inner steps are those of their slices alone."""

from __future__ import annotations

import random

import numpy as np
import pytest

import batt
from batt.bench.frozen import first_132
from batt.ir import slice_program
from batt.jobs.samples import samples_of
from batt.jobs.taps import Taps, run_taps, taps_of
from batt.runtime import Limits, Status, evaluate_one
from batt.runtime.options import Options
from batt.types import Kind, fingerprint
from engine_runs import FORMS, run_all
from handmade import deck, plain_tasks
from native_library import needs_library

LIMITS = Limits(steps=100_000, max_items=20_000, wall_s=60)
SOLVERS = deck(
    one=("a = vmirror(I)", "b = objects(a, T, F, T)", "c = first(())", "x = hmirror(a)"),
    two=("y = vmirror(I)", "f = compose(vmirror, hmirror)", "x = f(y)"),
)


def test_every_step_that_is_likely_a_grid_is_a_tap_and_equal_slices_are_one():
    found = taps_of(SOLVERS)
    assert [each.name for each in found] == ["one.a", "one.x", "two.x"]
    assert [each.slot for each in found] == [1, 4, 3]
    assert found[1].program == slice_program(SOLVERS["one"].program, 4)
    assert len(taps_of(SOLVERS, (Kind.GRID, Kind.OBJECTS))) == 4


@pytest.mark.parametrize("engine", ["reference", pytest.param("cpu", marks=needs_library)])
def test_a_step_before_one_that_fails_has_its_value(engine: str):
    found = batt.taps(SOLVERS, plain_tasks(), engine=engine)
    assert found.is_grid.all()
    for tap, hashes in zip(found.taps, found.hashes.tolist(), strict=True):
        values = [evaluate_one(tap.program, each, LIMITS).value for each in found.evaluations.samples]
        assert hashes == [fingerprint(value) for value in values]
    assert repr(found) == f"<Taps | 3 taps | 7 samples | {engine}>"


def tapped(engine: str, kinds: tuple[Kind, ...]) -> Taps:
    solvers = first_132().select(random.Random(4).sample(first_132().names, 40))
    samples = random.Random(5).sample(samples_of(batt.load_tasks("arc1-training")), 8)
    options = Options(engine=engine, limits=LIMITS, workers=1, compiled=True, share=True)
    return run_taps(taps_of(solvers, kinds), tuple(samples), options)


@needs_library
def test_taps_are_their_slices_run_alone_on_both_engines():
    kinds = (Kind.GRID, Kind.OBJECTS, Kind.OBJECT, Kind.INDICES, Kind.INT)
    found = tapped("cpu", kinds)
    programs = [each.program for each in found.taps]
    samples = list(found.evaluations.samples)
    assert len(programs) > 150
    alone, _, _ = run_all(programs, samples, "cpu", LIMITS, FORMS[0])
    reference, _, _ = run_all(programs, samples, "reference", LIMITS, FORMS[0])
    assert np.array_equal(found.records.ravel(), alone)
    assert np.array_equal(found.records.ravel(), reference)
    assert {Status.OK, Status.RAISED} <= {*found.records["status"].ravel().tolist()}


@needs_library
def test_of_taps_with_equal_hashes_the_shortest_comes_first():
    again = deck(long=("a = vmirror(I)", "b = upscale(a, 2)", "c = identity(b)", "x = identity(c)"))
    found = batt.taps(again, plain_tasks(), engine="cpu")
    assert [each.name for each in found.taps] == ["long.a", "long.b", "long.c", "long.x"]
    assert [found.taps[each].name for each in found.first_of_each()] == ["long.a", "long.b"]
