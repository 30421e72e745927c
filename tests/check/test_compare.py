"""What counts as a difference."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from batt.check.compare import Difference, EngineComparison, OpenComparison, Tally, difference
from batt.check.engines import ENGINES, Engine, EngineResults, Reference, SharedProgress, engines_named
from batt.errors import UsageError
from batt.front import Deck
from batt.runtime import Limits, Status
from batt.runtime.records import RECORD_TYPE
from handmade import MIRROR, RAISES, SAME, deck, sample
from native_library import needs_library
from planted import Planted

SAMPLES = (sample(), sample(((3, 4, 5),), ((5, 4, 3),)), sample(((6,),), None))


def compared(given: Deck, *engines: Engine, limits: Limits | None = None) -> Tally:
    opened = OpenComparison(EngineComparison(given, SAMPLES, (limits or Limits(),) * 3, engines))
    pairs = [(solver, position) for position in range(3) for solver in range(len(given))]
    return opened.compare(pairs, SharedProgress())


def seen(**fields: int) -> EngineResults:
    record = np.zeros(1, RECORD_TYPE)
    steps = fields.pop("steps", 0)
    for name, value in fields.items():
        record[name] = value
    return EngineResults(record, np.array([steps]), [""])


@pytest.mark.parametrize("field", ["status", "error", "equal", "hash", "differing", "height", "width", "steps"])
def test_every_field_of_an_outcome_counts(field):
    assert difference(seen(), seen(), 0) == ""
    assert difference(seen(**{field: 1}), seen(), 0).startswith(f"{field}: ")


def test_steps_count_beyond_the_budget_too():
    spent = int(Status.OVER_BUDGET)
    assert difference(seen(status=spent, steps=9), seen(status=spent, steps=9), 0) == ""
    assert difference(seen(status=spent, steps=7), seen(status=spent, steps=9), 0)


def test_a_planted_difference_is_found_and_nothing_else():
    given = deck(same=SAME, mirror=MIRROR, fails=RAISES)
    tally = compared(given, Planted("vmirror", "upside down"), Reference(count_ops=True))
    assert [(each.solver, each.sample, each.engine) for each in tally.found] == [(1, 0, "cpu"), (1, 1, "cpu")]
    assert tally.found[0].what.startswith("equal, hash, differing: ok ")
    assert (tally.evaluations, tally.compared, tally.timed_out) == (9, 9, 0)
    assert tally.statuses == {"ok": 6, "raised": 3}
    assert tally.executed == {"vmirror": 3, "identity": 3, "first": 3}


def test_what_an_engine_leaves_out_or_the_clock_stopped_is_counted_apart():
    class Unwilling:
        name = "unwilling"

        def open(self, deck, samples):
            inner = Reference().open(deck, samples)

            def run(pairs, limits, progress):
                made = inner(pairs, limits, progress)
                records = made.records.copy()
                records["hash"] = 1
                records["status"][3:] = Status.TIMED_OUT
                return replace(made, records=records, causes=["too hard"] * 3 + [""] * (len(pairs) - 3))

            return run

    tally = compared(deck(same=SAME, mirror=MIRROR), Unwilling(), Reference())
    assert (tally.unsupported, tally.timed_out, tally.compared, tally.found) == ({"too hard": 3}, 3, 0, [])


@needs_library
@pytest.mark.parametrize("name", ["cpu", "cpu-noshare", "cpu-direct"])
@pytest.mark.parametrize("limits", [Limits(), Limits(steps=4), Limits(max_items=1)])
def test_native_engines_agree_with_the_reference(name, limits):
    given = deck(same=SAME, mirror=MIRROR, fails=RAISES, calls=("f = compose(vmirror, hmirror)", "x = f(I)"))
    tally = compared(given, ENGINES[name], Reference(), limits=limits)
    assert (tally.compared, tally.found) == (12, [])


@needs_library
def test_a_sample_that_native_code_cannot_hold_is_counted_by_its_cause():
    wide = sample(((2**70,),), ((0,),))
    samples, engines = (SAMPLES[0], wide, SAMPLES[1]), engines_named("cpu,reference")
    opened = OpenComparison(EngineComparison(deck(same=SAME), samples, (Limits(),) * 3, engines))
    pairs = [(0, 0), (0, 1), (0, 2)]
    tally = opened.compare(pairs, SharedProgress())
    assert (tally.unsupported, tally.compared, tally.found) == ({"an int of 71 bits": 1}, 2, [])


@needs_library
def test_the_place_tells_which_evaluation_native_code_is_at():
    wide, progress = sample(((2**70,),), ((0,),)), SharedProgress()
    run = ENGINES["cpu-direct"].open(deck(same=SAME), (SAMPLES[0], wide, SAMPLES[1]))
    run([(0, 2), (0, 1), (0, 0)], Limits(), progress)
    # Samples run in the order of their sizes; the one that native code cannot hold is not begun.
    order = []
    for done in (0, 1):
        progress.counter.value = done
        order.append(progress.number)
    assert sorted(order) == [0, 2]


def test_tallies_add_up():
    total = Tally()
    for _ in range(2):
        total.add(Tally(3, 2, 1, found=[Difference(0, 0, "cpu", "hash")]))
    assert (total.evaluations, total.compared, total.timed_out, len(total.found)) == (6, 4, 2, 2)


def test_engines_are_named_in_a_list_whose_last_is_the_measure():
    assert [each.name for each in engines_named("cpu-direct, cpu,reference")] == ["cpu-direct", "cpu", "reference"]
    for wrong in ("cpu", "cpu,cpu", "cpu,gpu", ""):
        with pytest.raises(UsageError):
            engines_named(wrong)
