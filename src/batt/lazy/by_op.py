"""Run the columns of a batch op by op: one call of native code for each recorded step, over all samples.

A column has the outcome of its program: the first error in the order of recording, within one budget for all its steps.
What this cannot decide exactly, such as a budget that is nearly used up, is left to programs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from batt.errors import UsageError
from batt.ir import Literal
from batt.jobs.values import failure
from batt.lazy.nodes import AfterNode, Argument, CallNode, GivenNode, needed
from batt.ops import Op
from batt.runtime import Limits, Status
from batt.runtime.options import Options
from batt.states import DeviceColumn, OpColumn, OpenEngine, open_engine
from batt.states.columns import column_of_values

LEAST_STEPS = 10_000_000
"""The smallest budget with which columns run op by op: reading several inputs takes steps of a program, too."""


def values_by_op(
    nodes: Sequence[CallNode | AfterNode], options: Options, tell: Callable[[str], object] = lambda line: None
) -> list[list[Any]] | None:
    """Return the values of each node, or None if programs have to run. `tell` gets the notes of the engine."""
    limits = options.limits
    steps = {node.number: needed(node)[1] for node in nodes}
    calls = {each.number: each for found in steps.values() for each in found}
    if limits.steps < LEAST_STEPS or not all(_is_plain(each) for each in calls.values()):
        return None
    with open_engine(options) as engine:
        columns = _computed(engine, [calls[number] for number in sorted(calls)])
        found = [None if columns is None else _values(node, steps[node.number], columns, limits) for node in nodes]
        for line in engine.notes:
            tell(line)
    return None if any(each is None for each in found) else [each for each in found if each is not None]


def _is_plain(call: CallNode) -> bool:
    """Tell whether a step calls an op with the right number of arguments."""
    callee = call.callee
    return isinstance(callee, Literal) and isinstance(callee.value, Op) and callee.value.arity == len(call.args)


def _computed(engine: OpenEngine, calls: Sequence[CallNode]) -> dict[int, OpColumn | DeviceColumn] | None:
    """Return the column of each call by its number; None if native code defers a row."""
    columns: dict[int, OpColumn | DeviceColumn] = {}

    def column(arg: Argument) -> OpColumn | DeviceColumn:
        while isinstance(arg, AfterNode):
            arg = arg.value
        if isinstance(arg, Literal):
            return column_of_values([arg.value])
        if isinstance(arg, GivenNode) and arg.number not in columns:
            columns[arg.number] = column_of_values(arg.values)
        return columns[arg.number]

    for call in calls:
        assert isinstance(call.callee, Literal)
        try:
            made = engine.columns(call.callee.value, *[column(arg) for arg in call.args], defer=False)
        except UsageError:
            # A value that native code does not hold.
            return None
        if not np.isin(made.results["status"], (Status.OK, Status.RAISED)).all():
            return None
        columns[call.number] = made
    return columns


def _values(
    node: CallNode | AfterNode, calls: Sequence[CallNode], columns: dict[int, OpColumn | DeviceColumn], limits: Limits
) -> list[Any] | None:
    """Return the values of a node, or a Failed for each sample with an error; None if its budget may be used up."""
    rows = node.length or 1
    spent, failed = np.zeros(rows, np.int64), np.full(rows, None, object)
    for call in calls:
        results = columns[call.number].results
        spent += results["steps"].astype(np.int64)
        for row in np.flatnonzero(results["status"]).tolist():
            places = range(rows) if len(results) == 1 else [row]
            for place in places:
                if failed[place] is None:
                    failed[place] = failure(Status(results["status"][row]), int(results["error"][row]))
    if int(spent.max(initial=0)) > limits.steps // 2:
        return None
    values = _own_values(node, columns, rows)
    return [value if why is None else why for value, why in zip(values, failed.tolist(), strict=True)]


def _own_values(node: CallNode | AfterNode, columns: dict[int, OpColumn | DeviceColumn], rows: int) -> Sequence[Any]:
    value: Argument = node
    while isinstance(value, AfterNode):
        value = value.value
    if isinstance(value, Literal):
        return [value.value] * rows
    found = value.values if isinstance(value, GivenNode) else columns[value.number].values
    return list(found) * rows if len(found) == 1 else found
