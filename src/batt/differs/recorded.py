"""Scores from the records of a run: the engine has compared every grid with the expected output already."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.differs.measures import Score
from batt.runtime import Equality
from batt.runtime.evaluations import Integers
from batt.runtime.outcome import area

Shape = tuple[int, int]


def _equal(is_equal: bool, differing: int, shape: Shape, wanted: Shape) -> Score:
    return int(not is_equal), (shape, wanted)


def _cells(is_equal: bool, differing: int, shape: Shape, wanted: Shape) -> Score:
    shared = min(shape[0], wanted[0]) * min(shape[1], wanted[1])
    places = area(shape) + area(wanted) - shared
    return differing, (places - differing, places)


RECORDED: Mapping[str, Callable[[bool, int, Shape, Shape], Score]] = {"equal": _equal, "cells": _cells}
"""The built-in measures that can be computed from records, by name; `measures` defines them."""


def recorded_scores(names: Sequence[str], records: npt.NDArray[Any], wanted: Integers) -> list[tuple[Score, ...]]:
    """Score grids by the measures `names`, from their records and the shapes `wanted` of the expected grids."""
    fields = [records["equal"] == Equality.YES, records["differing"], records["height"], records["width"]]
    rows = np.column_stack([*[field.astype(np.int64) for field in fields], wanted])
    # Few rows are distinct; equal rows share one tuple.
    distinct, places = np.unique(rows, axis=0, return_inverse=True)
    made = [
        tuple([RECORDED[name](bool(is_equal), differing, (height, width), (tall, wide)) for name in names])
        for is_equal, differing, height, width, tall, wide in distinct.tolist()
    ]
    return [made[place] for place in places.ravel().tolist()]
