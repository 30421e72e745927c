"""The fewest solvers and samples that still differ."""

from __future__ import annotations

from dataclasses import replace

import pytest

from batt.check.child import ComparingChild
from batt.check.compare import Difference, EngineComparison
from batt.check.engines import Reference
from batt.check.failures import fewest
from batt.runtime import Limits
from handmade import SAME, deck, sample
from planted import Planted

MANY = deck(**{f"same{n}": SAME for n in range(4)}, wrong=("x = vmirror(I)",))
SAMPLES = tuple([sample(((n, n + 1), (n, n))) for n in range(5)])


@pytest.fixture
def child():
    made = ComparingChild(wall_s=5.0)
    yield made
    made.close()
    made.stop()


def bench() -> EngineComparison:
    return EngineComparison(MANY, SAMPLES, (Limits(),) * len(SAMPLES), (Planted("vmirror", "upside down"), Reference()))


def test_one_solver_and_one_sample_are_left(child):
    found = fewest(bench(), Difference(4, 2, "cpu", ""), child, 60.0)
    assert found is not None
    assert (found.deck.names, len(found.samples), len(found.limits)) == (("wrong",), 1, 1)


def test_what_does_not_show_again_has_no_smaller_bench(child):
    harmless = replace(bench(), engines=(Planted("trim", "upside down"), Reference()))
    assert fewest(harmless, Difference(0, 0, "cpu", ""), child, 60.0) is None
