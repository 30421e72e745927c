"""How places are named and lines are shown."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from batt.source import SHOWN_COLUMNS, Place, did_you_mean, excerpt, visible


def test_a_place_is_written_file_line_column():
    assert str(Place("solvers.py", 41, 9)) == "solvers.py:41:9"


def test_the_caret_stands_under_the_column():
    assert excerpt("O = upscale(I, I)\n", 16) == "    O = upscale(I, I)\n                   ^"


def test_a_caret_may_stand_just_after_the_line():
    assert excerpt("def f(I):", 10) == "    def f(I):\n             ^"


def test_a_tab_takes_one_column():
    assert excerpt("\tx = y", 6) == "     x = y\n         ^"


def test_columns_count_characters():
    assert excerpt("é = ñ", 5) == "    é = ñ\n        ^"


def test_what_a_terminal_would_obey_is_shown_as_spaces():
    assert excerpt("a\x1b[2Jb\0c\ud800d", 7) == "    a [2Jb c d\n          ^"


def test_what_a_terminal_would_obey_can_be_written_out():
    assert visible("a\x1b[2Jb\r\u202e\x9bc é") == r"a\x1b[2Jb\r\u202e\x9bc é"


def test_a_line_of_the_shown_width_is_shown_whole():
    line = "x" * SHOWN_COLUMNS
    assert excerpt(line, 1).split("\n")[0] == f"    {line}"


def test_the_start_of_a_long_line_is_cut_at_its_right():
    shown, caret = excerpt("abc" + "x" * 1000, 2).split("\n")
    assert shown == "    abc" + "x" * (SHOWN_COLUMNS - 3) + "…"
    assert caret == "     ^"


def test_the_end_of_a_long_line_is_cut_at_its_left():
    shown, caret = excerpt("x" * 1000 + "abc", 1001).split("\n")
    assert shown == "    …" + "x" * (SHOWN_COLUMNS - 3) + "abc"
    assert shown[len(caret) - 1] == "a"


def test_the_middle_of_a_long_line_is_cut_on_both_sides():
    shown, caret = excerpt("x" * 500 + "!" + "y" * 500, 501).split("\n")
    assert shown.startswith("    …x")
    assert shown.endswith("y…")
    assert shown[len(caret) - 1] == "!"


@given(st.text(st.characters(categories=("L", "N", "P", "Zs")), min_size=1, max_size=300), st.data())
def test_the_caret_is_always_under_the_character_that_it_means(line: str, data: st.DataObject):
    column = data.draw(st.integers(1, len(line)))
    shown, caret = excerpt(line, column).split("\n")
    meant = line[column - 1]
    assert shown[len(caret) - 1] == (meant if meant.isprintable() else " ")
    assert len(shown) <= 4 + SHOWN_COLUMNS + 2


def test_a_message_suggests_up_to_three_close_words():
    assert did_you_mean("vmiror", ["vmirror", "hmirror", "fill"]) == "; did you mean vmirror or hmirror?"
    assert did_you_mean("zzz", ["vmirror"]) == ""
