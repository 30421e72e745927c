"""The meaning of the names of a text."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from batt.ir import Literal
from batt.ops import CONSTANTS, OPS, Op

if TYPE_CHECKING:
    from batt.front.translate import Dialect

Stages: TypeAlias = tuple[tuple[Op, tuple[Literal, ...]], ...]
"""Primitives called one after the other, each with the result of the one before and these arguments."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The names of a text that can be used, and why others cannot.

    Until the scope is complete, a name in neither may still be defined further down. `own` are the user's own ops,
    which no text defines; `words` are those of the dialect, some of which the text may define itself (`words_of_text`).
    `imported` are names that an import would bind, each with why it cannot be used. `new_words` are the new words, if
    the text switches them on; a definition of the same name wins.
    """

    known: Mapping[str, Literal]
    unusable: Mapping[str, str]
    is_complete: bool
    own: Mapping[str, Op] = field(default_factory=dict)
    words: Dialect | None = None
    words_of_text: Container[str] = ()
    imported: Mapping[str, str] = field(default_factory=dict)
    new_words: Mapping[str, Op] = field(default_factory=dict)

    def is_of_language(self, name: str) -> bool:
        """Tell whether a name has a meaning that no text defines."""
        is_word = self.words is not None and self.words.meaning(name) is not None
        return name in OPS or name in CONSTANTS or name in self.own or name in self.new_words or is_word
