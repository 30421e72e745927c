"""Graphs for people: expressions and pictures."""

from __future__ import annotations

from xml.etree import ElementTree

import batt
from batt.compiler import compile_deck, fan_out
from batt.draw.blocks import Text
from batt.draw.svg import svg_block
from batt.report.graph import PAGE, core_picture, expression, slice_picture
from handmade import deck

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


def test_every_slice_of_the_built_in_deck_can_be_drawn():
    graph = compile_deck(batt.load_deck()).graph
    for each in graph.slices:
        block = slice_picture(graph, each)
        assert labels(block)[0] == each.name
        ElementTree.fromstring(svg_block(block, each.name))


def test_the_shared_core_tells_how_many_solvers_run_each_step():
    made = compile_deck(batt.load_deck())
    counts = fan_out(made.graph)
    found = labels(core_picture(made.graph, counts))
    assert any(label.endswith(f"×{max(counts.values())}") for label in found)


def test_a_picture_is_no_wider_than_a_page_and_its_margins():
    made = compile_deck(batt.load_deck())
    assert core_picture(made.graph, fan_out(made.graph)).width < PAGE + 100
