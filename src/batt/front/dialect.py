"""The second dialect as a table: its words and constants in terms of the 160 primitives.

A word is another name of a primitive or of another word, or a definition written in the language itself. A word with a
literal rank (`F0`, `L1`, `A4`) is replaced by the primitive that the rank selects.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from batt.ops import OPS

SUFFIXES = ("_t", "_f", "_i", "_o")
"""`NAME_t` is the primitive NAME for a tuple or grid, `_f` for a set, `_i` for indices, `_o` for an object."""

_COLOURS = ("BLACK", "BLUE", "RED", "GREEN", "YELLOW", "GREY", "FUCHSIA", "ORANGE", "TEAL", "BURGUNDY")
_OTHER_COLOURS = {"GRAY": 5, "MAGENTA": 6, "PINK": 6, "CYAN": 8, "AZURE": 8, "BROWN": 9, "MAROON": 9}

CONSTANTS: Mapping[str, int] = {
    **{f"{letter}{rank}": rank for letter in "FRA" for rank in range(10)},
    **{f"L{rank}": -rank for rank in range(1, 11)},
    **{name: colour for colour, name in enumerate(_COLOURS)},
    **_OTHER_COLOURS,
}

ALIASES: Mapping[str, str] = {
    **{f"{name}{suffix}": name for name in OPS for suffix in SUFFIXES},
    **{f"get_{kind}_rank{suffix}": f"get_{kind}_rank" for kind in ("arg", "val", "common") for suffix in ("_t", "_f")},
    "difference_tuple": "difference",
    "f_ofcolor": "ofcolor",
    "get_color_rank_f": "get_color_rank_t",
    "get_nth_t": "get_nth_f",
    "p_f": "p_g",
}

DEFINITIONS = '''
def o_g(grid, r):
    """The objects of a grid: of one colour, diagonal, without background, as bits 2, 1 and 0 of r say."""
    return objects(grid, flip(even(halve(halve(r)))), flip(even(halve(r))), flip(even(r)))

def o_g_t(grid, r):
    """The same as a tuple."""
    return totuple(objects(grid, flip(even(halve(halve(r)))), flip(even(halve(r))), flip(even(r))))

def p_g(element):
    """The colours as a tuple, ascending."""
    return totuple(palette(element))

def second(container):
    """The second item, in order: of a tuple as the one row of a grid, the column 1."""
    x1 = totuple(container)
    x2 = crop((x1,), RIGHT, UNITY)
    return first(first(x2))

def get_nth_f(container, rank):
    """The item at a rank, in order; a negative rank counts from the end."""
    x1 = totuple(container)
    x2 = size(x1)
    x3 = greater(ZERO, rank)
    x4 = branch(x3, add(rank, x2), rank)
    x5 = branch(greater(ZERO, x4), x2, x4)
    x6 = crop((x1,), (ZERO, x5), UNITY)
    x7 = branch(x3, last, first)
    return x7(first(x6))

def get_arg_rank(container, function, rank):
    """The item at a rank when ordered by a key, descending.

    Items of equal keys stay in order from either end: ranks from the front count from the back of an ascending order
    that began upside down.
    """
    x1 = totuple(container)
    x2 = size(x1)
    x3 = greater(ZERO, rank)
    x4 = order(branch(x3, x1, hmirror(x1)), function)
    x5 = subtract(branch(x3, NEG_ONE, decrement(x2)), rank)
    x6 = branch(greater(ZERO, x5), x2, x5)
    x7 = crop((x4,), (ZERO, x6), UNITY)
    return last(first(x7))

def get_val_rank(container, function, rank):
    """The key at a rank, descending; an empty container is taken to hold a 0, as by valmax."""
    x1 = branch(size(container), totuple(container), (ZERO,))
    x2 = size(x1)
    x3 = greater(ZERO, rank)
    x4 = order(branch(x3, x1, hmirror(x1)), function)
    x5 = subtract(branch(x3, NEG_ONE, decrement(x2)), rank)
    x6 = branch(greater(ZERO, x5), x2, x5)
    x7 = crop((x4,), (ZERO, x6), UNITY)
    return function(last(first(x7)))

def get_rank(container, rank):
    """The integer at a rank, descending; an empty container is taken to hold a 0, as by maximum."""
    x1 = branch(size(container), totuple(container), (ZERO,))
    x2 = size(x1)
    x3 = branch(greater(ZERO, rank), NEG_ONE, decrement(x2))
    x4 = subtract(x3, rank)
    x5 = branch(greater(ZERO, x4), x2, x4)
    x6 = crop((order(x1, identity),), (ZERO, x5), UNITY)
    return last(first(x6))

def get_color_rank_t(element, rank):
    """The colour at a rank by how often it occurs."""
    x1 = totuple(palette(element))
    x2 = size(x1)
    x3 = greater(ZERO, rank)
    x4 = order(branch(x3, x1, hmirror(x1)), lbind(colorcount, element))
    x5 = subtract(branch(x3, NEG_ONE, decrement(x2)), rank)
    x6 = branch(greater(ZERO, x5), x2, x5)
    x7 = crop((x4,), (ZERO, x6), UNITY)
    return last(first(x7))

def get_common_rank(container, rank):
    """The item at a rank by how often it occurs."""
    x0 = totuple(container)
    x1 = totuple(combine(remove(ZERO, initset(ZERO)), x0))
    x2 = size(x1)
    x3 = greater(ZERO, rank)
    x4 = chain(size, lbind(sfilter, x0), lbind(matcher, identity))
    x5 = order(branch(x3, x1, hmirror(x1)), x4)
    x6 = subtract(branch(x3, NEG_ONE, decrement(x2)), rank)
    x7 = branch(greater(ZERO, x6), x2, x6)
    x8 = crop((x5,), (ZERO, x7), UNITY)
    return last(first(x8))

def c_iz(S, function):
    """What a function collects from the inputs of the demonstrations and not from their outputs."""
    x1 = dedupe(mapply(function, apply(first, S)))
    x2 = dedupe(mapply(function, apply(last, S)))
    return difference(x1, x2)

def c_zo(S, function):
    """What a function collects from the outputs of the demonstrations and not from their inputs."""
    x1 = dedupe(mapply(function, apply(first, S)))
    x2 = dedupe(mapply(function, apply(last, S)))
    return difference(x2, x1)

def a_mr(S):
    """The number of the first mirror or turn that makes every output from its input, else None."""
    x1 = apply(last, S)
    x2 = apply(first, S)
    x = branch(equality(x2, x1), SEVEN, None)
    x = branch(equality(apply(rot270, x2), x1), SIX, x)
    x = branch(equality(apply(rot180, x2), x1), FIVE, x)
    x = branch(equality(apply(rot90, x2), x1), FOUR, x)
    x = branch(equality(apply(cmirror, x2), x1), THREE, x)
    x = branch(equality(apply(vmirror, x2), x1), TWO, x)
    x = branch(equality(apply(dmirror, x2), x1), ONE, x)
    return branch(equality(apply(hmirror, x2), x1), ZERO, x)

def ascell(place, colour):
    """The cell of a colour at a place."""
    return (colour, place)

def toij(cell):
    """The place of a cell."""
    return last(cell)

def celltuple(places, colours):
    """The cells of places and colours side by side."""
    return pair(colours, places)
'''
"""Words that are not a single primitive. Each uses primitives alone, so that a solver's source can include it."""

_MIRRORS = ("hmirror", "dmirror", "vmirror", "cmirror", "rot90", "rot180", "rot270", "identity")
PICKING: Mapping[str, tuple[str, ...]] = {
    "mir_rot_t": _MIRRORS,
    "mir_rot_f": _MIRRORS[:4],
    "corner": ("ulcorner", "urcorner", "llcorner", "lrcorner"),
    "col_row": ("lowermost", "uppermost", "leftmost", "rightmost"),
}
"""Words with two arguments, a piece and a number, and the primitives that the numbers 0, 1, … select."""


def picking_definition(word: str) -> str:
    """Return the definition of a word that selects a primitive; an unknown number is a ValueError."""
    ops = PICKING[word]
    told = ", ".join([f"{n} {name}" for n, name in enumerate(ops)])
    lines = [
        f"def {word}(piece, number):",
        f'    """By number: {told}."""',
        "    x = compose(last, rbind(repeat, ZERO))",
    ]
    lines += [f"    x = branch(equality(number, {n}), {ops[n]}, x)" for n in reversed(range(len(ops)))]
    return "\n".join([*lines, "    return x(piece)"])


WORDS = (
    *re.findall(r"^def (\w+)", DEFINITIONS, re.MULTILINE),
    *PICKING,
    *[each for each in ALIASES if each[:-2] not in OPS],
)
"""Every word that is not a primitive with a suffix."""

_ENDS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "get_nth_f": (("first",), ("last",)),
    "get_arg_rank": (("argmax",), ("argmin",)),
    "get_val_rank": (("valmax",), ("valmin",)),
    "get_rank": (("maximum",), ("minimum",)),
    "get_color_rank_t": (("mostcolor",), ("leastcolor",)),
    "get_common_rank": (("totuple", "mostcommon"), ("totuple", "leastcommon")),
}

AT_RANK: Mapping[tuple[str, int], tuple[str, ...]] = {
    **{(word, 0): front for word, (front, _) in _ENDS.items()},
    **{(word, -1): back for word, (_, back) in _ENDS.items()},
    **{(word, number): (name,) for word, ops in PICKING.items() for number, name in enumerate(ops)},
}
"""The primitives that a word with this last argument becomes, each applied to the result of the one before."""

WITH_FLAGS: Mapping[str, tuple[str, ...]] = {"o_g": ("objects",), "o_g_t": ("objects", "totuple")}
"""Words whose last argument holds three flags, and the primitives that take the flags one by one."""


def flags_of(r: int) -> tuple[bool, bool, bool]:
    """Return the flags univalued, diagonal, without background: bits 2, 1 and 0."""
    return bool(r >> 2 & 1), bool(r >> 1 & 1), bool(r & 1)
