"""Texts of a scene are cut to the room there is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from batt.draw.scene import many_lines, one_line


@given(st.text(), st.integers(4, 40), st.integers(1, 5))
def test_lines_fit_and_are_printable(text: str, columns: int, limit: int) -> None:
    lines = many_lines(text, columns, limit)
    assert len(lines) <= limit
    for line in [*lines, one_line(text, columns)]:
        assert len(line) <= columns
        assert line.isprintable()


def test_indents_are_kept() -> None:
    assert many_lines("a(b, c)\n     ^", 40, 4) == ["a(b, c)", "     ^"]


def test_what_is_cut_ends_in_an_ellipsis() -> None:
    assert one_line("abcdef", 4) == "abc…"
    assert many_lines("one two three four five", 9, 2) == ["one two", "three …"]
    assert many_lines("one\ntwo\nthree", 9, 2) == ["one", "two …"]
