"""Grids of several figures, of which one is the largest."""

import numpy as np

GRIDS = (
    [[0, 0, 0, 0, 0], [0, 1, 1, 0, 3], [0, 1, 0, 0, 3], [0, 0, 0, 0, 0]],
    [[2, 0, 0, 4, 0], [2, 0, 4, 4, 0], [0, 0, 4, 4, 0], [0, 0, 0, 0, 0]],
    [[5, 5, 0, 5, 0], [0, 5, 5, 5, 0], [0, 0, 0, 0, 0], [6, 6, 0, 0, 7]],
    [[8, 0, 7, 0, 0], [8, 8, 0, 0, 0], [0, 8, 0, 1, 1], [0, 0, 0, 0, 0]],
)


def largest(grid):
    array = np.array(grid)
    colour = max(range(1, 10), key=lambda each: (array == each).sum())
    rows, columns = np.nonzero(array == colour)
    return array[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
