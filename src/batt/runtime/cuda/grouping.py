"""Choose which evaluations of a block a launch runs, and the row of each.

Evaluations of one slice are neighbours, in groups that take the same path through the same code. If values are staged,
a block is cut between samples, so that each sample is staged once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from batt.runtime.evaluations import Block, Integers

GROUP = 256
"""Neighbouring evaluations of one slice in a launch of threads."""


@dataclass(frozen=True, slots=True)
class Placement:
    """The evaluations of a block that a launch runs, and the rest of the block, both in the block's order.

    `rows` has the row of each that it runs, and `slices` the slice of each group of `size` rows. `numbers` has the
    sample of each, or if values are staged for `samples`, the position of its sample among those.
    """

    ran: Block
    rest: Block
    rows: Integers
    slices: Integers
    size: int
    numbers: Integers
    samples: Integers

    @property
    def count(self) -> int:
        """Return the number of rows, including those without an evaluation."""
        return self.size * len(self.slices)


def grouped(slices: Integers, most: int, size: int = GROUP) -> tuple[Integers, Integers]:
    """Group evaluations by their `slices`, in order. Return the row of each that fits, and the slice of each group.

    There are at most `most` rows. Neighbours of one slice share groups of `size` rows, and each change of the slice
    begins a group: sorted slices need the fewest.
    """
    starts = np.flatnonzero(np.diff(slices, prepend=-1))
    lengths = np.diff(starts, append=len(slices))
    groups = -(-lengths // size)
    first_rows = size * (np.cumsum(groups) - groups)
    rows = np.arange(len(slices)) + np.repeat(first_rows - starts, lengths)
    fitting = rows[: np.searchsorted(rows, most // size * size)]
    used = int(fitting[-1]) // size + 1 if len(fitting) else 0
    return fitting, np.repeat(slices[starts], groups)[:used]


def in_order(block: Block, slices: Integers, most: int, size: int) -> Placement:
    """Place the first evaluations of a block, in their order, in at most `most` rows."""
    rows, groups = grouped(slices, most, size)
    done = len(rows)
    return Placement(block[:done], block[done:], rows, groups, size, block.samples[:done], np.empty(0, np.int64))


def by_sample(block: Block, slices: Integers, most: int, size: int, most_samples: int, sizes: Integers) -> Placement:
    """Place all evaluations of at most `most_samples` samples of a block, by slice, in at most `most` rows.

    `sizes` are the sizes of all samples. If not even one group of samples fits, place as many evaluations as do.
    """
    is_there = np.zeros(len(sizes), bool)
    is_there[block.samples] = True
    samples = np.flatnonzero(is_there)[:most_samples]
    places = (np.cumsum(is_there) - 1)[block.samples]
    samples = samples[: _fitting(slices, places, len(samples), most, size)]
    chosen = np.flatnonzero(places < len(samples))
    # The largest first: what takes longest to stage begins first.
    by_size = np.argsort(-sizes[samples], kind="stable")
    samples = samples[by_size]
    places = np.argsort(by_size)[places[chosen]]
    order = np.lexsort((places, slices[chosen]))
    fitting, groups = grouped(slices[chosen[order]], most, size)
    rows = np.full(len(block), -1, np.int64)
    rows[chosen[order[: len(fitting)]]] = fitting
    runs = rows >= 0
    return Placement(block[runs], block[~runs], rows[runs], groups, size, places[runs[chosen]], samples)


def _fitting(slices: Integers, places: Integers, samples: int, most: int, size: int) -> int:
    """Count the first samples, in whole groups, whose evaluations fit into `most` rows; at least one."""
    fits, over = 1, -(-samples // size) + 1
    while over - fits > 1:
        middle = (fits + over) // 2
        lengths = np.bincount(slices[places < middle * size])
        if size * int((-(-lengths // size)).sum()) <= most:
            fits = middle
        else:
            over = middle
    return min(samples, fits * size)
