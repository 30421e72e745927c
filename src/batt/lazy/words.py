"""The words of a batch: every op as `batch_NAME`, and a few that are no ops. Owns their names, from the op table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from batt.lazy.columns import Column, Each, argument, batch_of, call
from batt.lazy.nodes import After, Called, length_of
from batt.ops import OPS, Op

PREFIX = "batch_"


class Word:
    """An op over columns: it records the call, and an engine works it out when a value is looked at.

    An argument is a Column, a list with a value for each sample, or a constant of the language, functions included.
    """

    def __init__(self, op: Op) -> None:
        self.op = op
        self.__name__ = PREFIX + op.name
        self.__doc__ = f"{op.doc}\n\nFor every sample; the arguments are {', '.join(op.params)}."

    def __call__(self, *args: Any) -> Column:
        """Record the call."""
        return call(self.op, args)

    def __repr__(self) -> str:
        return f"<{self.__name__}({', '.join(self.op.params)})>"


WORDS: dict[str, Word] = {PREFIX + name: Word(op) for name, op in OPS.items()}


def batch_call(functions: Any, *args: Any) -> Column:
    """Call the function of each sample, or one function for all, with these arguments."""
    return call(functions, args)


def batch_tuple(*items: Any) -> Column:
    """The tuple of these items for each sample."""
    batch = batch_of(items)
    made = tuple([argument(each, batch) for each in items])
    return Column(Called(None, made, length_of(made)), batch=batch)


def batch_after(values: Any, *others: Any) -> Column:
    """The values, where nothing among the others failed; else the first error, in the order of recording."""
    given = [values, *others]
    batch = batch_of(given)
    first, *rest = [argument(each, batch) for each in given]
    return Column(After(first, tuple(rest), length_of([first, *rest])), batch=batch)


def batch_each(function: Callable[..., Any], *args: Any) -> Column:
    """What a Python function gives for each sample, run here after the engine; it is handed Failed values too."""
    return Each(function, args)
