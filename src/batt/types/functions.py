"""Function values, and the printed form of every value.

Two functions are equal exactly when their printed forms are equal, and ordered by those forms. A form can be
exponentially longer than the function it prints (`x = compose(x, x)`, forty times), so nothing here writes it in full:
hashes are cached per function, equality remembers the pairs it has seen, order compares forms piece by piece.
"""

from __future__ import annotations

from collections.abc import Iterator
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
    stack: list[tuple[bool, Any]] = [(True, value)]
    while stack:
        is_value, top = stack.pop()
        if is_value:
            stack.extend(reversed(list(_pieces(top))))
            continue
        text.append(top)
        length += len(top)
        if length > limit:
            return "".join(text)[: limit - 1] + "…"
    return "".join(text)


def _pieces(value: Any) -> Iterator[tuple[bool, Any]]:
    """Yield the printed form of `value`, one level deep: (False, text) and (True, value to print next)."""
    if isinstance(value, Made):
        yield False, value.name
        yield from _listed("(", value.args, ")")
    elif isinstance(value, tuple):
        yield from _listed("(", value, ",)" if len(value) == 1 else ")")
    elif isinstance(value, frozenset):
        yield from _listed("{", tuple(ordered(value)), "}")
    elif isinstance(value, int):
        yield False, integer_form(value)
    else:
        yield False, value.name if isinstance(value, Function) else repr(value)


def integer_form(value: int) -> str:
    """Return an int in decimal, or in hexadecimal if Python prints it slowly; a bool as the int it equals."""
    return str(int(value)) if value.bit_length() <= 4096 else hex(value)


def _listed(opening: str, items: tuple[Any, ...], closing: str) -> Iterator[tuple[bool, Any]]:
    yield False, opening
    for position, item in enumerate(items):
        if position:
            yield False, ", "
        yield True, item
    yield False, closing


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
    """Whether two functions are made of equal parts. Each pair of parts is visited once."""
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


def _compare_forms(a: Any, b: Any) -> int:
    """Return -1, 0 or 1: whether the printed form of `a` comes before, equals or comes after that of `b`."""
    left: list[tuple[bool, Any]] = [(True, a)]
    right: list[tuple[bool, Any]] = [(True, b)]
    while left and right:
        x_is_value, x = left.pop()
        y_is_value, y = right.pop()
        if x_is_value and y_is_value and (x is y or x == y):
            continue
        if x_is_value or y_is_value:
            left.extend(reversed(list(_pieces(x))) if x_is_value else [(False, x)])
            right.extend(reversed(list(_pieces(y))) if y_is_value else [(False, y)])
            continue
        shared = min(len(x), len(y))
        if x[:shared] != y[:shared]:
            return -1 if x < y else 1
        if x[shared:]:
            left.append((False, x[shared:]))
        if y[shared:]:
            right.append((False, y[shared:]))
    return bool(left) - bool(right)


_form_key = cmp_to_key(_compare_forms)
