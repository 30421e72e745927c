"""The SVG is well formed, escaped and in ARC's colours."""

from __future__ import annotations

from xml.etree import ElementTree

from batt.draw import Caption, Mark, Panel, Row, Scene, html, pair_row, svg, value_scene
from batt.draw.palette import COLORS

SPACE = "{http://www.w3.org/2000/svg}"


def test_titles_are_escaped() -> None:
    text = 'a <&> "b" ]]>'
    tree = ElementTree.fromstring(svg(Scene(text, (Row((Panel(text, 1),), text, Caption(text, Mark.ERROR)),))))
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


def test_html_holds_the_drawing() -> None:
    scene = value_scene(((1,),), "<x>")
    assert svg(scene) in html(scene)
    assert "<x>" not in html(scene)
