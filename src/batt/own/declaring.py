"""The declaration of a user's own op. Owns how its Python body is run: what it may raise, give back and cost.

What an own op costs is what it declares, as for the ops of the language: while its body runs, nothing is counted. Only
where it is given functions do their calls count, as they do in `apply`.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import wraps
from types import CodeType, TracebackType
from typing import Any

from batt.errors import BattError, SourceError
from batt.ops import CONSTANTS, EVERY_OP, METER, OPS, OWN, RAISABLE, Op, OverBudget
from batt.ops.meter import Cost, unit
from batt.ops.table import Signature
from batt.own.source import OpsFile, declared_in
from batt.own.values import NotAValue, language_value
from batt.types import Kind

MAX_PARAMS = 16
MAX_NATIVE_PARAMS = 4
"""Parameters of an op with a C++ body: the native engine has no op with more."""

_PASSED_ON = (BattError, OverBudget, MemoryError, KeyboardInterrupt, GeneratorExit)
_PLAIN = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class OwnOp(Op):
    """An op that a user declared in Python, where it says so with a C++ body in a header beside its file."""

    __slots__ = ("code", "file", "native")

    def __init__(
        self, body: Callable[..., Any], signature: Signature, cost: Cost | None, native: str | None, file: OpsFile
    ) -> None:
        super().__init__(body, (signature,), cost)
        self.family = OWN
        self.code: CodeType = body.__code__
        self.file = file
        self.native = native
        self.body = self._checked(body, Kind.FN in signature.params)
        self.cost = cost if cost is None or cost is unit else self._checked_cost(cost)

    def fault(self, message: str, trace: TracebackType | None = None) -> SourceError:
        """A mistake of the op, at its own line or at the last line of its file in a traceback."""
        return self.file.mistake(message, self.file.line_in(trace) or self.code.co_firstlineno)

    def _checked(self, body: Callable[..., Any], is_metered: bool) -> Callable[..., Any]:
        """The body, held against the language; unmetered, its budget is endless while it runs."""

        @wraps(body)
        def run(*args: Any) -> Any:
            if len(args) != self.arity:
                raise TypeError(f"{self.name} takes {self.arity} arguments, {len(args)} given")
            with nullcontext() if is_metered else _uncounted(), _Watch(self):
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
            # The arguments may be of any kind; what cannot be counted costs one step, and most likely raises next.
            steps = 1
            with _uncounted(), _Watch(self, "the cost of "), suppress(*RAISABLE):
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
    """Let the budget be endless for a while."""
    before = METER.steps_left, METER.max_items
    METER.steps_left = METER.max_items = sys.maxsize
    try:
        yield
    finally:
        METER.steps_left, METER.max_items = before


class _Watch:
    """Where the code of a file runs: errors of the language pass, any other is a mistake of the file.

    An error of a derived kind, such as UnicodeError, is the error of the language that it is.
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


def told(kind: type[BaseException], error: BaseException | None) -> str:
    """An error in one line: its kind, and what it says."""
    lines = str(error).split("\n")
    return f"{kind.__name__}: {lines[0]}" if lines[0] else kind.__name__


def op(
    *params: Kind, result: Kind, cost: Cost | None = None, native: str | None = None
) -> Callable[[Callable[..., Any]], OwnOp]:
    """Declare an op of the user's own, with the kinds that it takes and gives; they are hints.

    `cost` gives the steps of a call from its arguments; without it they are 1 + items in + items out, with `unit` 1.
    `native` names a header beside the file, which holds the C++ body `op_NAME` and, where there is a cost, `cost_NAME`.
    """

    def declare(body: Callable[..., Any]) -> OwnOp:
        file = declared_in(body)
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


def _check(body: Callable[..., Any], params: tuple[Kind, ...], native: str | None, file: OpsFile) -> None:
    """Refuse a body that can be no op."""
    name, found = body.__name__, inspect.signature(body).parameters.values()
    line = body.__code__.co_firstlineno
    if name in EVERY_OP or name in CONSTANTS:
        what = (
            "a primitive" if name in OPS else "a constant of the language" if name in CONSTANTS else "an op of batt's"
        )
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
