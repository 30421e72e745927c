"""The SVG is well formed, escaped and in ARC's colours."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

from batt.draw import Caption, Mark, Panel, PanelRow, Scene, pair_row, svg
from batt.draw.palette import BAD, COLORS, RING, RING_EDGE, TILE_LINE
from scenes import value_scene

SPACE = "{http://www.w3.org/2000/svg}"


def test_titles_are_escaped() -> None:
    text = 'a <&> "b" ]]>'
    tree = ElementTree.fromstring(svg(Scene(text, (PanelRow((Panel(text, 1),), text, Caption(text, Mark.ERROR)),))))
    assert [title.text for title in tree.iter(f"{SPACE}title")] == [text]
    assert [each.text for each in tree.iter(f"{SPACE}text")].count(text) == 4


def test_every_colour_is_filled_once() -> None:
    tree = ElementTree.fromstring(svg(value_scene((tuple(range(10)),))))
    fills = [path.get("fill") for path in tree.iter(f"{SPACE}path")]
    assert [fills.count(color) for color in COLORS] == [1] * 10


def test_cells_of_a_colour_share_a_path() -> None:
    tree = ElementTree.fromstring(svg(value_scene(((1, 2),) * 30)))
    (path,) = [path for path in tree.iter(f"{SPACE}path") if path.get("fill") == COLORS[1]]
    assert (path.get("d") or "").count("M") == 30


def test_a_pair_has_an_arrow_between_its_titles() -> None:
    tree = ElementTree.fromstring(svg(Scene("", (pair_row(((1,),), ((2,),)),))))
    assert {"input", "output"} <= {each.text for each in tree.iter(f"{SPACE}text")}
    assert [path for path in tree.iter(f"{SPACE}path") if path.get("stroke-linecap") == "round"]


def test_a_file_says_its_size_in_attributes_alone() -> None:
    root = ElementTree.fromstring(svg(value_scene(((1,),))))
    assert float(root.attrib["width"]) > 0
    assert float(root.attrib["height"]) > 0
    assert "style" not in root.attrib


def rings(grid: Any, wrong: frozenset[tuple[int, int]]) -> list[tuple[str | None, int]]:
    """The colours of round strokes, in drawing order, with how many of each."""
    tree = ElementTree.fromstring(svg(Scene("", (PanelRow((Panel("", grid, wrong=wrong),)),))))
    strokes = [path for path in tree.iter(f"{SPACE}path") if path.get("stroke-linecap") == "round"]
    return [(path.get("stroke"), (path.get("d") or "").count("M")) for path in strokes]


def test_wrong_cells_are_ringed_in_dark_and_light_around_their_own_colour() -> None:
    wrong = frozenset({(0, 0), (1, 1)})
    assert rings(((3, 1), (2, 3)), wrong) == [(RING_EDGE, 2), (RING, 2), (COLORS[3], 2)]
    assert rings(((3, 1), (2, 3)), frozenset()) == []


def test_a_row_that_failed_has_a_red_edge() -> None:
    rows = (
        PanelRow((), "a = f(I)", Caption("raised", Mark.ERROR)),
        PanelRow((), "b", Caption("different", Mark.DIFFERENT)),
    )
    tree = ElementTree.fromstring(svg(Scene("", rows)))
    assert [rect.get("stroke") for rect in tree.iter(f"{SPACE}rect")][1:] == [BAD, TILE_LINE]
