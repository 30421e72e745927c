"""Outputs that any process can read: helpers and own ops are written as their printed forms, not as numbers."""

from __future__ import annotations

import numpy as np

from batt.bytecode.table import STANDARD
from batt.bytecode.wire import HELPER, OP, Cut, read_value
from batt.jobs.texts import PrintedFunction
from batt.runtime.outputs import PackedOutputs
from batt.types.digest import encode


def portable(outputs: PackedOutputs) -> list[bytes]:
    """Return the wire bytes of outputs. They have no functions by number but the ops of the language."""
    found = outputs.wires
    tags = [HELPER] if outputs.functions.table is STANDARD else [HELPER, OP]
    # A byte that only looks like a tag does no harm: the value is then written again.
    before = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.isin(outputs.data, tags))])
    for place in np.flatnonzero(before[outputs.ends] > before[outputs.starts]).tolist():
        try:
            value = read_value(found[place], outputs.functions.helpers, outputs.functions.table, PrintedFunction)
            found[place] = encode(value)
        except Cut:
            continue
    return found
