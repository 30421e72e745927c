"""Growth: sizes that are nearly those asked for, and equal outcomes on the way."""

from __future__ import annotations

import numpy as np
import pytest

import batt
from batt.bench import growth as module
from batt.bench.growth import growth, sized
from batt.errors import InternalError
from batt.jobs import samples_of
from native_library import needs_library


@pytest.mark.parametrize("power", [1, 2, 3, 4, 5, 6, 7])
def test_a_size_is_about_what_was_asked_for(power: int):
    deck, tasks = sized(batt.load_deck(), batt.load_tasks("arc1-training"), 10**power)
    assert 0.5 <= len(deck) * len(samples_of(tasks)) / 10**power <= 1.5


@needs_library
def test_a_small_growth_has_every_figure():
    told = growth(1)
    (row,) = told["rows"]
    assert row["evaluations_per_s"].keys() == set(told["engines"]) >= {"auto", "reference"}
    assert row["auto_of_best"] > 0


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
