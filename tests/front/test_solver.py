"""A solver's idea is the first line of its docstring."""

from __future__ import annotations

import pytest

from batt.front import Deck


@pytest.mark.parametrize(
    ("body", "idea"),
    [
        ('"""Mirror it."""\n    return vmirror(I)', "Mirror it."),
        ('"""\n    Mirror it.\n\n    Then stop.\n    """\n    return vmirror(I)', "Mirror it."),
        ("'a\\x1bb'\n    return vmirror(I)", "a b"),
        ("return vmirror(I)", ""),
        ("# 'no docstring'\n    return vmirror(I)", ""),
    ],
)
def test_the_idea_is_the_first_line_of_the_docstring(body: str, idea: str):
    assert Deck.from_sources({"solve_a": f"def solve_a(I):\n    {body}\n"})["solve_a"].idea == idea
