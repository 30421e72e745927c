"""Find the evaluations of a run that are still to be run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.runtime import Status
from batt.runtime.evaluations import Evaluations

AT_ONCE = 1 << 22
"""The evaluations that are looked through at once, and run at once where only some of them are left."""


def remaining(span: Evaluations, records: npt.NDArray[Any], at_once: int = AT_ONCE) -> Iterator[Evaluations]:
    """Yield the evaluations of `span` without a record, in parts: ranges of samples that nobody began stay whole."""
    if not span.is_product:
        yield from _left(span, records)
        return
    step, count = max(1, at_once // max(1, span.solvers)), len(span.samples)
    begun = 0
    for start in range(0, count, step):
        part = span.on_samples(span.samples[start : start + step], start)
        left = list(_left(part, records))
        if left and left[0].total == part.total:
            continue
        if begun < start:
            yield span.on_samples(span.samples[begun:start], begun)
        yield from left
        begun = start + step
    if begun < count:
        yield span.on_samples(span.samples[begun:], begun) if begun else span


def _left(part: Evaluations, records: npt.NDArray[Any]) -> Iterator[Evaluations]:
    numbers = np.arange(part.total)
    left = np.flatnonzero(records["status"][part.in_whole(numbers)] == Status.NOT_RUN)
    if len(left):
        yield part if len(left) == part.total else part.part(left)
