"""Decks to one graph, and the figures of what sharing makes of them."""

from __future__ import annotations

import gc
import json

import pytest

import batt
from batt.analysis.measure import measure
from batt.codegen.plan import plan
from batt.compiler import compile_deck, fan_out
from batt.ir.spec import Stage, check
from encoding import encode_deck
from handmade import deck, source

SHARED = "objs = objects(I, T, F, T)"
TWO = {
    "solve_merged": (SHARED, "x = merge(objs)"),
    "solve_largest": (SHARED, "x = argmax(objs, size)"),
    "solve_shown": ("x = identity(I)", "y = compose(first, last)"),
}


def test_a_step_that_two_solvers_share_exists_once():
    made = compile_deck(deck(**TWO))
    assert max(fan_out(made.graph).values()) == 2
    figures = made.statistics()
    assert (figures.solvers, figures.source_steps) == (3, 6)
    assert figures.steps == figures.shared_steps + 1
    assert figures.ops["objects"] == 2


def test_a_compiled_deck_is_well_formed():
    check(compile_deck(batt.load_deck()).graph, Stage.INFERRED)


def test_hints_change_nothing_but_what_people_read():
    made, plain = [compile_deck(batt.load_deck(), hints) for hints in (True, False)]
    check(plain.graph, Stage.SIMPLIFIED)
    assert (plain.graph.hints, plain.graph) == ((), made.graph)
    assert plain.impossible == made.impossible
    assert encode_deck(plain, plan(plain.graph)) == encode_deck(made, plan(made.graph))


@pytest.mark.parametrize("is_on", [True, False])
def test_compiling_leaves_the_collector_as_it_was_and_nothing_to_collect(is_on: bool):
    built_in, before = batt.load_deck(), gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        if is_on:
            gc.enable()
        made = compile_deck(built_in)
        encode_deck(made, plan(made.graph))
        assert gc.isenabled() == is_on
        assert gc.collect() == 0
    finally:
        (gc.enable if before else gc.disable)()


def test_steps_are_counted_by_what_they_depend_on():
    lines = "shown = apply(first, S)", "n = size(shown)", "x = canvas(n, (1, 1))"
    demonstrated = batt.Deck.from_sources({"solve_a": source("solve_a", *lines, params="S, I, C")})
    levels = compile_deck(demonstrated).statistics().levels
    assert levels["task"] >= 2
    assert levels["sample"] == 0


def test_several_forms_of_objects_of_one_grid_are_a_pattern():
    forms = {f"solve_{flag}": (f"x = objects(I, {flag}, F, T)",) for flag in ("T", "F")}
    patterns = compile_deck(deck(**forms)).statistics().patterns
    assert patterns["grids with several forms of objects"] == 1
    assert patterns["forms of objects of those grids"] == 2


def test_measured_shares_of_steps_add_up():
    made = compile_deck(deck(**TWO))
    figures = made.statistics(measure(made.graph, [((), ((1, 0), (0, 2)), None)]))
    assert abs(sum(figures.measured_steps.values()) - 1) < 0.01


def test_figures_are_plain_data():
    assert json.loads(json.dumps(compile_deck(deck(**TWO)).statistics().as_json()))["solvers"] == 3


def test_what_cannot_be_compiled_is_left_out_by_name_and_reason():
    made = compile_deck(deck(solve_a=("x = compose(first, last)",), solve_b=("x = vmirror(I)",)))
    assert made.left_out == {"solve_a": "a function as a value"}
    assert repr(made).startswith("<Batt | 1 of 2 solvers | ")


def test_a_call_that_can_never_succeed_is_told_with_its_line():
    (found,) = compile_deck(deck(solve_a=("y = vmirror(I)", "x = upscale(y, I)"))).impossible
    assert (found.slice, found.line) == ("solve_a", 3)
    assert found.message == "upscale: 'factor' expects int, got grid"
