"""The words of a batch: every op as `batch_NAME`, a few words that are no ops, and functions of lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import update_wrapper
from typing import Any

from batt.errors import UsageError
from batt.lazy.columns import Column, Each, argument, batch_of, call, columns
from batt.lazy.nodes import AfterNode, CallNode, length_of
from batt.ops import NEW_WORDS, OPS, Op
from batt.runtime import Limits

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


WORDS: dict[str, Word] = {PREFIX + name: Word(op) for name, op in (OPS | NEW_WORDS).items()}


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


class BatchFunction:
    """A function of (task_ids, Ss, Is, Cs, log_paths) whose lines are words of a batch.

    A call with lists calls the Python function once, with columns, and runs the engine once for all columns in its
    result. It returns that result for each sample, with the sample's value in place of each column.
    """

    def __init__(self, function: Callable[..., Any], engine: str, limits: Limits | None) -> None:
        self.engine = engine
        self.limits = limits
        self.function = function
        update_wrapper(self, function)

    def __call__(
        self,
        task_ids: Sequence[str],
        Ss: Sequence[Any],
        Is: Sequence[Any],
        Cs: Sequence[Any] | None = None,
        log_paths: Sequence[str | None] | None = None,
        *,
        engine: str | None = None,
        tell: Callable[[str], None] | None = None,
    ) -> list[Any]:
        """Return the result for each sample."""
        for name, given in (("task_ids", task_ids), ("Ss", Ss), ("Cs", Cs), ("log_paths", log_paths)):
            if given is not None and len(given) != len(Is):
                raise UsageError(f"{self.function.__name__}: {len(given):,} {name} for {len(Is):,} Is")
        made = columns(Ss, Is, Cs, engine=engine or self.engine, limits=self.limits, tell=tell)
        result = self.function(list(task_ids), *made, log_paths)
        return split(result, len(Is))


def batch_function(
    function: Callable[..., Any] | None = None, *, engine: str = "auto", limits: Limits | None = None
) -> Any:
    """Turn a function of columns into one of lists: `@batch_function`, or `@batch_function(engine="cpu")`."""
    if function is not None:
        return BatchFunction(function, engine, limits)
    return lambda wrapped: BatchFunction(wrapped, engine, limits)


def split(result: Any, count: int) -> list[Any]:
    """Return `result` for each of `count` samples, with its own values. All columns in it are computed in one run."""

    def check(column: Column) -> list[Any]:
        if column.length not in (None, count):
            raise UsageError(f"a column of {column.length:,} samples in the result for {count:,}")
        return column.values

    _replaced(result, check)
    return [_replaced(result, lambda column: column.at(at)) for at in range(count)]  # noqa: B023


def _replaced(result: Any, value: Callable[[Column], Any]) -> Any:
    """Replace every column in nested lists, tuples and dicts by `value` of it."""
    if isinstance(result, Column):
        return value(result)
    if isinstance(result, dict):
        return {key: _replaced(part, value) for key, part in result.items()}
    if isinstance(result, list):
        return [_replaced(part, value) for part in result]
    return tuple([_replaced(part, value) for part in result]) if isinstance(result, tuple) else result
