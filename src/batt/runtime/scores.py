"""Scores beyond equality: how like the expected grid a value is. Native code gives the same numbers.

The background is the most frequent colour of the expected grid, the lowest of several. A table of colours says what
each colour of a value becomes: four bits for each colour 0 … 9, the lowest bits for colour 0, and 15 for a colour that
the value does not have.
"""

from __future__ import annotations

import struct
from collections import Counter
from enum import IntFlag
from itertools import chain
from typing import TYPE_CHECKING, Any

from batt.runtime.outcome import Outcome, Status, shape_of
from batt.runtime.sample import Sample

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

PACKED = struct.Struct("<IIIIQ")
"""The fields of native code's results: right, shown, wanted, likeness, table."""
COLOURS = range(10)
NO_COLOUR = 15
NOTHING = (0, 0, 0, 0, 0)


class Likeness(IntFlag):
    """The likeness of a value and the expected grid."""

    SHAPE = 1
    COUNTS = 2
    TABLE = 4


def score_value(value: Any, expected: Any) -> tuple[int, int, int, int, int]:
    """Return right, shown, wanted, likeness and table of a value.

    `shown` and `wanted` count the cells of the value and of the expected grid outside the background, and `right` those
    that are equal at the same place. `likeness` tells whether the shapes are equal, whether each colour occurs equally
    often, and whether a table of colours turns the value into the expected grid. All are 0 for what is not a grid, and
    all but the shape if a cell is no colour 0 … 9.
    """
    shape, wanted_shape = shape_of(value), shape_of(expected)
    if (0, 0) in (shape, wanted_shape):
        return NOTHING
    likeness = Likeness.SHAPE if shape == wanted_shape else Likeness(0)
    shown, wanted = Counter(chain.from_iterable(value)), Counter(chain.from_iterable(expected))
    if not (shown.keys() | wanted.keys()) <= set(COLOURS):
        return 0, 0, 0, int(likeness), 0
    background = max(COLOURS, key=lambda colour: (wanted[colour], -colour))
    pairs = Counter([pair for rows in zip(value, expected, strict=False) for pair in zip(*rows, strict=False)])
    if shown == wanted:
        likeness |= Likeness.COUNTS
    table = 0
    if likeness & Likeness.SHAPE and len({one for one, _ in pairs}) == len(pairs):
        likeness |= Likeness.TABLE
        becomes = dict(list(pairs))
        table = sum([becomes.get(colour, NO_COLOUR) << 4 * colour for colour in COLOURS])
    right = sum([count for (one, other), count in pairs.items() if one == other != background])
    return (
        right,
        shown.total() - shown[background],
        wanted.total() - wanted[background],
        int(likeness),
        table,
    )


def pack_score(outcome: Outcome, sample: Sample) -> bytes:
    """Pack the scores of one outcome: those of its value, if it has one and the expected output is known."""
    is_scored = outcome.status is Status.OK and sample.expected is not None
    return PACKED.pack(*(score_value(outcome.value, sample.expected) if is_scored else NOTHING))


def score_type() -> np.dtype[Any]:
    """Return the type of scores in NumPy: the fields of `PACKED`."""
    import numpy as np

    fields = [(name, "<u4") for name in ("right", "shown", "wanted", "likeness")]
    return np.dtype([*fields, ("table", "<u8")])


def scores_of(results: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the scores in results of native code."""
    import numpy as np

    made = np.empty(len(results), score_type())
    for name in made.dtype.names or ():
        made[name] = results[name]
    return made


def read_table(number: int) -> dict[int, int]:
    """Return a table of colours: what each colour becomes."""
    found = {colour: number >> 4 * colour & 15 for colour in COLOURS}
    return {colour: becomes for colour, becomes in found.items() if becomes != NO_COLOUR}
