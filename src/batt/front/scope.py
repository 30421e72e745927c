"""What the names of a text mean. Owns how a definition learns it; knows nothing of where names come from."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from batt.ir import Literal
from batt.ops import CONSTANTS, OPS, Op

Stages: TypeAlias = tuple[tuple[Op, tuple[Literal, ...]], ...]
"""Primitives that are called one after the other, each with the result of the last and these arguments."""


class Words(Protocol):
    """Words beyond the primitives, which a text may use without defining them."""

    def meaning(self, name: str) -> Literal | None:
        """What a name stands for, where it is a word."""
        ...

    def stages(self, function: Any, last: Any) -> Stages:
        """The primitives that do what the function does with this last argument; none where it is not so simple."""
        ...


@dataclass(frozen=True, slots=True)
class Scope:
    """What the names of a text mean: those that can be used, and why others of it cannot.

    Until the scope is complete, a name that is in neither may yet be defined further down the text. `own` are the ops
    of the user's own, which no text defines; `words` those of the dialect, of which the text may define some itself.
    `imported` are names that an import would bind, each with why it cannot be used.
    """

    known: Mapping[str, Literal]
    unusable: Mapping[str, str]
    is_complete: bool
    own: Mapping[str, Op] = field(default_factory=dict)
    words: Words | None = None
    words_of_text: Container[str] = ()
    imported: Mapping[str, str] = field(default_factory=dict)

    def is_of_language(self, name: str) -> bool:
        """Whether a name means something without any text that defines it."""
        is_word = self.words is not None and self.words.meaning(name) is not None
        return name in OPS or name in CONSTANTS or name in self.own or is_word
