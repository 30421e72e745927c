"""Treemaps are well-formed, and their areas are in proportion."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batt.profile.treemap import DARK_PLAIN, INK, PAPER, PLAIN, Leaf, LeafGroup, Rectangle, squarified, treemap_svg

SVG = "{http://www.w3.org/2000/svg}"
BOX = Rectangle(10, 20, 300, 200)

weights = st.lists(st.floats(1e-6, 1e6), min_size=1, max_size=40).map(lambda found: sorted(found, reverse=True))


@given(weights)
def test_areas_are_in_proportion_and_fill_the_box(given: list[float]):
    boxes = squarified(given, BOX)
    assert [box.area for box in boxes] == pytest.approx([BOX.area * each / sum(given) for each in given], rel=1e-6)


@given(weights)
def test_boxes_lie_within_and_do_not_overlap(given: list[float]):
    boxes = squarified(given, BOX)
    for box in boxes:
        assert box.x >= BOX.x - 1e-6
        assert box.y >= BOX.y - 1e-6
        assert box.x + box.width <= BOX.x + BOX.width + 1e-6
        assert box.y + box.height <= BOX.y + BOX.height + 1e-6
    for at, one in enumerate(boxes):
        for other in boxes[:at]:
            across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
            down = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
            assert min(across, down) <= 1e-6


def test_equal_weights_become_squares_where_they_can():
    assert {(box.width, box.height) for box in squarified([1.0] * 6, BOX)} == {(100.0, 100.0)}


def test_no_weights_give_no_boxes():
    assert squarified([], BOX) == []


def drawn() -> ElementTree.Element:
    lines = [Leaf("connect", 60.0, "connect: 60 %"), Leaf("shoot", 0.01, "shoot & <more>"), Leaf("none", 0.0, "")]
    groups = [LeafGroup("lines", lines), LeafGroup("machine", [Leaf("machine", 40.0, "")], True)]
    return ElementTree.fromstring(treemap_svg("a <deck> & more", groups))


def test_the_picture_is_well_formed_and_its_areas_are_in_proportion():
    boxes = [each.find(f"{SVG}rect") for each in drawn().iter(f"{SVG}g")]
    areas = [float(box.attrib["width"]) * float(box.attrib["height"]) for box in boxes if box is not None]
    assert len(areas) == 3
    assert areas[0] / areas[2] == pytest.approx(1.5, rel=1e-3)
    assert areas[1] / areas[0] == pytest.approx(0.01 / 60, rel=0.05)


def test_titles_are_tooltips_and_labels_stand_only_where_they_fit():
    root = drawn()
    assert [each.findtext(f"{SVG}rect/{SVG}title") for each in root.iter(f"{SVG}g")] == [
        *("connect: 60 %", "shoot & <more>"),
        "",
    ]
    words = [each.text for each in root.iter(f"{SVG}text")]
    assert words == ["a <deck> & more", "connect", "lines", "machine"]


def test_a_viewer_without_css_sees_the_light_picture():
    root = drawn()
    assert float(root.attrib["height"]) > 0
    fills = [each.attrib["fill"] for each in root.iter(f"{SVG}rect")]
    assert fills[0] == PAPER
    assert all(fill == "none" or re.fullmatch("#[0-9a-f]{6}", fill) for fill in fills)
    assert PLAIN in fills
    assert all(each.get("fill") == INK for each in root.iter(f"{SVG}text"))


def test_the_only_css_is_for_dark_screens_and_knows_every_group():
    style = (drawn().findtext(f"{SVG}style") or "").strip()
    assert style.startswith("@media (prefers-color-scheme: dark)")
    assert f".g1 {{ fill: {DARK_PLAIN} }}" in style
    assert "var(" not in style


def test_groups_differ_in_colour():
    groups = [LeafGroup(f"g{at}", [Leaf("a", 1.0, "")]) for at in range(12)]
    boxes = ElementTree.fromstring(treemap_svg("", groups)).iter(f"{SVG}g")
    assert len({box.attrib["fill"] for each in boxes for box in each.iter(f"{SVG}rect")}) == 12
