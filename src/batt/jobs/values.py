"""Convert values between a caller and an engine: what a caller may pass, and how outputs are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from batt.bytecode.wire import Cut, read_grid, read_value
from batt.errors import UsageError
from batt.runtime import ERROR_KINDS, Status
from batt.runtime.outputs import NO_FUNCTIONS, Functions
from batt.types import Function, OrderedSet

TOO_LARGE = "too_large"
"""The kind of failure of a value that is too large or too deep to be handed over."""

_INTS = {int, bool}


@dataclass(frozen=True, slots=True)
class Failed:
    """Takes the place of a missing value: the kind of error, and the op if it is known.

    The kind is that of the error (`IndexError`), or `over_budget`, `timed_out` or `too_large`. It equals no value.
    """

    kind: str
    op: str = ""

    def __repr__(self) -> str:
        return f"<Failed {self.kind}{f' in {self.op}' if self.op else ''}>"


def failure(status: Status, error: int) -> Failed:
    """Return the Failed for an evaluation without a value, by its status and the number of its error."""
    return Failed(ERROR_KINDS[error] if status is Status.RAISED else status.word)


def as_value(given: Any) -> Any:
    """Return `given` as a value of the language: lists and arrays become tuples. Raise UsageError for what is none."""
    try:
        return _as_value(given)
    except RecursionError:
        raise UsageError("a value is nested too deeply, or contains itself") from None


def _as_value(given: Any) -> Any:
    if _is_rectangle(given) or given is None or isinstance(given, Function) or type(given) in _INTS:
        return given
    if isinstance(given, np.ndarray | np.generic):
        return _as_value(given.tolist())
    if isinstance(given, tuple | list):
        return tuple([_as_value(item) for item in given])
    if isinstance(given, set | frozenset):
        return OrderedSet([_as_value(item) for item in given])
    if isinstance(given, int):
        return int(given)
    shown = repr(given)
    shown = shown if len(shown) <= 60 else f"{shown[:59]}…"
    raise UsageError(
        f"not a value of the language: {shown} ({type(given).__name__}); "
        "it has ints, None, tuples, sets and the functions of batt.dsl"
    )


def read_output(wire: bytes, functions: Functions = NO_FUNCTIONS) -> Any:
    """Return the value of an output; a Failed if it was too large or too deep to be handed over.

    >>> read_output(bytes([242, 1, 0, 0, 0, 242, 2, 0, 0, 0, 7, 8]))
    ((7, 8),)
    """
    grid = read_grid(wire)
    if grid is not None:
        return grid
    try:
        return read_value(wire, functions.helpers, functions.table)
    except Cut:
        return Failed(TOO_LARGE)


def values_of(records: npt.NDArray[Any], wires: Sequence[bytes], functions: Sequence[Functions]) -> list[Any]:
    """Return the value of every evaluation, or a Failed."""
    # Equal outputs are read once: values are immutable.
    read: dict[tuple[bytes, Functions], Any] = {}
    values: list[Any] = []
    statuses, errors = records["status"].tolist(), records["error"].tolist()
    for status, error, wire, own in zip(statuses, errors, wires, functions, strict=True):
        if status != Status.OK:
            values.append(failure(Status(status), error))
            continue
        if (wire, own) not in read:
            read[wire, own] = read_output(wire, own)
        values.append(read[wire, own])
    return values


def _is_rectangle(value: Any) -> bool:
    """Tell whether `value` is a tuple of tuples of ints, as nearly all values are."""
    return (
        type(value) is tuple
        and set(map(type, value)) == {tuple}
        and set(map(type, chain.from_iterable(value))) <= _INTS
    )
