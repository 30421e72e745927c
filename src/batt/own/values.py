"""What a Python body gives back, held against the language. Owns which objects are values; calls nothing."""

from __future__ import annotations

from typing import Any

from batt.types import Function, OrderedSet, unordered

_INTS = {int, bool}


class NotAValue(Exception):
    """An object that is no value of the language, in words: `a list`, `a float`."""


def language_value(made: Any) -> Any:
    """The value that an object stands for: sets become ordered, and subclasses of int and tuple what they are made of.

    A function is no value here: what is data must stay data, so that programs can be compiled.
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
