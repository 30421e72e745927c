"""Early exit: a solver on a task stops at the first demonstration that it does not get right.

A run takes the demonstrations in rounds: the first ones of all tasks, then the second ones for the solvers that got the
first right, and so on, at last the test pairs. So every engine skips the same evaluations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.bytecode.abi import Equality
from batt.jobs.samples import keys_of
from batt.runtime.evaluations import Evaluations, Integers


def rounds(span: Evaluations, records: npt.NDArray[Any], skip: Callable[[Integers], None]) -> Iterator[Evaluations]:
    """Yield the evaluations of a span, round by round, and call `skip` with the numbers of those that are skipped.

    `records` are those of the whole run. The caller runs each round before it takes the next.
    """
    keys = keys_of(span.samples)
    solvers, samples = span.columns()
    in_whole = span.in_whole(np.arange(span.total))
    groups = solvers * len(keys.ids) + keys.task_of[samples]
    is_out = np.zeros(span.solvers * len(keys.ids), bool)
    # All test pairs are one round after the last demonstration.
    last = int(keys.index_of.max(initial=0)) + 1
    round_of = np.where(keys.is_train, keys.index_of, last)[samples]
    for each in np.unique(round_of).tolist():
        places = np.flatnonzero(round_of == each)
        skipped = is_out[groups[places]]
        if skipped.any():
            skip(in_whole[places[skipped]])
        places = places[~skipped]
        if len(places):
            yield span.part(places)
            is_unequal = records["equal"][in_whole[places]] == Equality.NO
            is_out[groups[places[is_unequal]]] = True
