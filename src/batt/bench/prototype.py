"""The four programs that the prototype of the native engine was measured with, as solvers of the language."""

from __future__ import annotations

from batt.front import Deck

_SOURCES = {
    "solve_p1": """
def solve_p1(I):
    x1 = objects(I, T, F, T)
    x2 = argmax(x1, size)
    O = subgrid(x2, I)
    return O
""",
    "solve_p2": """
def solve_p2(I):
    x1 = objects(I, T, T, T)
    x2 = fork(equality, height, width)
    x3 = mfilter(x1, x2)
    O = fill(I, THREE, x3)
    return O
""",
    "solve_p3": """
def solve_p3(I):
    x1 = objects(I, T, F, F)
    x2 = colorfilter(x1, ZERO)
    x3 = rbind(bordering, I)
    x4 = compose(flip, x3)
    x5 = mfilter(x2, x4)
    O = fill(I, FOUR, x5)
    return O
""",
    "solve_p4": """
def solve_p4(I):
    x1 = hmirror(I)
    x2 = rot90(I)
    x3 = rot90(x2)
    x4 = hconcat(x1, x3)
    x5 = vmirror(x4)
    x6 = replace(x5, ZERO, FIVE)
    O = upscale(x6, TWO)
    return O
""",
}


def prototype_deck() -> Deck:
    """The four as a deck."""
    return Deck.from_sources(_SOURCES)
