"""Function values, and the printed form of every value.

Two functions are equal exactly when their printed forms are equal, and ordered by those forms. A form can be
exponentially longer than the function it prints (`x = compose(x, x)`, forty times), so nothing here writes it in full:
hashes are cached per function, equality remembers the pairs it has seen, order compares forms piece by piece.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from functools import cmp_to_key
from typing import Any

from batt.types.sets import ordered

FORM_LIMIT = 2_000


class Function:
    """A callable value of the language: a primitive, a helper of a deck, or one made by another function."""

    __slots__ = ()
    name: str
    arity: int
    args: tuple[Any, ...]

    def __call__(self, *args: Any) -> Any:
        """Call it. Raise TypeError if the number of arguments is not its arity."""
        raise TypeError(f"{self.name} cannot be called")

    def form_key(self) -> Any:
        """Return a key that orders functions by their printed forms."""
        return _form_key(self)

    def __repr__(self) -> str:
        return form(self)


class Made(Function):
    """A function that a primitive made from its arguments, such as `compose(first, last)`."""

    __slots__ = ("_hash", "args")
    _hash: int

    def __init__(self, *args: Any) -> None:
        self.args = args

    def __reduce__(self) -> tuple[Any, ...]:
        # Without its cached hash, which is not valid in another process.
        return type(self), self.args

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Made) and hash(self) == hash(other) and _same(self, other)

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:
            return _hash_bottom_up(self)


def form(value: Any, limit: int = FORM_LIMIT) -> str:
    """Return the canonical printed form of `value`, cut with an ellipsis after `limit` characters."""
    text: list[str] = []
    length = 0
    stack = [value]
    while stack:
        top = stack.pop()
        if not isinstance(top, str):
            stack.extend(reversed(_pieces(top)))
            continue
        text.append(top)
        length += len(top)
        if length > limit:
            return "".join(text)[: limit - 1] + "…"
    return "".join(text)


def _pieces(value: Any) -> list[Any]:
    """Return the printed form of `value`, one level deep: texts, and the values to print between them."""
    if isinstance(value, Made):
        return [value.name, *listed("(", value.args, ")")]
    if isinstance(value, tuple):
        return listed("(", value, ",)" if len(value) == 1 else ")")
    if isinstance(value, frozenset):
        return listed("{", ordered(value), "}")
    if isinstance(value, int):
        return [integer_form(value)]
    return [value.name if isinstance(value, Function) else repr(value)]


def listed(opening: str, items: Iterable[Any], closing: str) -> list[Any]:
    """Return `items` with commas between them, in brackets."""
    found: list[Any] = [opening]
    for item in items:
        found += [item, ", "]
    return [*(found[:-1] if len(found) > 1 else found), closing]


def integer_form(value: int) -> str:
    """Return an int in decimal, or in hexadecimal if Python prints it slowly; a bool as the int it equals."""
    return str(int(value)) if value.bit_length() <= 4096 else hex(value)


def _hash_bottom_up(function: Made) -> int:
    """Hash a function and its parts without recursion: decks can nest them very deeply."""
    stack = [function]
    while stack:
        top = stack[-1]
        pending = _without_hash(top.args)
        if pending:
            stack.extend(pending)
        else:
            top._hash = hash((top.name, top.args))
            stack.pop()
    return function._hash


def _without_hash(values: tuple[Any, ...]) -> list[Made]:
    """Return the functions among `values`, also inside tuples, that have no hash yet."""
    found: list[Made] = []
    stack: list[Any] = [values]
    while stack:
        top = stack.pop()
        if isinstance(top, tuple):
            stack.extend(top)
        elif isinstance(top, Made) and not hasattr(top, "_hash"):
            found.append(top)
    return found


def _same(a: Made, b: Made) -> bool:
    """Tell whether two functions are made of equal parts. Each pair of parts is visited once."""
    seen: set[tuple[int, int]] = set()
    stack: list[tuple[Any, Any]] = [(a, b)]
    while stack:
        x, y = stack.pop()
        if x is y or (id(x), id(y)) in seen:
            continue
        seen.add((id(x), id(y)))
        if isinstance(x, Made) and isinstance(y, Made):
            if x.name != y.name or hash(x) != hash(y):
                return False
            x, y = x.args, y.args
        if isinstance(x, tuple) and isinstance(y, tuple):
            if len(x) != len(y):
                return False
            stack.extend(zip(x, y, strict=True))
        elif x != y:
            return False
    return True


def compare_forms(
    a: Any, b: Any, pieces: Callable[[Any], list[Any]] = _pieces, is_same: Callable[[Any, Any], bool] = operator.eq
) -> int:
    """Return -1, 0 or 1: whether the printed form of `a` comes before, equals or comes after that of `b`.

    `pieces` returns the form of a value one level deep. `is_same` may tell that two values have the same form.
    """
    left, right = [a], [b]
    seen: set[tuple[int, int]] = set()
    while left and right:
        x, y = left.pop(), right.pop()
        if isinstance(x, str) and isinstance(y, str):
            shared = min(len(x), len(y))
            if x[:shared] != y[:shared]:
                return -1 if x < y else 1
            left.extend([x[shared:]] if x[shared:] else [])
            right.extend([y[shared:]] if y[shared:] else [])
            continue
        if not isinstance(x, str) and not isinstance(y, str):
            # A pair that was met before and showed no difference is alike: forms end where they should.
            if (id(x), id(y)) in seen or x is y or is_same(x, y):
                continue
            seen.add((id(x), id(y)))
        left.extend([x] if isinstance(x, str) else reversed(pieces(x)))
        right.extend([y] if isinstance(y, str) else reversed(pieces(y)))
    return bool(left) - bool(right)


_form_key = cmp_to_key(compare_forms)
