"""Every value draws on every device, whatever it is."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batt.draw import (
    Caption,
    Mark,
    Panel,
    PanelRow,
    Scene,
    html,
    png,
    render_text,
    svg,
)
from batt.draw.html import FITTING
from batt.draw.reading import PanelKind, read
from batt.types import Made, OrderedSet
from scenes import value_scene


class Twice(Made):
    """A function made of two others."""

    __slots__ = ()
    name = "twice"
    arity = 1

    def __init__(self, *args: Any) -> None:
        self.args = args


def nested(depth: int) -> Any:
    """A tuple whose printed form doubles with every level."""
    value: Any = (0, 1)
    for _ in range(depth):
        value = (value, value)
    return value


def deep_set(depth: int) -> Any:
    """A set whose sorting doubles with every level."""
    value: Any = frozenset({0})
    for _ in range(depth):
        value = frozenset({(value, value), (value, 0)})
    return value


def made(depth: int) -> Any:
    value = Twice(0, 1)
    for _ in range(depth):
        value = Twice(value, value)
    return value


numbers = st.integers(-3, 12) | st.integers() | st.booleans()
leaves = numbers | st.none() | st.builds(Twice, numbers)
places = st.tuples(st.integers(-40, 40), st.integers(-40, 40))
values = st.recursive(
    leaves | st.frozensets(places) | st.frozensets(st.tuples(numbers, places)),
    lambda inner: st.lists(inner, max_size=4).map(tuple) | st.frozensets(inner, max_size=4).map(OrderedSet),
    max_leaves=12,
)

hostile = {
    "far apart": frozenset({(0, 0), (10**9, 10**9)}),
    "astronomic": frozenset({(10**5000, 0), (0, -(10**5000))}),
    "ragged": ((1, 2, 3), (4,), (5, 6)),
    "wide": ((0,) * 500,),
    "tall": ((0,),) * 500,
    "huge grid": ((0,) * 1_000,) * 1_000,
    "huge set": frozenset(range(300_000)),
    "huge patch": frozenset((i // 60, i % 60) for i in range(60_000)),
    "many objects": frozenset(frozenset({(1, (i, i))}) for i in range(10_000)),
    "long int": 1 << 3_000_000,
    "exponential": nested(80),
    "exponential set": deep_set(18),
    "exponential function": made(80),
    "empty rows": ((), ()),
    "foreign": "text",
    "foreign within": frozenset({"text", 1}),
}


def draw_everywhere(scene: Scene) -> None:
    ElementTree.fromstring(svg(scene))
    assert svg(scene, FITTING) in html(scene)
    assert png(scene, 1).startswith(b"\x89PNG")
    for width in (20, 100):
        for color in (False, True):
            assert render_text(scene, width, color)


@settings(max_examples=60, deadline=None)
@given(values, st.text(), st.sampled_from(Mark))
def test_every_value_draws_on_every_device(value: Any, text: str, mark: Mark) -> None:
    caption, wrong = Caption(text, mark), frozenset({(0, 0)})
    draw_everywhere(Scene(text, (PanelRow((Panel(text, value, wrong),), text, caption),)))


@pytest.mark.parametrize("name", hostile)
def test_hostile_values_are_told_in_words(name: str) -> None:
    assert read(hostile[name]).kind is PanelKind.TEXT
    draw_everywhere(value_scene(hostile[name], name))


def test_a_scene_without_rows_draws() -> None:
    draw_everywhere(Scene("nothing", ()))
    draw_everywhere(Scene("nothing", (PanelRow(()),)))
