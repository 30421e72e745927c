"""The words of a batch: every op as `batch_NAME`, and a few words that are no ops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from batt.lazy.columns import Column, Each, argument, batch_of, call
from batt.lazy.nodes import AfterNode, CallNode, length_of
from batt.ops import OPS, Op

PREFIX = "batch_"


class Word:
    """An op over columns: records the call, which an engine runs when a value is read.

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
    """Call the function of each sample, or one function for all, with `args`."""
    return call(functions, args)


def batch_tuple(*items: Any) -> Column:
    """Return the tuple of `items` for each sample."""
    batch = batch_of(items)
    made = tuple([argument(each, batch) for each in items])
    return Column(CallNode(None, made, length_of(made)), batch=batch)


def batch_after(values: Any, *others: Any) -> Column:
    """Return `values` where none of `others` failed; elsewhere the first error in the order of recording."""
    given = [values, *others]
    batch = batch_of(given)
    first, *rest = [argument(each, batch) for each in given]
    return Column(AfterNode(first, tuple(rest), length_of([first, *rest])), batch=batch)


def batch_each(function: Callable[..., Any], *args: Any) -> Column:
    """Call a Python function for each sample, after the engine ran. It gets Failed values too."""
    return Each(function, args)
