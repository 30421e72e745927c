"""The benchmark of engines by size."""

from __future__ import annotations

import pytest

import sizes


def test_a_line_has_the_median_rates_and_how_good_the_choice_of_auto_is():
    found = sizes.line("deck", 1_000, {"auto": [1.0, 0.5, 9.0], "cpu": [0.5, 0.4, 0.6], "cuda": [2.0, 2.0, 2.0]})
    assert found == "deck, 1,000 evaluations: auto 1,000/s, cpu 2,000/s, cuda 500/s, auto 0.50 of the best"
    assert sizes.line("deck", 10, {"cpu": [2.0]}) == "deck, 10 evaluations: cpu 5/s"


def test_engines_are_measured_and_compared(capsys: pytest.CaptureFixture[str]):
    given = ["--powers", "1", "--passes", "1", "--engines", "reference,auto", "--decks", "first-132"]
    assert sizes.main(given) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert lines[1] == "all records are equal"
