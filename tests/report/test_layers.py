"""Nodes stand below what they read, and no edge runs behind a node."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from batt.report.layers import LayerLayout, lay_out_layers

GAP, PAGE = 16.0, 600.0


@st.composite
def graphs(draw: st.DrawFn) -> tuple[dict[int, list[int]], dict[int, float]]:
    """Nodes that read earlier ones, and their widths."""
    count = draw(st.integers(0, 14))
    reads = {n: draw(st.lists(st.integers(0, n - 1), unique=True, max_size=3)) if n else [] for n in range(count)}
    return reads, {n: draw(st.sampled_from([30.0, 100.0, 420.0])) for n in range(count)}


def laid_out(reads: dict[int, list[int]], widths: dict[int, float]) -> LayerLayout:
    return lay_out_layers(list(reads), reads, widths, GAP, PAGE)


@given(graphs())
def test_a_node_stands_below_all_that_it_reads(graph: tuple[dict[int, list[int]], dict[int, float]]):
    places = laid_out(*graph).places
    assert all(places[n][1] > places[arg][1] for n, args in graph[0].items() for arg in args)


@given(graphs())
def test_nodes_of_a_row_stand_apart_and_within_the_width(graph: tuple[dict[int, list[int]], dict[int, float]]):
    layout, widths = laid_out(*graph), graph[1]
    for row in range(layout.rows):
        spans = sorted((x, x + widths[n]) for n, (x, at) in layout.places.items() if at == row)
        assert all(b[0] - a[1] >= GAP - 1e-6 for a, b in pairwise(spans))
        assert all(start >= -1e-6 and end <= layout.width + 1e-6 for start, end in spans)


@given(graphs())
def test_no_edge_runs_behind_a_node(graph: tuple[dict[int, list[int]], dict[int, float]]):
    layout, widths = laid_out(*graph), graph[1]
    assert len(layout.edges) == sum(map(len, graph[0].values()))
    for source, points in layout.edges:
        assert points[0][1] == layout.places[source][1] + 0.5
        for (x, y), (to_x, to_y) in pairwise(points):
            if y % 1 == 0.5:
                # Between two rows, where no nodes are.
                assert to_y == y + 0.5
                continue
            assert (to_x, to_y) == (x, y + 0.5)
            for node, (left, row) in layout.places.items():
                assert row != y or not left < x < left + widths[node]


def test_nodes_without_edges_come_last():
    layout = laid_out({0: [], 1: [], 2: [1]}, dict.fromkeys(range(3), 50.0))
    assert [layout.places[n][1] for n in range(3)] == [2, 0, 1]


def test_edges_that_end_at_one_node_end_side_by_side():
    layout = laid_out({0: [], 1: [], 2: [0, 1]}, {0: 50.0, 1: 50.0, 2: 90.0})
    ends = [points[-1][0] for _, points in layout.edges]
    assert ends[0] < ends[1]
