"""The report on variants: right on the own task, and on others."""

from __future__ import annotations

import batt
from batt.bench.frozen import first_132
from batt.variants import infer_variants, report

TASKS = batt.load_tasks("arc1-training").select(
    ["3c9b0459", "6150a2bd", "67a3c6ac", "bb43febb", "ce22a75a", "94f9d214", "6430c8c4", "007bbfb7"]
)


def test_figures_count_variants_and_what_they_solve():
    deck = first_132().select(["solve_3c9b0459", "solve_bb43febb", "solve_94f9d214"])
    variants = infer_variants(deck, TASKS)
    found = report(variants, TASKS)
    assert found.variants == found.with_own_task == len(variants.variants)
    assert found.same_on_own_task <= found.correct_on_own_task
    assert set(found.hits) == {
        ("solve_3c9b0459_rot180mr", "6150a2bd"),
        ("solve_3c9b0459_rot180mr", "67a3c6ac"),
        ("solve_bb43febb_2zo", "ce22a75a"),
        ("solve_94f9d214_2zo", "6430c8c4"),
    }
    assert found.fit_another_task == 3
    assert found.new == ("6430c8c4", "67a3c6ac", "ce22a75a")


def test_figures_are_plain_data():
    deck = first_132().select(["solve_007bbfb7"])
    found = report(infer_variants(deck, TASKS), TASKS).as_json()
    assert found["solvers"] == 1
    assert list(found) == list(dict.fromkeys(found))


def test_the_figures_of_the_whole_built_in_deck():
    tasks = batt.load_tasks("arc1-training")
    found = report(infer_variants(first_132(), tasks), tasks)
    assert found.variants > 250
    assert found.correct_on_own_task > 100
    assert found.fit_another_task > 15
    assert len(found.new) > 10
