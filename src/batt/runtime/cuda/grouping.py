"""How evaluations stand in a launch: which of a block are in it, and the row of each.

Those of one slice stand side by side, in groups that take the same path through the same code. Where values are staged
for samples, a block is cut between samples, so that each sample is staged once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from batt.runtime.evaluations import Block, Integers

GROUP = 256
"""Evaluations of one slice that stand side by side where each has a lane of its own."""


@dataclass(frozen=True, slots=True)
class Grouping:
    """Where evaluations stand in a launch: the row of each, and the slice that each group of rows runs."""

    rows: Integers
    slices: Integers
    size: int

    @property
    def count(self) -> int:
        """Rows in all, those without an evaluation included."""
        return self.size * len(self.slices)


def grouped(slices: Integers, most: int, size: int = GROUP) -> Grouping:
    """Group the first of these evaluations by their slices, as many as fit into `most` rows.

    Neighbours of the same slice stand side by side, and each slice begins a group: sorted ones need the fewest rows.
    """
    starts = np.flatnonzero(np.diff(slices, prepend=-1))
    lengths = np.diff(starts, append=len(slices))
    groups = -(-lengths // size)
    first_rows = size * (np.cumsum(groups) - groups)
    rows = np.arange(len(slices)) + np.repeat(first_rows - starts, lengths)
    fitting = rows[: np.searchsorted(rows, most // size * size)]
    used = int(fitting[-1]) // size + 1 if len(fitting) else 0
    return Grouping(fitting, np.repeat(slices[starts], groups)[:used], size)


@dataclass(frozen=True, slots=True)
class Standing:
    """The evaluations of a block that a launch runs, and the rest of it, both in the block's order.

    `grouping` has the row of each that it runs, `numbers` its sample; or where values
    are staged for `samples`, the place of its sample among those.
    """

    ran: Block
    rest: Block
    grouping: Grouping
    numbers: Integers
    samples: Integers


def in_order(block: Block, slices: Integers, most: int, size: int) -> Standing:
    """Take the first evaluations of a block, as they come, in at most `most` rows."""
    grouping = grouped(slices, most, size)
    done = len(grouping.rows)
    return Standing(block[:done], block[done:], grouping, block.samples[:done], np.empty(0, np.int64))


def by_sample(block: Block, slices: Integers, most: int, size: int, most_samples: int, sizes: Integers) -> Standing:
    """Take all evaluations of some samples of a block, by slice, in at most `most` rows; `sizes` are of all samples.

    Where not even a group of samples fits whole, it is as many of their evaluations as fit.
    """
    is_there = np.zeros(len(sizes), bool)
    is_there[block.samples] = True
    samples = np.flatnonzero(is_there)[:most_samples]
    places = (np.cumsum(is_there) - 1)[block.samples]
    samples = samples[: _fitting(slices, places, len(samples), most, size)]
    chosen = np.flatnonzero(places < len(samples))
    # The largest first: what takes longest to stage begins first.
    samples, place_of = _largest_first(samples, sizes)
    places = place_of[places[chosen]]
    order = np.lexsort((places, slices[chosen]))
    grouping = grouped(slices[chosen[order]], most, size)
    rows = np.full(len(block), -1, np.int64)
    rows[chosen[order[: len(grouping.rows)]]] = grouping.rows
    runs = rows >= 0
    return Standing(
        block[runs],
        block[~runs],
        Grouping(rows[runs], grouping.slices, size),
        places[runs[chosen]],
        samples,
    )


def _largest_first(samples: Integers, sizes: Integers) -> tuple[Integers, Integers]:
    """Samples by descending size, and where each of those given is among them."""
    order = np.argsort(-sizes[samples], kind="stable")
    place_of = np.empty(len(samples), np.int64)
    place_of[order] = np.arange(len(samples))
    return samples[order], place_of


def _fitting(slices: Integers, places: Integers, samples: int, most: int, size: int) -> int:
    """Count the samples, in whole groups from the first on, that fit into `most` rows; at least one."""
    fits, over = 1, -(-samples // size) + 1
    while over - fits > 1:
        middle = (fits + over) // 2
        lengths = np.bincount(slices[places < middle * size])
        if size * int((-(-lengths // size)).sum()) <= most:
            fits = middle
        else:
            over = middle
    return min(samples, fits * size)
