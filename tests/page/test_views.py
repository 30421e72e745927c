from __future__ import annotations

from batt.page.views import grid_rows, value_view


def test_a_grid_is_rows_of_digits():
    assert grid_rows(((1, 2), (0, 9))) == ["12", "09"]
    assert grid_rows(None) is None


def test_a_grid_is_one_picture():
    assert value_view(((1, 2), (0, 9))) == {"kind": "grid", "pictures": [{"rows": ["12", "09"], "note": "2 × 2"}]}


def test_places_and_blanks_have_their_own_characters():
    (picture,) = value_view(frozenset({(0, 0), (1, 1)}))["pictures"]
    assert picture == {"rows": ["# ", " #"], "note": "2 × 2 at (0, 0)"}


def test_a_cell_that_is_no_colour_has_a_label():
    (picture,) = value_view(((1, 2, 3), (4, -1, 10)))["pictures"]
    assert (picture["rows"], picture["labels"]) == (["123", "4??"], ["-1", "10"])


def test_many_objects_are_counted():
    shown = value_view(tuple(frozenset({(1, (n, 0))}) for n in range(40)))
    assert (shown["kind"], len(shown["pictures"]), shown["more"]) == ("objects", 12, 28)


def test_other_values_are_text():
    assert value_view(7) == {"text": "7"}
