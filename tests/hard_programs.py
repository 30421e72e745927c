"""The machine's hard parts as small programs, and grids for them.

Tagged values, loops in loops whose bodies' results are moved out of released memory, calls whose target differs from
sample to sample, errors in some samples only, and values that need much memory.
"""

from __future__ import annotations

import random
import textwrap

from batt.front import Deck
from batt.runtime import Sample, Split

PROGRAMS = {
    "kinds of value": """
        def solve(I):
            x1 = height(I)
            x2 = astuple(x1, ORIGIN)
            x3 = astuple(I, x2)
            x4 = insert(x3, initset(x1))
            x5 = insert(index(I, (30, 30)), x4)
            return combine(x5, palette(I))
        """,
    "loops in loops": """
        def solve(I):
            x1 = objects(I, T, T, F)
            x2 = lbind(apply, lbind(astuple, 3))
            x3 = compose(x2, toindices)
            x4 = apply(x3, x1)
            x5 = compose(rbind(mapply, x1), lbind(rbind, shift))
            x6 = corners(asindices(I))
            x7 = apply(x5, totuple(x6))
            x8 = apply(compose(rbind(apply, x6), lbind(rbind, astuple)), x7)
            return astuple(x4, x8)
        """,
    "targets by data": """
        def solve(I):
            x1 = astuple(vmirror, compose(hmirror, vmirror))
            x2 = repeat(rot90, 1)
            x3 = combine(x1, x2)
            x4 = combine(x3, repeat(fork(vconcat, identity, hmirror), 1))
            x5 = subtract(height(I), multiply(4, divide(height(I), 4)))
            x6 = interval(0, 4, 1)
            x7 = pair(x6, x4)
            x8 = extract(x7, matcher(first, x5))
            x9 = last(x8)
            return x9(I)
        """,
    "errors in some": """
        def solve(I):
            x1 = objects(I, T, F, T)
            x2 = sfilter(x1, matcher(size, 1))
            x3 = first(x2)
            x4 = compose(first, rbind(sfilter, even))
            x5 = apply(x4, I)
            return astuple(x3, x5)
        """,
    "much memory": """
        def solve(I):
            x1 = asindices(I)
            x2 = product(palette(I), x1)
            x3 = mapply(neighbors, x1)
            x4 = apply(lbind(recolor, 3), apply(neighbors, x1))
            return astuple(size(x2), astuple(x3, size(merge(x4))))
        """,
}


def deck() -> Deck:
    """A solver for each program."""
    named = {title.replace(" ", "_"): text for title, text in PROGRAMS.items()}
    return Deck.from_sources(
        {name: textwrap.dedent(text).replace("def solve(", f"def {name}(") for name, text in named.items()}
    )


def samples(count: int) -> tuple[Sample, ...]:
    """Samples with grids of all sizes, calm and mixed ones."""
    rng = random.Random(5)
    found = []
    for _ in range(count):
        height, width = rng.randint(1, 30), rng.randint(1, 30)
        colours, calm = rng.sample(range(10), rng.randint(1, 5)), rng.random()
        rows = [
            tuple([colours[0] if rng.random() < calm else rng.choice(colours) for _ in range(width)])
            for _ in range(height)
        ]
        found.append(tuple(rows))
    return tuple([Sample(str(number), Split.TRAIN, 0, (), grid, None) for number, grid in enumerate(found)])
