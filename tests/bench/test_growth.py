"""Growth: sizes that are nearly those asked for, and equal outcomes on the way."""

from __future__ import annotations

import numpy as np
import pytest

import batt
from batt.bench import growth as module
from batt.bench.frozen import first_132
from batt.bench.growth import growth, sized
from batt.errors import InternalError
from batt.jobs import samples_of
from native_library import needs_library


@pytest.mark.parametrize("power", [1, 2, 3, 4, 5, 6, 7])
def test_a_size_is_about_what_was_asked_for(power: int):
    deck, tasks = sized(first_132(), batt.load_tasks("arc1-training"), 10**power)
    assert 0.5 <= len(deck) * len(samples_of(tasks)) / 10**power <= 1.5


@needs_library
def test_a_small_growth_has_every_figure():
    told = growth(1)
    (row,) = told["rows"]
    assert row["evaluations_per_s"].keys() == set(told["engines"]) >= {"auto", "reference"}
    assert row["auto_of_best"] > 0
    assert row["auto_peak_bytes"] > 0
    assert row["auto_cost"] == 1.0


def test_costs_are_held_against_those_of_ten_thousand():
    times_s = {12: 0.012, 10_032: 1.0032, 100_000: 20.0}
    rows = [{"evaluations": count, "wall_s": {"auto": taken}} for count, taken in times_s.items()]
    assert [row["auto_cost"] for row in module._with_costs(rows)] == pytest.approx([10.0, 1.0, 2.0])


def test_auto_is_held_against_the_best_forced_engine_by_their_quickest_passes():
    passes = {"auto": [3.0, 2.0, 9.0], "cpu:1": [4.0, 5.0], "cpu:2": [1.0, 8.0]}
    assert module._auto_of_best(passes) == 0.5
    assert module._auto_of_best({"auto": [1.0]}) is None


def test_the_parts_of_a_size_are_spread_over_the_whole():
    deck, tasks = first_132(), batt.load_tasks("arc1-training")
    some, one = sized(deck, tasks, 30)
    places = [deck.names.index(name) for name in some.names]
    assert len(one) == 1
    assert np.ptp(places) > len(deck) / 2
    same, few = sized(deck, tasks, 20_000)
    assert same.names == deck.names
    assert np.ptp([tasks.ids.index(name) for name in few.ids]) > len(tasks) / 2


@needs_library
def test_a_difference_between_engines_is_an_error(monkeypatch: pytest.MonkeyPatch):
    true = module.evaluate

    def planted(*args: object, **options: object) -> object:
        results = true(*args, **options)  # type: ignore[arg-type]
        if options["engine"] == "reference":
            results.records["hash"] += np.uint64(1)
        return results

    monkeypatch.setattr(module, "evaluate", planted)
    with pytest.raises(InternalError, match="reference: outcomes differ from those of auto"):
        growth(1)
