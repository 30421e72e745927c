"""Symbols: what is known about a value while compiling.

Data is a node: its value comes with the sample. A function is always known by how it was made, so it is never data. If
data decides between functions, the symbol is a selection among known ones. If a loop over data makes functions, the
symbol is the function of one item. The size of a symbol estimates the nodes of a call with everything inlined; its
height is the depth of nested symbols. A symbol is closed if all data in it is constant: then it means the same in every
frame.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, TypeAlias

from batt.ir import Helper
from batt.ops import Op

MAX_HEIGHT = 60
"""The deepest nesting of functions, selections and containers."""
MAX_ITEMS = 256
"""The most items of a container of functions."""
MAX_SIZE = 1 << 40
"""The largest size that is counted."""

_ARITY = {"compose": 1, "chain": 1, "matcher": 1, "fork": 1, "power": 1}


class NotFirstOrder(Exception):
    """The program uses functions in a way that is not compiled."""


class TooLarge(NotFirstOrder):
    """The program would become too large or too deep. Another way would not help."""


class AlwaysRaises(Exception):
    """The sequence ends here with an error, whatever the data."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


@dataclass(frozen=True, slots=True, eq=False)
class Data:
    """The value of a node."""

    node: int
    closed: bool = False
    size: ClassVar[int] = 1
    height: ClassVar[int] = 0


@dataclass(frozen=True, slots=True, eq=False)
class Primitive:
    """A primitive as a function."""

    op: Op
    closed: ClassVar[bool] = True
    size: ClassVar[int] = 1
    height: ClassVar[int] = 0


@dataclass(frozen=True, slots=True, eq=False)
class Defined:
    """A helper of the deck as a function."""

    helper: Helper
    size: int
    height: int
    closed: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    """A function made by `maker` of known arguments. The arity is None if it depends on data."""

    maker: Op
    args: tuple[Symbol, ...]
    arity: int | None
    size: int
    height: int
    closed: bool


@dataclass(frozen=True, slots=True, eq=False)
class Selection:
    """One of the alternatives, picked by data: by its truth (the first if true) or by its number."""

    picked: Data
    by: str
    alternatives: tuple[Symbol, ...]
    arity: int | None
    are_functions: bool
    size: int
    height: int
    closed: bool


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """A tuple or a set that holds functions, at least one item; a set's items are in canonical order, each once."""

    items: tuple[Symbol, ...]
    is_set: bool
    size: int
    height: int
    closed: bool


@dataclass(frozen=True, slots=True, eq=False)
class Mapped:
    """A tuple of functions that `apply` makes of the items of data.

    `states` is a tuple with one item for each function, never a tuple itself. `template` is the function of a state,
    which it holds as HOLE.
    """

    states: Data
    template: Symbol
    size: int
    height: int
    closed: bool


Symbol: TypeAlias = Data | Primitive | Defined | Closure | Selection | Group | Mapped

HOLE = Data(-1, closed=True)
"""The place of a state in a template. It is closed so that it stays where it is when a template is lifted."""


def closure(maker: Op, args: tuple[Symbol, ...], times: int = 1) -> Closure:
    """Return the function that `maker` makes of `args`, which calls them `times` times."""
    arity = _ARITY.get(maker.name)
    if arity is None:
        bound = arity_of(args[0])
        arity = None if bound is None else {2: 1, 3: 2}.get(bound, 3)
    return Closure(maker, args, arity, min(MAX_SIZE, _size(args) * times), _height(args), _are_closed(args))


def defined(helper: Helper, literals: tuple[Symbol, ...]) -> Defined:
    """Return the symbol of a helper with the functions `literals` in its steps."""
    return Defined(helper, min(MAX_SIZE, _size(literals) + len(helper.program.steps)), _height(literals))


def selection(picked: Data, by: str, alternatives: tuple[Symbol, ...]) -> Selection:
    """Return a selection among `alternatives`."""
    arities = {arity_of(each) for each in alternatives}
    arity = arities.pop() if len(arities) == 1 else None
    are_functions = all(map(is_function, alternatives))
    closed = picked.closed and _are_closed(alternatives)
    return Selection(picked, by, alternatives, arity, are_functions, _size(alternatives), _height(alternatives), closed)


def group(items: tuple[Symbol, ...], is_set: bool) -> Group:
    """Return a tuple or a set of `items`."""
    if len(items) > MAX_ITEMS:
        raise TooLarge(f"a container of more than {MAX_ITEMS} functions")
    return Group(items, is_set, _size(items), _height(items), _are_closed(items))


def mapped(states: Data, template: Symbol) -> Mapped:
    """Return the tuple of the functions that `template` is with each of `states`."""
    return Mapped(states, template, _size((template,)), _height((template,)), _are_closed((states, template)))


def refuse_mapped(symbols: tuple[Symbol, ...]) -> None:
    """Raise NotFirstOrder if a symbol is a tuple of functions whose number is data."""
    if any(isinstance(each, Mapped) for each in symbols):
        raise NotFirstOrder("functions that a loop makes, as a value")


def with_data(symbol: Symbol, change: Callable[[Data], Data]) -> Symbol:
    """Return a symbol with all data in it changed."""

    def changed(symbols: tuple[Symbol, ...]) -> tuple[Symbol, ...]:
        return tuple([with_data(each, change) for each in symbols])

    match symbol:
        case Data():
            return change(symbol)
        case Closure():
            return replace(symbol, args=changed(symbol.args), closed=False)
        case Selection():
            return replace(
                symbol, picked=change(symbol.picked), alternatives=changed(symbol.alternatives), closed=False
            )
        case Group():
            return replace(symbol, items=changed(symbol.items), closed=False)
        case Mapped():
            raise NotFirstOrder("functions that a loop makes of functions that a loop makes")
    return symbol


def is_function(symbol: Symbol) -> bool:
    """Tell whether a symbol is a function, or a selection among functions."""
    return symbol.are_functions if isinstance(symbol, Selection) else isinstance(symbol, Primitive | Defined | Closure)


def arity_of(symbol: Symbol) -> int | None:
    """Return the arity of a function; None if it depends on data, or if the symbol is no function."""
    match symbol:
        case Primitive():
            return symbol.op.arity
        case Defined():
            return symbol.helper.arity
        case Closure() | Selection():
            return symbol.arity
    return None


def _size(symbols: tuple[Symbol, ...]) -> int:
    return min(MAX_SIZE, 1 + sum([each.size for each in symbols]))


def _height(symbols: tuple[Symbol, ...]) -> int:
    height = 1 + max([each.height for each in symbols], default=0)
    if height > MAX_HEIGHT:
        raise TooLarge(f"functions within functions more than {MAX_HEIGHT} deep")
    return height


def _are_closed(symbols: tuple[Symbol, ...]) -> bool:
    return all(each.closed for each in symbols)
