"""Graphs for people: expressions and pictures."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

import batt
from batt.compiler import compile_deck, fan_out
from batt.draw import palette
from batt.draw.blocks import Line, Text
from batt.draw.svg import svg_block
from batt.ir.graph import Graph
from batt.report.graph import PAGE, core_picture, expression, slice_picture
from handmade import deck, source

SVG = "{http://www.w3.org/2000/svg}"
LINES = ("objs = objects(I, T, F, T)", "f = compose(flip, hline)", "x = mfilter(objs, f)")


def labels(block) -> list[str]:
    return [shape.text for shape in block.walk() if isinstance(shape, Text)]


def test_a_loop_reads_as_a_call_with_its_function_written_out():
    graph = compile_deck(deck(solve_a=LINES)).graph
    assert "mfilter(t1, x -> flip(hline(x)))" in " ".join(labels(slice_picture(graph, graph.slices[0])))


def test_a_long_expression_is_cut():
    graph = compile_deck(deck(solve_a=LINES)).graph
    text = expression(graph, graph.slices[0].result, {}, limit=12)
    assert len(text) == 12
    assert text.endswith("…")


def test_a_function_that_uses_its_steps_twice_each_is_written_at_once():
    doubling = "\n".join(["def grow(x):", *["    x = astuple(x, x)"] * 60, "    return x", "", ""])
    made = batt.Deck.from_sources({"solve_a": doubling + source("solve_a", "x = apply(grow, I)")})
    graph = compile_deck(made).graph
    assert any("((((((((" in label for label in labels(slice_picture(graph, graph.slices[0])))


def test_a_cut_label_has_its_full_text_as_a_tooltip():
    long = (
        "x = apply(compose(compose(flip, hline), compose(compose(backdrop, delta), toindices)), objects(I, T, F, T))",
    )
    graph = compile_deck(deck(solve_a=long)).graph
    tree = ElementTree.fromstring(svg_block(slice_picture(graph, graph.slices[0]), ""))
    cut = [each for each in tree.iter(f"{SVG}text") if "".join(each.itertext()).endswith("…")]
    assert cut
    for each in cut:
        full = each.findtext(f"{SVG}title") or ""
        assert not full.endswith("…")
        assert full.startswith((each[0].tail or "").rstrip("…"))
    tips = [rect.findtext(f"{SVG}title") for rect in tree.iter(f"{SVG}rect")][1:]
    assert tips == [each.findtext(f"{SVG}title") for each in tree.iter(f"{SVG}text")][1:]


def test_edges_end_in_arrowheads_and_those_from_the_input_are_light():
    graph = compile_deck(deck(solve_a=("a = vmirror(I)", "x = hconcat(a, hmirror(a))"))).graph
    lines = [shape for shape in slice_picture(graph, graph.slices[0]).walk() if isinstance(shape, Line)]
    # I to a; a to both; hmirror to x: four edges of one line at least, and two strokes at each end.
    assert len(lines) >= 4 * 3
    for color in (palette.CARD_LINE, palette.ARROW):
        tips = {(line.x, line.y) for line in lines if line.color == color and line.to_y < line.y}
        ends = {(line.to_x, line.to_y) for line in lines if line.color == color and line.to_y > line.y}
        assert tips
        assert tips <= ends


@pytest.fixture(scope="module")
def built_in() -> Graph:
    """The graph of the built-in deck."""
    return compile_deck(batt.load_deck()).graph


def test_the_shared_core_leaves_out_the_input(built_in: Graph):
    assert "I" not in labels(core_picture(built_in, fan_out(built_in)))


def test_every_slice_of_the_built_in_deck_can_be_drawn(built_in: Graph):
    for each in built_in.slices:
        block = slice_picture(built_in, each)
        assert labels(block)[0] == each.name
        ElementTree.fromstring(svg_block(block, each.name))


def test_the_shared_core_tells_how_many_solvers_run_each_step(built_in: Graph):
    counts = fan_out(built_in)
    found = labels(core_picture(built_in, counts))
    assert any(label.endswith(f"×{max(counts.values())}") for label in found)


def test_a_picture_is_no_wider_than_a_page_and_its_margins(built_in: Graph):
    assert core_picture(built_in, fan_out(built_in)).width < PAGE + 100
