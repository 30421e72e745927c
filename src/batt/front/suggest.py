"""Suggest a word of the language for an unknown name."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache, lru_cache

from batt.front import dialect
from batt.ops import CONSTANTS, OPS


@cache
def _language() -> Mapping[str, list[str]]:
    """Return the names of the language by their first letter."""
    found: dict[str, list[str]] = {}
    for name in (*OPS, *CONSTANTS, *dialect.WORDS):
        found.setdefault(name[0], []).append(name)
    return found


@lru_cache(maxsize=4096)
def suggestion(name: str) -> str:
    """Return the end of a message about the undefined `name`: a similar name of the language, or nothing."""
    near = _language().get(name[0], [])
    if name.endswith(dialect.SUFFIXES):
        # `sfitler_f` is close to `sfilter_f`, which is in no list.
        close = get_close_matches(name[:-2], [each for each in near if each in OPS], n=1, cutoff=0.75)
        if close:
            return f"; did you mean {close[0] + name[-2:]!r}?"
    close = get_close_matches(name, near, n=1, cutoff=0.75)
    return f"; did you mean {close[0]!r}?" if close else ""
