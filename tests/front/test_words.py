"""Suggestions for names that are not defined."""

from __future__ import annotations

import pytest

from batt.front.words import suggestion


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("vmiror", "vmirror"),
        ("THREE_BY_TREE", "THREE_BY_THREE"),
        ("sfitler_f", "sfilter_f"),
        ("get_nht_f", "get_nth_f"),
        ("get_arg_ranks", "get_arg_rank"),
        ("recolour_o", "recolor_o"),
        ("second_t", "second"),
        ("frobnicate", None),
        ("x", None),
        ("_t", None),
    ],
)
def test_a_name_close_to_one_of_the_language_is_suggested(name: str, meant: str | None):
    assert suggestion(name) == (f"; did you mean {meant!r}?" if meant else "")
