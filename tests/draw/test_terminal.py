"""Cells as characters: digits without colour, backgrounds with it, half blocks where there is little room."""

from __future__ import annotations

import re
from io import StringIO

from rich.cells import cell_len
from rich.console import Console

from batt.draw import Arrow, Caption, Mark, Panel, PanelRow, Scene, pair_row, render_text, terminal
from batt.draw.palette import COLORS, rgb
from scenes import value_scene

GRID = ((0, 1), (2, 9))
WIDE = (tuple(range(10)) * 3,) * 4


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def test_digits_without_colour() -> None:
    assert render_text(value_scene(GRID, "title")) == "title\n╭─────╮\n│ . 1 │\n│ 2 9 │\n╰─────╯\n2 × 2\n"


def test_places_and_blanks_without_colour() -> None:
    assert "│ # │\n│   │\n│ # │" in render_text(value_scene(frozenset({(1, 1), (3, 1)})))


def test_backgrounds_with_colour() -> None:
    text = render_text(value_scene((tuple(range(10)),)), 80, color=True)
    for color in COLORS:
        assert "48;2;" + ";".join(map(str, rgb(color))) in text
    assert "│" + " " * 20 + "│" in plain(text)


def test_half_blocks_where_two_columns_do_not_fit() -> None:
    text = plain(render_text(value_scene(WIDE), 40, color=True))
    assert text.count("▀" * 30) == 2
    assert "0" not in text.splitlines()[1]


def test_dense_digits_where_two_columns_do_not_fit() -> None:
    assert ".123456789.123456789.123456789" in render_text(value_scene(WIDE), 40)


def test_a_pair_stands_side_by_side_where_it_can() -> None:
    text = plain(render_text(Scene("", (pair_row(WIDE, WIDE),)), 80, color=True))
    assert any(line.count("│" + "▀" * 30 + "│") == 2 for line in text.splitlines())


def test_a_grid_wider_than_the_terminal_is_told_in_words() -> None:
    assert "4 × 30, too wide" in " ".join(render_text(value_scene(WIDE), 25).split())


def test_no_line_is_wider_than_the_width() -> None:
    rows = tuple(pair_row(GRID, WIDE, f"pair {i}", Caption("solved", Mark.EQUAL)) for i in range(5))
    for width in (10, 40, 70, 200):
        assert max(map(cell_len, render_text(Scene("title " * 30, rows), width).splitlines())) <= width


def test_rows_stand_side_by_side_where_they_fit() -> None:
    rows = (PanelRow((Panel("a", 1),)), PanelRow((Panel("b", 2),)))
    assert render_text(Scene("", rows), 80) == "a    b\n1    2\n"


def test_marks_and_arrows_are_shown() -> None:
    row = PanelRow((Panel("", 1), Arrow(), Panel("", 2)), caption=Caption("differs", Mark.DIFFERENT))
    assert render_text(Scene("", (row,))) == "1  →  2\n✗ differs\n"


def marked(color: bool) -> str:
    return plain(render_text(Scene("", (PanelRow((Panel("", GRID, wrong=frozenset({(0, 1), (1, 0)})),)),)), 40, color))


def test_wrong_cells_have_a_star_before_them_or_a_ring_on_them() -> None:
    assert "│ .*1 │\n│*2 9 │" in marked(color=False)
    assert "│  ()│\n│()  │" in marked(color=True)


def test_the_title_of_a_row_that_failed_is_red() -> None:
    row = PanelRow((), "a = f(I)", Caption("raised", Mark.ERROR))
    assert "\x1b[1;31ma = f(I)" in render_text(Scene("", (row,)), 80, color=True)


def test_few_colours_carry_digits() -> None:
    console = Console(file=StringIO(), force_terminal=True, color_system="standard", width=40, no_color=False)
    with console.capture() as capture:
        console.print(terminal(value_scene(GRID)))
    assert "│2 9 │" in plain(capture.get())


def test_no_color_is_honoured() -> None:
    console = Console(file=StringIO(), force_terminal=True, color_system="truecolor", width=40, no_color=True)
    with console.capture() as capture:
        console.print(terminal(value_scene(GRID)))
    assert "│ 2 9 │" in plain(capture.get())


def test_markup_in_titles_is_text() -> None:
    assert render_text(value_scene(1, "[bold]x[/bold]")) == "[bold]x[/bold]\n1\n"
