"""The words of the second dialect as values of programs."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from batt.errors import InternalError
from batt.front.dialect import (
    ALIASES,
    AT_RANK,
    CONSTANTS,
    DEFINITIONS,
    PICKING,
    WITH_FLAGS,
    flags_of,
    picking_definition,
)
from batt.front.lower import lower
from batt.front.scope import Scope, Stages
from batt.front.syntax import Piece, cut, parse
from batt.ir import Helper, Literal
from batt.ops import OPS

_NAME = re.compile(r"(?<=\Adef )\w+")


@dataclass(frozen=True, slots=True)
class DialectWord:
    """A word that is not a primitive: its text in the language, and its helper."""

    text: str
    helper: Helper


class Dialect:
    """The meanings of the names of the dialect."""

    def __init__(self, words: Mapping[str, DialectWord]) -> None:
        self.words = words
        self._literals = {name: Literal(value) for name, value in CONSTANTS.items()}
        self._literals.update({name: Literal(OPS[op]) for name, op in ALIASES.items() if op in OPS})
        self._literals.update({name: Literal(word.helper) for name, word in words.items()})
        self.functions = self._literals.keys() - CONSTANTS.keys()

    def meaning(self, name: str) -> Literal | None:
        """Return the meaning of a word or constant, or None."""
        return self._literals.get(name)

    def stages(self, function: Any, last: Any) -> Stages:
        """Return the primitives that a word with this last argument is equal to, or none.

        A deck's own definition that equals the word's counts as the word: saved decks include their words.
        """
        if not (isinstance(function, Helper) and isinstance(last, int)):
            return ()
        word = self.words.get(function.name)
        if word is None or word.helper != function:
            return ()
        name = ALIASES.get(function.name, function.name)
        if name in WITH_FLAGS:
            flags = tuple([Literal(flag) for flag in flags_of(last)])
            first, *rest = [OPS[each] for each in WITH_FLAGS[name]]
            return ((first, flags), *[(op, ()) for op in rest])
        return tuple([(OPS[op], ()) for op in AT_RANK.get((name, int(last)), ())])


@cache
def dialect() -> Dialect:
    """Return the dialect. Its table is read once."""
    words = {}
    for piece in cut(DEFINITIONS.lstrip() + "\n".join(map(picking_definition, PICKING)), "dialect"):
        word = _word(piece.text)
        words[word.helper.name] = word
    for name, same in ALIASES.items():
        if same not in OPS:
            words[name] = _word(_NAME.sub(name, words[same].text))
    return Dialect(words)


def _word(text: str) -> DialectWord:
    piece = Piece("dialect", text.strip() + "\n", 0)
    match parse(piece):
        case [ast.FunctionDef() as definition]:
            lowered = lower(definition, piece, Scope({}, {}, is_complete=True))
            if lowered.program is not None:
                return DialectWord(text.strip(), Helper(definition.name, lowered.program))
    raise InternalError(f"a word of the dialect does not read: {text[:40]!r}")
