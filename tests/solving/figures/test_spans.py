"""Spans and lines: what the deck gives for figures is what the search computes for them."""

from __future__ import annotations

import numpy as np
import pytest

from batt.runtime import Limits, evaluate_one
from batt.solving.expressions import INPUT, compose
from batt.solving.figures.figures import figure_program
from batt.solving.figures.spans import Alignment, aligned_lines, gone_function, lines_of, made_spans, moved_function
from batt.solving.work import Work
from moving_tasks import ENOUGH, SCENES, frame_of, table_of


@pytest.fixture(scope="module")
def frame():
    return frame_of(lambda scene: scene)[0]


@pytest.fixture(scope="module")
def table(frame):
    return table_of(frame)


@pytest.fixture(scope="module")
def lines(table):
    return lines_of(table, Work(ENOUGH))


def values_of(function, frame, table):
    """What a function gives for the figures of the demonstrations and the test input, in their order."""
    found = []
    for sample in frame.samples():
        figures = evaluate_one(compose(table.figures), sample, Limits()).value
        made = evaluate_one(compose(function), sample, Limits()).value
        found += [made(figure) for figure in figures]
    return found


def test_every_span_has_a_name_of_its_own():
    for axis in (0, 1):
        names = [each.name for each in made_spans(axis)]
        assert len(names) == len({*names}) > 20
    assert [each.name for each in made_spans(0)] == [each.name for each in made_spans(1)]


@pytest.mark.parametrize("axis", [0, 1])
def test_lines_are_what_their_programs_give(frame, table, lines, axis):
    chosen: dict[object, object] = {}
    for line in lines[axis]:
        chosen.setdefault((line.span.name, line.offset), line)
        chosen.setdefault(line.alignment, line)
    assert {Alignment.BEGIN, Alignment.END, Alignment.MIDDLE, Alignment.OPPOSITE} <= {*chosen}
    for line in chosen.values():
        given = values_of(line.function(table.figures, INPUT, axis), frame, table)
        assert given == line.lines.tolist(), (line.span.name, line.alignment, line.offset)


@pytest.mark.parametrize("alignment", Alignment)
def test_every_alignment_is_what_its_program_gives(frame, table, alignment):
    from batt.solving.figures.spans import SpanLine

    for axis, (begin, extent) in enumerate((("top", "height"), ("left", "width"))):
        own = [table.measure(name) for name in (begin, extent)]
        for span in made_spans(axis)[:3]:
            first, last = np.array(values_of(span.of(table.figures, INPUT), frame, table)).T
            line = SpanLine(span, alignment, 1, aligned_lines(*own, first, last)[alignment] + 1)
            assert values_of(line.function(table.figures, INPUT, axis), frame, table) == line.lines.tolist()


def test_equal_lines_are_one_the_shortest_first(lines):
    for some in lines:
        assert len({line.lines.tobytes() for line in some}) == len(some) > 100
        assert [line.size for line in some] == sorted(line.size for line in some)


def test_figures_are_stacked_in_the_order_of_their_size(frame, table):
    span = next(each for each in made_spans(0) if each.name == "heaped_size_down")
    given = iter(values_of(span.of(table.figures, INPUT), frame, table))
    for scene, sample in zip(SCENES, frame.samples(), strict=True):
        figures = evaluate_one(compose(table.figures), sample, Limits()).value
        heights = {colour: (height, height * width) for colour, _, _, height, width in scene}
        for figure in figures:
            colour = min(figure)[0]
            under = sum(height for height, size in heights.values() if size > heights[colour][1])
            bottom = len(sample.input) - 1 - under
            assert next(given) == (bottom - heights[colour][0] + 1, bottom)


def test_a_move_is_a_program(frame, table, lines):
    rows = next(line for line in lines[0] if (line.span.name, line.alignment) == ("grid", Alignment.END))
    columns = next(line for line in lines[1] if line.span.name == "own")
    sample = frame.samples()[0]
    figures = evaluate_one(compose(table.figures), sample, Limits()).value
    function = evaluate_one(compose(moved_function(rows, columns).of(table.figures, INPUT)), sample, Limits()).value
    for figure in figures:
        down = len(sample.input) - 1 - max(place[0] for _, place in figure)
        assert function(figure) == {(colour, (i + down, j)) for colour, (i, j) in figure}


def test_nothing_is_left_of_a_figure_that_is_gone(frame, table):
    assert figure_program("segmented") is not None
    made = values_of(gone_function().of(table.figures, INPUT), frame, table)
    assert all(each == frozenset() for each in made)
