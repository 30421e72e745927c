"""Explain why a primitive raised: `argmax of an empty set`, `upscale expects an int as factor, got a grid`.

The explanation comes from the call that raised, which the traceback of the error holds: the innermost op, with its
record in the table and its actual arguments. Nothing here runs while programs are evaluated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import TracebackType
from typing import Any

from batt.ops.described import KIND_WORDS, describe_value, is_of_kind
from batt.ops.functions import POWER_LIMIT
from batt.ops.meter import MAX_DEPTH
from batt.ops.table import OWN, Op
from batt.types import Function, Kind, form, unordered

MAX_MESSAGE = 160

_NOT_FOUND = {
    "extract": ("the only item does not satisfy the condition", "none of {} items satisfies the condition"),
    "other": ("the only item equals the value", "all {} items equal the value"),
}
"""By op that searches for an item, why it finds none in one item and in several."""

_WORDS = {"int": "an int", "bool": "an int", "tuple": "a tuple", "frozenset": "a set", "OrderedSet": "a set",
          "NoneType": "None"}  # fmt: skip
_EMPTY_ERRORS = (ValueError, StopIteration, IndexError, RuntimeError)
_NOT_COMPARABLE = re.compile(r"'[<>]=?' not supported between instances of '(\w+)' and '(\w+)'")
_NOT_CALLABLE = re.compile(r"'(\w+)' object is not callable")
_WRONG_COUNT = re.compile(r"_?(\w+)\.__call__\(\) takes (\d+) positional arguments? but (\d+) (?:was|were) given")
_TOO_FEW = re.compile(r"_?(\w+)\.__call__\(\) missing (\d+) required positional arguments?")


def explain_error(error: BaseException) -> str:
    """Say in plain words why an evaluation raised `error`."""
    call = _innermost_call(error.__traceback__)
    # A StopIteration inside a generator arrives as the cause of a RuntimeError, with the rest of the traceback.
    while isinstance(error, RuntimeError) and error.__cause__ is not None:
        error = error.__cause__
        call = _innermost_call(error.__traceback__) or call
    if call is not None:
        return explain_call(*call, error)
    match = _NOT_CALLABLE.search(str(error))
    return f"{_WORDS.get(match[1], 'a value')} is called, which is not a function" if match else ""


def explain_call(function: Function, args: tuple[Any, ...], error: BaseException) -> str:
    """Say in plain words why calling `function` with `args` raised `error`."""
    if not isinstance(function, Op):
        return _about_calls(function, args, error) or f"{form(function, 60)} fails"
    if len(args) != function.arity:
        return _wrong_count(function.name, function.arity, len(args))
    if function.family == OWN:
        return _own_message(function, error)
    causes = (
        _about_calls(function, args, error),
        f"{function.name} by zero" if _is_by_zero(error) else "",
        _about_empty(function, args) if isinstance(error, _EMPTY_ERRORS) else "",
        _about_kinds(function, args),
        _about_empty_items(function, args) if isinstance(error, _EMPTY_ERRORS) else "",
        _about_order(function, error),
        _about_items(function, args, error),
    )
    return next(filter(None, causes), f"{function.name} fails on {_listed(map(describe_value, args))}")


def _innermost_call(trace: TracebackType | None) -> tuple[Function, tuple[Any, ...]] | None:
    """Return the function and the arguments of the last call of a function in a traceback, or None."""
    found = None
    while trace is not None:
        names = trace.tb_frame.f_locals
        function = names.get("self")
        if trace.tb_frame.f_code.co_name == "__call__" and isinstance(function, Function):
            args = names.get("args", names.get("rest"))
            found = function, args if isinstance(args, tuple) else (names.get("x"),)
        trace = trace.tb_next
    return found


def _about_calls(function: Function, args: tuple[Any, ...], error: BaseException) -> str:
    """Explain a call of a value that is no function, or with the wrong number of arguments."""
    message = str(error)
    if isinstance(error, RecursionError):
        if function.name == "power" and isinstance(function, Op):
            return f"power applies a function 1 to {POWER_LIMIT} times, not {form(args[1], 20)}"
        return f"{function.name}: functions call one another more than {MAX_DEPTH} deep"
    if not isinstance(error, TypeError):
        return ""
    if match := _NOT_CALLABLE.search(message):
        return f"{function.name} calls {_WORDS.get(match[1], 'a value')}, which is not a function"
    if match := _WRONG_COUNT.search(message):
        return f"{function.name}: {_wrong_count(match[1].lower(), int(match[2]) - 1, int(match[3]) - 1)}"
    if match := _TOO_FEW.search(message):
        return f"{function.name}: {match[1].lower()} is called with too few arguments"
    if not isinstance(function, Op) and len(args) != function.arity:
        return _wrong_count(form(function, 60), function.arity, len(args))
    return ""


def _wrong_count(name: str, arity: int, given: int) -> str:
    return f"{name} takes {arity} argument{'s' * (arity != 1)}, got {given}"


def _is_by_zero(error: BaseException) -> bool:
    return isinstance(error, ZeroDivisionError) or str(error).endswith("must not be zero")


def _about_order(op: Op, error: BaseException) -> str:
    """Explain a comparison of two values without an order."""
    if match := _NOT_COMPARABLE.search(str(error)):
        words = [_WORDS.get(name, "a function") for name in match.groups()]
        return f"{op.name} cannot compare {words[0]} with {words[1]}"
    return ""


def _about_empty(op: Op, args: tuple[Any, ...]) -> str:
    """Explain an empty argument."""
    for position, arg in enumerate(args):
        if _is_empty(arg) and not _allows_any(op, position):
            what = "grid" if _expects_grid(op, position, arg) else "tuple" if isinstance(arg, tuple) else "set"
            return f"{op.name} of an empty {what}" + (f" as {op.params[position]}" if position else "")
    return ""


def _about_empty_items(op: Op, args: tuple[Any, ...]) -> str:
    """Explain an argument that contains something empty."""
    for name, arg in zip(op.params, args, strict=True):
        if isinstance(arg, tuple | frozenset) and any(map(_is_empty, unordered(arg))):
            return f"{op.name}: {name} holds an empty {_empty_word(arg)}"
    return ""


def _is_empty(value: Any) -> bool:
    return isinstance(value, tuple | frozenset) and not value


def _empty_word(container: Any) -> str:
    items = [item for item in unordered(container) if _is_empty(item)]
    return "tuple" if isinstance(items[0], tuple) else "set"


def _expects_grid(op: Op, position: int, arg: Any) -> bool:
    kinds = _kinds_at(op, position)
    return isinstance(arg, tuple) and bool(kinds & {Kind.GRID, Kind.PIECE, Kind.ELEMENT})


def _kinds_at(op: Op, position: int) -> set[Kind]:
    return {signature.params[position] for signature in op.signatures}


def _allows_any(op: Op, position: int) -> bool:
    return Kind.ANY in _kinds_at(op, position)


def _about_kinds(op: Op, args: tuple[Any, ...]) -> str:
    """Explain the first argument that no signature of the op takes."""
    for position, arg in enumerate(args):
        kinds = list(dict.fromkeys(signature.params[position] for signature in op.signatures))
        if not any(is_of_kind(arg, kind) for kind in kinds):
            expected = " or ".join(dict.fromkeys(KIND_WORDS[kind] for kind in kinds))
            name = op.params[position]
            # Not "expects a patch as patch".
            role = "" if len(name) > 1 and name in expected.split() else f" as {name}"
            return f"{op.name} expects {expected}{role}, got {describe_value(arg)}"
    return ""


def _about_items(op: Op, args: tuple[Any, ...], error: BaseException) -> str:
    """Explain a search without a result, an index out of range, or grids of different shapes."""
    containers = [arg for arg in args if isinstance(arg, tuple | frozenset)]
    if isinstance(error, StopIteration) and op.name in _NOT_FOUND:
        one, several = _NOT_FOUND[op.name]
        return f"{op.name}: {one if len(containers[0]) == 1 else several.format(len(containers[0]))}"
    if not isinstance(error, IndexError):
        return ""
    for number in [arg for arg in args if isinstance(arg, int)]:
        for container in containers:
            if not -len(container) <= number < len(container):
                return f"{op.name}: index {number} of {len(container):,} items"
    grids = [(name, arg) for name, arg in zip(op.params, args, strict=True) if _has_shape(arg)]
    shapes = [f"{name} is {len(grid)} × {len(grid[0])}" for name, grid in grids]
    return f"{op.name}: {', '.join(shapes)}" if len(shapes) > 1 else ""


def _has_shape(value: Any) -> bool:
    return isinstance(value, tuple) and bool(value) and is_of_kind(value, Kind.GRID)


def _own_message(op: Op, error: BaseException) -> str:
    """Return the message of a user's op written in Python."""
    line = next(iter(str(error).splitlines()), "").strip()
    line = "".join([char if char.isprintable() else "�" for char in line[:MAX_MESSAGE]])
    return f"{op.name}: {line}" if line else f"{op.name} gives no reason"


def _listed(words: Iterator[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
