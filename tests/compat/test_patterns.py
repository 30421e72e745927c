"""Patterns and profiles by their legacy names."""

from __future__ import annotations

from pathlib import Path

import pytest

import batt
from batt.compat import detect_batch_pattern, profile_batt_operations
from batt.errors import UsageError
from batt.front import Deck
from handmade import source
from native_library import needs_library

THREE = source(
    "solve_three",
    "ins = apply(first, S)",
    "outs = apply(last, S)",
    "seen = mapply(palette, ins)",
    "a = objects(I, T, F, T)",
    "b = objects(I, T, T, T)",
    "c = mapply(toindices, a)",
    "d = mapply(backdrop, a)",
    "x = fill(fill(I, first(seen), c), 2, d)",
    params="S, I, C",
)


def test_all_three_patterns_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    deck = Deck.from_sources({"solve_three": THREE})
    found = detect_batch_pattern(deck)
    assert len(found.sample_extraction) == 3
    assert [len(each) for each in found.object_forms.values()] == [2]
    assert [len(each) for each in found.mapply_groups.values()] == [2]
    (tmp_path / "my_deck.py").write_text(THREE)
    monkeypatch.chdir(tmp_path)
    assert detect_batch_pattern("my_deck.py") == detect_batch_pattern("my_deck") == found
    assert detect_batch_pattern(list(deck)) == found


def test_the_built_in_deck_has_patterns():
    assert detect_batch_pattern("built-in") == detect_batch_pattern(batt.load_deck())
    assert detect_batch_pattern("built-in").object_forms


def test_a_batt_that_is_not_there_is_an_error():
    with pytest.raises(UsageError, match="nowhere: no such file or module"):
        detect_batch_pattern("nowhere")


@needs_library
def test_a_profile_tells_ops_solvers_and_patterns():
    tasks = batt.Tasks(batt.load_tasks("arc1-training").tasks[:2], "two")
    told = profile_batt_operations(batt.load_deck()[:30], tasks, workers=1)
    assert (told.solvers, told.evaluations) == (30, 30 * told.samples)
    assert {"machine", "objects"} <= {row.op for row in told.by_op}
    assert sum(row.spent.share for row in told.by_op) == pytest.approx(1.0)
    own = profile_batt_operations(batt.load_deck()[:30], "arc1-training", own=True, workers=1)
    assert 0 < own.evaluations < 300
