"""The names that generated files import: the decorator that runs a batt, and the types in its annotations.

The decorated function is never executed. Its file is read like a deck, compiled once, and run on the fastest engine.
Heavy modules are imported at the first call, so that importing a generated file is fast.
"""

from __future__ import annotations

import inspect
import linecache
from collections.abc import Callable
from functools import cached_property, update_wrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from batt.errors import UsageError
from batt.types.kinds import (
    Boolean,
    Cell,
    Container,
    Element,
    Fn,
    Grid,
    Indices,
    Integer,
    Num,
    Object,
    Objects,
    Pair,
    Patch,
    Piece,
    Set,
    Tuple,
)

if TYPE_CHECKING:
    from batt.card.running import Running
    from batt.front import Deck
    from batt.jobs.values import Failed as Failed
    from batt.runtime import Limits

__all__ = [
    "BatchOutputs",
    "BatchScores",
    "BattFunction",
    "Boolean",
    "Cell",
    "Container",
    "DifferWord",
    "Element",
    "Failed",
    "Fn",
    "Grid",
    "Indices",
    "Integer",
    "Num",
    "Object",
    "Objects",
    "Outputs",
    "Pair",
    "Patch",
    "Piece",
    "Samples",
    "Scores",
    "Set",
    "Tuple",
    "batt_function",
    "cells",
    "colours",
    "equal",
    "singles",
]

Samples: TypeAlias = tuple[tuple[Grid, Grid], ...]
Outputs: TypeAlias = list[tuple[int, bool, str, Any]]
"""For each solver: its step number, whether its value differs from the input, its task, and the value or a Failed."""
Scores: TypeAlias = list[tuple[int, "str | None", str, tuple[Any, Any]]]
"""For each score: the step number, the task, the name of the differ, and (score, detail)."""
BatchOutputs: TypeAlias = list[tuple[int, Any, str, Any]]
"""The outputs of a batch: a column in each place where samples have values of their own."""
BatchScores: TypeAlias = list[tuple[int, "str | None", str, Any]]
"""The scores of a batch, in the same form."""


class DifferWord:
    """A built-in differ by its name. Its code is imported when it is called."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __call__(self, candidate: Any, expected: Any) -> Any:
        """Return (score, detail) of `candidate`."""
        from batt.differs.arrays import PLAIN

        return PLAIN[self.__name__](candidate, expected)

    def __repr__(self) -> str:
        return f"<differ {self.__name__}>"


equal = DifferWord("equal")
cells = DifferWord("cells")
colours = DifferWord("colours")
singles = DifferWord("singles")


def __getattr__(name: str) -> Any:
    if name == "Failed":
        from batt.jobs.values import Failed

        return Failed
    raise AttributeError(f"module 'batt.generated' has no attribute {name!r}")


def batt_function(function: Callable[..., Any]) -> BattFunction:
    """Turn the function of a generated file into one that runs its solvers."""
    return BattFunction(function)


class BattFunction:
    """A batt as a callable: of one sample, or of lists of samples if its file is written for a batch.

    Set `engine`, `limits` and `workers` before a call; no outcome depends on the engine.
    """

    __name__: str

    def __init__(self, function: Callable[..., Any]) -> None:
        update_wrapper(self, function)
        self.path = function.__code__.co_filename
        self.engine = "auto"
        self.limits: Limits | None = None
        self.workers: int | None = None
        self._signature = inspect.signature(function)
        # Read the text now: the file may change before the function is called.
        self._text = "".join(linecache.getlines(self.path))
        if not self._text:
            raise UsageError(f"{self.path}: cannot read the source of {function.__name__}, so it cannot be compiled")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Return (outputs, scores) of one sample, or a list of them for many."""
        given = self._signature.bind(*args, **kwargs)
        given.apply_defaults()
        tasks, demonstrations, inputs, expected, logs = given.arguments.values()
        if not self.running.is_batch:
            ((outputs, scores),) = self._run([tasks], [demonstrations], [inputs], [expected], [logs])
            return outputs, scores
        count, names = len(inputs), [*self._signature.parameters]
        columns = [
            tasks,
            demonstrations,
            inputs,
            *[[None] * count if each is None else each for each in (expected, logs)],
        ]
        for name, column in zip(names, columns, strict=True):
            if len(column) != count:
                raise UsageError(f"{self.__name__}: {len(column):,} {name} for {count:,} {names[2]}")
        return self._run(*columns)

    def _run(self, *columns: Any) -> list[tuple[Outputs, Scores]]:
        return self.running.run(columns, self.engine, self.limits, self.workers)

    def __repr__(self) -> str:
        return f"<{self.__name__} of {Path(self.path).name}>"

    @cached_property
    def running(self) -> Running:
        """The batt, read from its file."""
        from batt.card.running import Running

        return Running(self._text, self.path)

    @property
    def deck(self) -> Deck:
        """The solvers, one for each entry of `o`."""
        return self.running.file.deck
