"""The words of the second dialect that the legacy names use, as functions. The table of words is elsewhere."""

from __future__ import annotations

from functools import cache

from batt.front.dialect import ALIASES, DEFINITIONS
from batt.front.module import Module, read_module
from batt.ir import Helper
from batt.ops import OPS
from batt.types import Function


def function(word: str) -> Function:
    """A word of the second dialect as a function of the language."""
    if word in ALIASES:
        return OPS[ALIASES[word]]
    return Helper(word, _table().definitions[word].program)


@cache
def _table() -> Module:
    return read_module(DEFINITIONS, "dialect")


O_G, P_G, SECOND, DIFFERENCE_TUPLE = map(function, ("o_g", "p_g", "second", "difference_tuple"))
