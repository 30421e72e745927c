"""What is known of a value while compiling. Owns the symbolic forms of functions and of containers that hold them.

Data is a node: its value comes with the sample. A function is always known by its making, so it is never data; where
data decides between functions, it is a choice among known ones. A symbol's size is how many nodes calling it takes,
about, if all that it calls is written out; its height, how many symbols stand within one another. It is closed where
all data in it is constant, so that it means the same in every frame.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from batt.ir import Helper
from batt.ops import Op

MAX_HEIGHT = 60
"""Functions, choices and containers within one another."""
MAX_ITEMS = 256
"""Items of a container of functions."""
MAX_SIZE = 1 << 40
"""Where the size of a function is no longer counted."""

_ARITY = {"compose": 1, "chain": 1, "matcher": 1, "fork": 1, "power": 1}


class NotFirstOrder(Exception):
    """The program uses functions in a way that is not compiled; it runs on the reference engine instead."""


class TooLarge(NotFirstOrder):
    """The program would become too large or too deep; there is no point in trying another way."""


class AlwaysRaises(Exception):
    """The sequence under way ends here with an error, whatever the data."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


@dataclass(frozen=True, slots=True, eq=False)
class Data:
    """A value that a node holds."""

    node: int
    closed: bool = False
    size: ClassVar[int] = 1
    height: ClassVar[int] = 0


@dataclass(frozen=True, slots=True, eq=False)
class Primitive:
    """A primitive named as a function."""

    op: Op
    closed: ClassVar[bool] = True
    size: ClassVar[int] = 1
    height: ClassVar[int] = 0


@dataclass(frozen=True, slots=True, eq=False)
class Defined:
    """A helper of the deck named as a function."""

    helper: Helper
    size: int
    height: int
    closed: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    """A function made by `maker` of known arguments; the arity is None where it hangs on data."""

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


Symbol: TypeAlias = Data | Primitive | Defined | Closure | Selection | Group


def closure(maker: Op, args: tuple[Symbol, ...], times: int = 1) -> Closure:
    """The function that a maker makes of these arguments, which calls them that many times."""
    arity = _ARITY.get(maker.name)
    if arity is None:
        bound = arity_of(args[0])
        arity = None if bound is None else {2: 1, 3: 2}.get(bound, 3)
    return Closure(maker, args, arity, min(MAX_SIZE, _size(args) * times), _height(args), _are_closed(args))


def defined(helper: Helper, literals: tuple[Symbol, ...]) -> Defined:
    """A helper in whose steps these literals stand."""
    return Defined(helper, min(MAX_SIZE, _size(literals) + len(helper.program.steps)), _height(literals))


def selection(picked: Data, by: str, alternatives: tuple[Symbol, ...]) -> Selection:
    """A choice among these."""
    arities = {arity_of(each) for each in alternatives}
    arity = arities.pop() if len(arities) == 1 else None
    are_functions = all(map(is_function, alternatives))
    closed = picked.closed and _are_closed(alternatives)
    return Selection(picked, by, alternatives, arity, are_functions, _size(alternatives), _height(alternatives), closed)


def group(items: tuple[Symbol, ...], is_set: bool) -> Group:
    """A tuple or a set of these."""
    if len(items) > MAX_ITEMS:
        raise TooLarge(f"a container of more than {MAX_ITEMS} functions")
    return Group(items, is_set, _size(items), _height(items), _are_closed(items))


def is_function(symbol: Symbol) -> bool:
    """Whether a symbol is a function, or a choice among functions."""
    return symbol.are_functions if isinstance(symbol, Selection) else isinstance(symbol, Primitive | Defined | Closure)


def arity_of(symbol: Symbol) -> int | None:
    """How many arguments a function takes; None where that hangs on data, or where it is no function."""
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
