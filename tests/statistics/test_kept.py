"""The statistics of the built-in deck that the package keeps are those of the deck, and read back."""

from __future__ import annotations

import json
from importlib import resources

from batt.front import load_deck
from batt.statistics import count_statistics, deck_statistics, json_text
from batt.statistics.kept import KEPT, from_json
from handmade import MIRROR, source


def test_the_kept_statistics_are_those_of_the_built_in_deck():
    kept = resources.files("batt.decks").joinpath(KEPT).read_text("utf-8")
    assert kept == json_text(count_statistics(load_deck())), "the built-in deck has changed: make statistics"


def test_statistics_read_back_from_json():
    counted = count_statistics(load_deck())
    text = json_text(counted)
    assert from_json(json.loads(text)) == counted
    assert text.count("\n") < 400


def test_the_built_in_deck_has_kept_statistics_and_others_are_counted():
    assert deck_statistics() == count_statistics(load_deck())
    statistics = deck_statistics({"solve_a": source("solve_a", *MIRROR)})
    assert repr(statistics) == "<DeckStatistics | 1 solvers | 1 steps>"
    assert statistics.total_calls == {"vmirror": 1}
