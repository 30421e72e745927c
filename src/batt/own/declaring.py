"""Declare a user's own op, and run its Python body: what it may raise, return and cost.

An own op costs what it declares, like the ops of the language: while its body runs, no steps are counted. Only calls of
functions that it gets as arguments count, as they do in `apply`.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from contextvars import ContextVar
from functools import wraps
from linecache import getlines
from types import CodeType, TracebackType
from typing import Any

from batt.errors import BattError, SourceError
from batt.ops import CONSTANTS, EVERY_OP, METER, NEW_WORDS, OPS, OWN, RAISABLE, Op, OverBudget
from batt.ops.meter import Cost, unit
from batt.ops.table import Signature
from batt.source import Place
from batt.types import Function, Kind, OrderedSet, unordered

MAX_PARAMS = 16
MAX_NATIVE_PARAMS = 4
"""The most parameters of an op with a C++ body: the native engine has no op with more."""

_PASSED_ON = (BattError, OverBudget, MemoryError, KeyboardInterrupt, GeneratorExit)
_PLAIN = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_INTS = {int, bool}


class Ops(Mapping[str, "OwnOp"]):
    """The ops that a file has declared so far, by name; with its path as given, and its text."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self._ops: dict[str, OwnOp] = {}

    def __getitem__(self, name: str) -> OwnOp:
        return self._ops[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._ops)

    def __len__(self) -> int:
        return len(self._ops)

    def __reduce__(self) -> tuple[Any, ...]:
        from batt.own.loading import ops_of

        return ops_of, (self.path, self.text)

    def __repr__(self) -> str:
        return f"<Ops {self.path} | {', '.join(self)}>"

    def mistake(self, message: str, line: int, column: int | None = None) -> SourceError:
        """Return the error for a mistake in a line of the file, by default at the first character."""
        lines = self.text.splitlines()
        text = lines[line - 1] if 0 < line <= len(lines) else ""
        place = Place(self.path, line, column or 1 + len(text) - len(text.lstrip()))
        return SourceError(message, place, text)

    def line_in(self, trace: TracebackType | None) -> int | None:
        """Return the last line of the file in a traceback, or None."""
        found = None
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == self.path:
                found = trace.tb_lineno
            trace = trace.tb_next
        return found

    def declare(self, op: OwnOp) -> None:
        """Add an op. Refuse a second one of the same name."""
        first = self._ops.setdefault(op.name, op)
        if first is not op:
            raise op.fault(f"a second op {op.name!r}; the first is in line {first.code.co_firstlineno}")


_file_that_runs: ContextVar[Ops | None] = ContextVar("_file_that_runs", default=None)


@contextmanager
def running(file: Ops) -> Iterator[None]:
    """Let `file` own the ops that are declared meanwhile."""
    token = _file_that_runs.set(file)
    try:
        yield
    finally:
        _file_that_runs.reset(token)


class OwnOp(Op):
    """An op that a user declared in Python; `native` names the header with its C++ body, if there is one."""

    __slots__ = ("code", "file", "native")

    def __init__(
        self, body: Callable[..., Any], signature: Signature, cost: Cost | None, native: str | None, file: Ops
    ) -> None:
        super().__init__(body, (signature,), cost)
        self.family = OWN
        self.code: CodeType = body.__code__
        self.file = file
        self.native = native
        self.body = self._checked(body, Kind.FN in signature.params)
        self.cost = cost if cost is None or cost is unit else self._checked_cost(cost)

    def fault(self, message: str, trace: TracebackType | None = None) -> SourceError:
        """Return the error for a mistake of the op, at its own line or at the last line of its file in `trace`."""
        return self.file.mistake(message, self.file.line_in(trace) or self.code.co_firstlineno)

    def _checked(self, body: Callable[..., Any], is_metered: bool) -> Callable[..., Any]:
        """Return the body with checks of its result and errors. Unless `is_metered`, it runs without a budget."""

        @wraps(body)
        def run(*args: Any) -> Any:
            if len(args) != self.arity:
                raise TypeError(f"{self.name} takes {self.arity} arguments, {len(args)} given")
            with nullcontext() if is_metered else _uncounted(), _BodyErrors(self):
                made = body(*args)
            try:
                return language_value(made)
            except NotAValue as what:
                values = "an int, a bool, None, or a tuple or set of values"
                raise self.fault(f"{self.name} gives back {what}, which is no value: that is {values}") from None

        return run

    def _checked_cost(self, cost: Cost) -> Cost:
        @wraps(cost)
        def run(*args: Any) -> int:
            # Arguments may be of any kind. If the cost function fails, the call costs one step, and likely raises.
            steps = 1
            with _uncounted(), _BodyErrors(self, "the cost of "), suppress(*RAISABLE):
                steps = cost(*args)
            if type(steps) is not int or steps < 1:
                raise self.fault(f"the cost of {self.name} is {steps!r}; a cost is an int of at least 1")
            return steps

        return run

    def __reduce__(self) -> tuple[Any, ...]:
        from batt.own.loading import op_of

        return op_of, (self.file.path, self.file.text, self.name)


@contextmanager
def _uncounted() -> Iterator[None]:
    """Count no steps and no items meanwhile."""
    before = METER.steps_left, METER.max_items
    METER.steps_left = METER.max_items = sys.maxsize
    try:
        yield
    finally:
        METER.steps_left, METER.max_items = before


class _BodyErrors:
    """Passes on errors of the language, and turns any other into a mistake of the file.

    An error of a derived kind, such as UnicodeError, becomes the error of the language that it is derived from.
    """

    def __init__(self, op: OwnOp, what: str = "") -> None:
        self.op = op
        self.what = what

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None or kind in RAISABLE or issubclass(kind, _PASSED_ON):
            return
        known = next((each for each in kind.__mro__ if each in RAISABLE), None)
        if known is None:
            raise self.op.fault(f"{self.what}{self.op.name} raised {told(kind, error)}", trace) from None
        raise known(str(error)) from None


class NotAValue(Exception):
    """An object that is no value of the language. The message names it: `a list`, `a float`."""


def language_value(made: Any) -> Any:
    """Return the value that an object stands for: sets become ordered, subclasses of int and tuple plain.

    A function is refused: ops that return data must never return functions, so that programs can be compiled.
    """
    kind = type(made)
    if kind in _INTS or made is None:
        return made
    if kind is tuple and set(map(type, made)) <= _INTS:
        return made
    if isinstance(made, tuple):
        return tuple(map(language_value, made))
    if isinstance(made, frozenset | set):
        return OrderedSet(map(language_value, unordered(made)))
    if isinstance(made, int):
        return int(made)
    raise NotAValue("a function" if isinstance(made, Function) or callable(made) else _article(kind.__name__))


def _article(word: str) -> str:
    return f"{'an' if word[:1].lower() in 'aeiou' else 'a'} {word}"


def told(kind: type[BaseException], error: BaseException | None) -> str:
    """Return an error as one line: its kind and its message."""
    lines = str(error).split("\n")
    return f"{kind.__name__}: {lines[0]}" if lines[0] else kind.__name__


def op(
    *params: Kind, result: Kind, cost: Cost | None = None, native: str | None = None
) -> Callable[[Callable[..., Any]], OwnOp]:
    """Declare a user's own op, with the kinds of its parameters and its result; kinds are hints.

    `cost` returns the steps of a call from its arguments. Without it they are 1 + items in + items out; with `unit`, 1.
    `native` names a header beside the file, which holds the C++ body `op_NAME` and, if there is a cost, `cost_NAME`.
    """

    def declare(body: Callable[..., Any]) -> OwnOp:
        path = body.__code__.co_filename
        # Without a file that runs, Python itself imports the module of the body.
        file = _file_that_runs.get()
        if file is None:
            file = Ops(path, "".join(getlines(path)))
        if not all(isinstance(kind, Kind) for kind in (*params, result)):
            message = f"the kinds of {body.__name__} must be kinds of batt.own, such as GRID"
            raise file.mistake(message, body.__code__.co_firstlineno)
        if cost is not None and not callable(cost):
            message = f"the cost of {body.__name__} is {cost!r}; a cost is a function of the arguments"
            raise file.mistake(message, body.__code__.co_firstlineno)
        _check(body, params, native, file)
        made = OwnOp(body, Signature(params, result), cost, native, file)
        file.declare(made)
        return made

    return declare


def _check(body: Callable[..., Any], params: tuple[Kind, ...], native: str | None, file: Ops) -> None:
    """Refuse a body that cannot be an op."""
    name, found = body.__name__, inspect.signature(body).parameters.values()
    line = body.__code__.co_firstlineno
    if name in EVERY_OP or name in CONSTANTS:
        kinds = {"a primitive": OPS, "a constant of the language": CONSTANTS, "a new word": NEW_WORDS}
        what = next((kind for kind, names in kinds.items() if name in names), "an op of batt's")
        raise file.mistake(f"{name!r} is {what}; choose another name", line)
    if any(each.kind not in _PLAIN or each.default is not each.empty for each in found):
        raise file.mistake(f"the parameters of {name} must be plain names without defaults or stars", line)
    if not 1 <= len(found) <= MAX_PARAMS:
        raise file.mistake(f"{name} has {len(found)} parameters; an op has 1 to {MAX_PARAMS}", line)
    if len(params) != len(found):
        raise file.mistake(f"{name} has {len(found)} parameters, and {len(params)} kinds are given for them", line)
    if native is None:
        return
    if not isinstance(native, str):
        raise file.mistake(f"native={native!r}: the name of a header is expected", line)
    if Kind.FN in params:
        raise file.mistake(f"{name} takes a function, and such an op cannot have a C++ body", line)
    if len(found) > MAX_NATIVE_PARAMS:
        raise file.mistake(f"{name} has {len(found)} parameters; with a C++ body {MAX_NATIVE_PARAMS} at most", line)
    if not name.isascii():
        raise file.mistake(f"{name} has a C++ body, so its name must be ASCII", line)
