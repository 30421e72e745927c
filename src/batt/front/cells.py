"""Find lines that take an item of a cell by position, by following the kinds of a program's values.

In the second dialect a cell is (row, column, colour), here (colour, (row, column)). Words that make cells and read
their places are translated. A line that takes an item of a cell by its position would mean something else, so it is
reported. Followed are cells, objects, sets of objects, and known functions; a value not known to be a cell is not
reported.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from batt.front.dialect import ALIASES
from batt.ir import Helper, Literal, Operand, Program
from batt.ops import OPS, Op
from batt.ops.known import ALL_GIVEN, GIVEN, Called, called
from batt.ops.schemes import Items, Maps, Pattern, Scheme, Var, schemes
from batt.types import Kind

MAX_CALLS = 20_000
"""The most calls followed in one program; decks are untrusted."""

MAX_DEPTH = 60

_ITEM = {Kind.OBJECT: Kind.CELL, Kind.OBJECTS: Kind.OBJECT}
_CONTAINER = {item: container for container, item in _ITEM.items()}
_TAKES_APART = {Kind.CONTAINER, Kind.TUPLE, Kind.SET, Kind.PAIR, Kind.NUM}
_FOLLOWED = {Kind.CELL, Kind.OBJECT, Kind.OBJECTS}

_WORDS = {"ascell": Kind.CELL, "toij": Kind.PAIR, "celltuple": Kind.OBJECT}
"""The results of words that know about cells."""

_LIKE = {
    "second": "first",
    "get_nth_f": "first",
    "get_arg_rank": "argmax",
    "get_val_rank": "valmax",
    "get_common_rank": "mostcommon",
}
"""Words that do with an item at a rank what a primitive does with the first one."""


@dataclass(frozen=True, slots=True, eq=False)
class _Made:
    """A function that a primitive made."""

    maker: Op
    args: tuple[_Value, ...]


_Value: TypeAlias = "Kind | Op | Helper | _Made"


def lines_that_take_cells_apart(program: Program) -> list[int]:
    """Return the lines of a solver that take an item of a cell by its position."""
    watch = _CellWatch()
    inputs: dict[str, _Value] = {"I": Kind.GRID, "C": Kind.GRID}
    found: dict[int, None] = {}
    values: list[_Value] = [inputs.get(name, Kind.ANY) for name in program.params]
    for step in program.steps:
        watch.found = False
        values.append(watch.step(step.callee, step.args, values))
        if watch.found:
            found[step.line] = None
    return list(found)


class _CellWatch:
    """Follows kinds through calls, and notes when a cell is taken apart."""

    def __init__(self) -> None:
        self.found = False
        self.calls = 0
        self.depth = 0

    def step(self, callee: Operand | None, args: Sequence[Operand], values: Sequence[_Value]) -> _Value:
        given = tuple([self._value(arg, values) for arg in args])
        return Kind.ANY if callee is None else self.call(self._value(callee, values), given)

    def _value(self, operand: Operand, values: Sequence[_Value]) -> _Value:
        if not isinstance(operand, Literal):
            return values[operand.index]
        return operand.value if isinstance(operand.value, Op | Helper) else Kind.ANY

    def call(self, function: _Value, args: tuple[_Value, ...]) -> _Value:
        """Return the kind of the result of a call."""
        self.calls += 1
        if self.calls > MAX_CALLS or self.depth == MAX_DEPTH:
            return Kind.ANY
        self.depth += 1
        try:
            match function:
                case Op():
                    return self._op(function, args)
                case Helper(name=name) if name in _WORDS:
                    return _WORDS[name]
                case Helper(name=name) if ALIASES.get(name, name) in _LIKE:
                    op = OPS[_LIKE[ALIASES.get(name, name)]]
                    return self._op(op, args[: op.arity])
                case Helper() if len(args) == function.arity:
                    return self._run(function.program, args)
                case _Made():
                    return self._made(function, args)
        finally:
            self.depth -= 1
        return Kind.ANY

    def _run(self, program: Program, args: tuple[_Value, ...]) -> _Value:
        values = list(args)
        for step in program.steps:
            values.append(self.step(step.callee, step.args, values))
        return self._value(program.result, values)

    def _made(self, function: _Made, args: tuple[_Value, ...]) -> _Value:
        inside = called(function.maker.known.calls)
        if inside.reading(GIVEN) and len(args) != 1:
            return Kind.ANY
        return self._inside(inside, dict(zip(function.maker.params, function.args, strict=True)), args)

    def _inside(self, call: Called, values: dict[str, _Value], given: tuple[_Value, ...]) -> _Value:
        """Return the kind of the result of a call inside a made function."""
        args: list[_Value] = []
        for arg in call.args:
            if isinstance(arg, Called):
                args.append(self._inside(arg, values, given))
            else:
                args += given if arg in (GIVEN, ALL_GIVEN) else [values[arg]]
        return self.call(values[call.function] if call.function in values else OPS[call.function], tuple(args))

    def _op(self, op: Op, args: tuple[_Value, ...]) -> _Value:
        if len(args) != op.arity:
            return Kind.ANY
        if op.family == "functions":
            return _Made(op, args)
        self.found |= any(arg is Kind.CELL and _takes_apart(op, at) for at, arg in enumerate(args))
        return _result(op, args, self._loop(op, args))

    def _loop(self, op: Op, args: tuple[_Value, ...]) -> _Value:
        """Return what the function argument of an op gives for the items that it is called with."""
        expected = op.signatures[0].params
        functions = [arg for arg, kind in zip(args, expected, strict=True) if kind is Kind.FN]
        items = [_item(arg) for arg, kind in zip(args, expected, strict=True) if kind is not Kind.FN]
        return self.call(functions[0], tuple(items)) if functions else Kind.ANY


@cache
def _takes_apart(op: Op, position: int) -> bool:
    """Tell whether an op looks into a tuple at argument `position`."""
    kinds = {signature.params[position] for signature in op.signatures}
    return not kinds.isdisjoint(_TAKES_APART) and Kind.ANY not in kinds


def _item(value: _Value) -> _Value:
    return _ITEM.get(value, Kind.ANY) if isinstance(value, Kind) else Kind.ANY


def _result(op: Op, args: tuple[_Value, ...], called: _Value) -> _Value:
    """Return the kind of the result of an op whose function argument gives `called`."""
    declared = op.signatures[0].result
    if op.known.types:
        scheme = schemes(op.known.types)[-1]
        found = _CellMatch(scheme, args, called if isinstance(called, Kind) else Kind.ANY).made(scheme.result)
        return declared if found is Kind.ANY and declared in _FOLLOWED else found
    if op.family == "mirrors":
        return next((arg for arg in args if arg in _FOLLOWED), Kind.ANY)
    return declared if declared in _FOLLOWED else Kind.ANY


class _CellMatch:
    """The arguments of a call, bound to the parameters of a scheme. A container is stored under its items' pattern."""

    def __init__(self, scheme: Scheme, args: tuple[_Value, ...], called: Kind) -> None:
        self.values: dict[Pattern, _Value] = {}
        self.containers: dict[Pattern, _Value] = {}
        for param, arg in zip(scheme.params, args, strict=True):
            self._bind(param, arg)
        for param in scheme.params:
            if isinstance(param, Maps):
                self._bind(param.result, called)

    def _bind(self, pattern: Pattern, given: _Value) -> None:
        if isinstance(pattern, Items):
            self.containers.setdefault(pattern.item, given)
            self._bind(pattern.item, _item(given))
        elif isinstance(pattern, Var):
            self.values[pattern] = given if self.values.get(pattern, given) is given else Kind.ANY

    def made(self, pattern: Pattern) -> _Value:
        """Return the kind that a pattern stands for, or ANY."""
        if not isinstance(pattern, Items):
            return self.values.get(pattern, Kind.ANY)
        if pattern.item in self.containers:
            return self.containers[pattern.item]
        item = self.made(pattern.item)
        return _CONTAINER.get(item, Kind.ANY) if isinstance(item, Kind) else Kind.ANY
