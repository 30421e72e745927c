"""The kinds of value in signatures, and their Python aliases. A kind is a hint, never a check."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, TypeAlias, Union

from batt.types.sets import OrderedSet


class IdentityEnum(Enum):
    """An Enum hashed by identity, which makes look-ups fast: Enum's own hash is Python code."""

    __hash__ = object.__hash__


class Kind(IdentityEnum):
    """The kind of a parameter or a result."""

    ANY = "any"
    BOOL = "bool"
    INT = "int"
    PAIR = "pair"
    NUM = "num"
    GRID = "grid"
    CELL = "cell"
    OBJECT = "object"
    OBJECTS = "objects"
    INDICES = "indices"
    PATCH = "patch"
    PIECE = "piece"
    ELEMENT = "element"
    TUPLE = "tuple"
    SET = "set"
    CONTAINER = "container"
    FN = "fn"

    def __str__(self) -> str:
        return self.value


Value: TypeAlias = Any
Integer: TypeAlias = int
Boolean: TypeAlias = bool
Pair: TypeAlias = tuple[int, int]
Num: TypeAlias = Union[int, Pair]
Grid: TypeAlias = tuple[tuple[int, ...], ...]
Cell: TypeAlias = tuple[int, Pair]
Object: TypeAlias = OrderedSet[Cell]
Objects: TypeAlias = OrderedSet[Object]
Indices: TypeAlias = OrderedSet[Pair]
Patch: TypeAlias = Union[Object, Indices]
Piece: TypeAlias = Union[Grid, Patch]
Element: TypeAlias = Union[Grid, Object]
Tuple: TypeAlias = tuple[Any, ...]
Set: TypeAlias = OrderedSet[Any]
Container: TypeAlias = Union[Tuple, Set]
Fn: TypeAlias = Callable[..., Any]
