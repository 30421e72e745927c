"""Which kind of picture a value gets, and the cells of that picture."""

from __future__ import annotations

from typing import Any

import pytest

from batt.draw.reading import BLANK, MAX_RASTERS, MAX_SIDE, MAX_TEXT, PLACE, PanelKind, read
from batt.types import OrderedSet
from batt.types.plain import Printed

SQUARE = ((0, 1), (2, 3))
DOT = frozenset({(4, (2, 3))})


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (SQUARE, PanelKind.GRID),
        (((True, False),), PanelKind.GRID),
        (((1, None), (44, 5)), PanelKind.GRID),
        (((-3, 12), (40, 7)), PanelKind.TEXT),
        (((1, 2), (3,)), PanelKind.TEXT),
        (((0,) * MAX_SIDE,), PanelKind.GRID),
        (((0,) * (MAX_SIDE + 1),), PanelKind.TEXT),
        (frozenset({(0, 0), (5, 2)}), PanelKind.PATCH),
        (DOT, PanelKind.PATCH),
        (((4, (2, 3)), (5, (2, 4))), PanelKind.PATCH),
        (frozenset({(0, 0), (MAX_SIDE, 0)}), PanelKind.TEXT),
        (frozenset({(0, 0), (1, (0, 0))}), PanelKind.TEXT),
        (frozenset({DOT}), PanelKind.OBJECTS),
        ((DOT, DOT, frozenset()), PanelKind.OBJECTS),
        ((SQUARE, ((5,),)), PanelKind.GRIDS),
        (frozenset({SQUARE}), PanelKind.GRIDS),
        (frozenset(), PanelKind.TEXT),
        ((), PanelKind.TEXT),
        ((frozenset(),), PanelKind.TEXT),
        ((3, 4), PanelKind.TEXT),
        (7, PanelKind.TEXT),
        (None, PanelKind.TEXT),
    ],
)
def test_kinds(value: Any, kind: PanelKind) -> None:
    assert read(value).kind is kind


def test_what_is_no_colour_becomes_a_label() -> None:
    (raster,) = read(((0, 1, 2, 3, 4), (None, 10, -1, 500, 9))).rasters
    assert raster.rows[1] == ("N", "10", "-1", "?", 9)


def test_a_patch_lies_on_its_box_and_notes_its_place() -> None:
    (raster,) = read(frozenset({(5, (2, -1)), (6, (3, 1))})).rasters
    assert raster.rows == ((5, BLANK, BLANK), (BLANK, BLANK, 6))
    assert raster.note == "2 × 3 at (2, -1)"


def test_places_have_no_colour() -> None:
    (raster,) = read(frozenset({(0, 0), (0, 2)})).rasters
    assert raster.rows == ((PLACE, BLANK, PLACE),)


def test_the_last_colour_of_a_place_is_on_top() -> None:
    assert read(OrderedSet({(7, (0, 0)), (2, (0, 0))})).rasters[0].rows == ((7,),)


def test_objects_beyond_the_limit_are_counted() -> None:
    view = read(frozenset(frozenset({(1, (i, i))}) for i in range(MAX_RASTERS + 5)))
    assert (len(view.rasters), view.more) == (MAX_RASTERS, 5)
    assert view.notes[:2] == ("(0, 0)", "(1, 1)")


def test_the_printed_form_of_a_value_that_was_not_sent_is_shown() -> None:
    assert read(Printed("compose(center, first)")).text == "compose(center, first)"
    long = read(Printed("(" * 5_000)).text
    assert len(long) == MAX_TEXT
    assert long.endswith("…")


def test_wrong_cells_belong_to_a_grid() -> None:
    wrong = frozenset({(0, 1)})
    assert read(SQUARE, wrong).rasters[0].wrong == wrong
    assert read(DOT, wrong).rasters[0].wrong == frozenset()


def test_text_is_the_printed_form() -> None:
    assert read((1, frozenset({2, 1}), None)).text == "(1, {1, 2}, None)"
