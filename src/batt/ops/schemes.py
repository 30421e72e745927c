"""Likely types of ops with variables in them, as the declarations write them: `(a -> b), many a -> many b`.

A letter is a variable; a kind's name is that kind. `many a` is a tuple or a set, the result's like the first
argument's; `some a` has part of the items of an argument; `tuple a`, `set a` and `patch a` are what they say; `(a, b)`
is a tuple of two; `=a` is compared with an a and need not be one; `never` has no value. Of several schemes, parted by
semicolons, the first counts whose parameters fit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Union

from batt.errors import InternalError
from batt.types import Kind


@dataclass(frozen=True, slots=True)
class Var:
    """A variable; `compared` if the value need not be of its type."""

    name: str
    compared: bool = False


@dataclass(frozen=True, slots=True)
class Items:
    """A container of items of one type; the word says which: many, some, tuple, set or patch."""

    word: str
    item: Pattern


@dataclass(frozen=True, slots=True)
class Two:
    """A tuple of two."""

    a: Pattern
    b: Pattern


@dataclass(frozen=True, slots=True)
class Maps:
    """A function."""

    params: tuple[Pattern, ...]
    result: Pattern


@dataclass(frozen=True, slots=True)
class Never:
    """The type without values."""


Pattern = Union[Kind, Var, Items, Two, Maps, Never]
CONTAINERS = ("many", "some", "tuple", "set", "patch")
_TOKEN = re.compile(r"->|[(),=]|\w+")


@dataclass(frozen=True, slots=True)
class Scheme:
    """The types of an op's arguments and of its result."""

    params: tuple[Pattern, ...]
    result: Pattern

    @property
    def chosen_from(self) -> tuple[int, ...]:
        """The positions of the arguments from which the result is chosen."""
        return tuple([at for at, param in enumerate(self.params) if param == self.result and isinstance(param, Var)])

    @property
    def gives_what_it_calls(self) -> bool:
        """Tell whether the result is a result of the function argument."""
        results = [param.result for param in self.params if isinstance(param, Maps)]
        return isinstance(self.result, Var) and self.result in results


@cache
def schemes(text: str) -> tuple[Scheme, ...]:
    """Read the schemes of a declaration; none if it has none."""
    return tuple([_SchemeReader(each).scheme() for each in text.split(";") if each.strip()])


class _SchemeReader:
    """Reads one scheme, token by token."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = [*_TOKEN.findall(text), ""]

    def scheme(self) -> Scheme:
        found = Scheme(self._list(), self._after("->"))
        if self.tokens != [""]:
            raise InternalError(f"{self.text!r} goes on after its end")
        return found

    def _list(self) -> tuple[Pattern, ...]:
        found = [self._pattern()]
        while self.tokens[0] == ",":
            found.append(self._after(","))
        return tuple(found)

    def _after(self, token: str) -> Pattern:
        self._take(token)
        return self._pattern()

    def _take(self, token: str) -> None:
        if self.tokens.pop(0) != token:
            raise InternalError(f"{self.text!r} lacks a {token!r}")

    def _pattern(self) -> Pattern:
        token = self.tokens.pop(0)
        if token == "=":
            return Var(self.tokens.pop(0), compared=True)
        if token == "never":
            return Never()
        if token == "(":
            return self._in_parentheses()
        is_container = self.tokens[0] not in ("", ",", ")", "->")
        if is_container and token in CONTAINERS:
            return Items(token, self._pattern())
        return Var(token) if len(token) == 1 else Kind(token)

    def _in_parentheses(self) -> Pattern:
        inside = self._list()
        made: Pattern = Maps(inside, self._after("->")) if self.tokens[0] == "->" else Two(*inside)
        self._take(")")
        return made
