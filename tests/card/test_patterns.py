"""The three patterns of a batch."""

from __future__ import annotations

from batt.card.patterns import detect_batch_pattern
from batt.card.steps import InputName, Number
from batt.front import Deck
from dealt import deck_of
from handmade import deck, source

EXTRACTION = (
    "a = apply(first, S)",
    "b = apply(last, S)",
    "c = mapply(palette, a)",
    "d = mapply(palette, b)",
    "x = difference(c, d)",
)


def test_sample_extraction_is_found_from_the_pairs_to_their_colours():
    found = detect_batch_pattern(Deck.from_sources({"solve": source("solve", *EXTRACTION, params="S, I, C")}))
    assert found.sample_extraction == (1, 2, 3, 4)


def test_sample_extraction_is_found_in_the_words_of_the_second_dialect():
    lines = ("a = apply(first, S)", "b = apply(second, S)", "c = mapply(p_g, a)", "x = mapply(p_g, b)")
    found = detect_batch_pattern(Deck.from_sources({"solve": source("solve", *lines, params="S, I, C")}))
    assert found.sample_extraction == (1, 2, 3, 4)


def test_several_forms_of_objects_of_one_grid_are_found_across_solvers():
    one = ("x = objects(I, T, F, T)",)
    two = ("y = objects(I, F, F, T)", "z = vmirror(I)", "x = objects(z, T, F, T)")
    assert detect_batch_pattern(deck(a=one, b=two)).object_forms == {InputName("I"): (1, 2)}


def test_groups_of_mapply_over_one_container_are_found():
    lines = ("y = fgpartition(I)", "a = mapply(delta, y)", "b = mapply(toindices, y)", "x = combine(a, b)")
    assert detect_batch_pattern(deck(a=lines)).mapply_groups == {Number(1): (2, 3)}


def test_one_form_alone_is_no_pattern():
    found = detect_batch_pattern(deck(a=("y = objects(I, T, F, T)", "x = mapply(delta, y)")))
    assert (found.sample_extraction, found.object_forms, found.mapply_groups) == ((), {}, {})


def test_the_verifiers_of_re_arc_ask_for_many_forms_of_objects_of_the_input():
    found = detect_batch_pattern(deck_of(400))
    assert len(found.object_forms[InputName("I")]) >= 6
    assert found.mapply_groups
