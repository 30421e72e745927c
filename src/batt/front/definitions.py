"""Read one text: its definitions, its constants and its mistakes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from batt.errors import SourceError
from batt.front.naming import SOLVER_NAME
from batt.ir import Helper, Program
from batt.ir.functions import helpers_of, words_lines
from batt.ops import Op
from batt.source import Place

if TYPE_CHECKING:
    from batt.front.unfold import BattContent


@dataclass(frozen=True, slots=True)
class Definition:
    """A `def` of a text: its program, its own source, and the names of its module that it uses."""

    name: str
    program: Program
    text: str
    place: Place
    uses: tuple[str, ...]
    is_word: bool = False
    """True for a word of the dialect, which no text defines."""
    depth: int = 1
    """How many definitions deep its calls go, itself included."""


@dataclass(slots=True)
class Module:
    """The definitions and constants of one text, in order, its mistakes, and the modules that it imports.

    `doc` is the text's docstring. `imports` counts the imports of each module outside the language; none of them is
    executed. `lambdas` holds the lambdas of all definitions by name. `siblings` are the files of the same folder that
    it imports names from, and `imported` the names of `definitions` and `constants` that are theirs.
    """

    file: str
    doc: str = ""
    definitions: dict[str, Definition] = field(default_factory=dict)
    constants: dict[str, Any] = field(default_factory=dict)
    mistakes: list[SourceError] = field(default_factory=list)
    batt: BattContent | None = None
    own: Mapping[str, Op] = field(default_factory=dict)
    imports: Counter[str] = field(default_factory=Counter)
    constant_places: dict[str, Place] = field(default_factory=dict)
    lambdas: dict[str, Helper] = field(default_factory=dict)
    siblings: list[Module] = field(default_factory=list)
    imported: set[str] = field(default_factory=set)

    def text_of(self, name: str) -> str:
        """Return the source of one definition or constant, without annotations: Python would evaluate a stranger's."""
        # A deck that is kept is seldom written.
        from batt.front.annotations import without_annotations
        from batt.ir.writing import constant_text, definition_text

        if name in self.constants:
            return constant_text(name, self.constants[name])
        if name not in self.definitions:
            return definition_text(self.lambdas[name].program, name)
        return without_annotations(self.definitions[name].text)

    def source_of(self, name: str) -> str:
        """Return the source of a definition and of everything that it uses, so that it is self-contained."""
        order = self.needed(name)
        constants = "\n".join([self.text_of(each) for each in order if each in self.constants])
        texts = [self.text_of(each) for each in order if each in self.definitions]
        words = words_lines([self.definitions[name].program])
        return "\n\n\n".join([*words, *[constants] * bool(constants), *texts]) + "\n"

    def candidates(self, name: str) -> list[Definition]:
        """Return the definitions that may be the solver `name`; ideally one."""
        definitions = [each for each in self.definitions.values() if not each.is_word]
        solvers = [each for each in definitions if SOLVER_NAME.match(each.name)]
        used = {each for definition in definitions for each in definition.uses}
        choices = (
            [each for each in solvers if each.name == name],
            [each for each in solvers if "_" not in each.name],
            [each for each in definitions if each.name == name],
            solvers,
            [each for each in definitions if each.name not in used],
        )
        return next(filter(None, choices), [])

    def needed(self, name: str) -> list[str]:
        """Return the names that a definition needs, dependencies first, itself last."""
        found: dict[str, None] = {}

        def visit(each: str) -> None:
            uses: Iterable[str] = ()
            if each in self.definitions:
                uses = self.definitions[each].uses
            elif each in self.lambdas:
                uses = [helper.name for helper in helpers_of(self.lambdas[each].program)]
            for used in uses:
                if used not in found:
                    visit(used)
            found[each] = None

        visit(name)
        return list(found)

    def place_of(self, name: str) -> Place:
        """Return the place of a definition or constant, in this text or in a sibling."""
        return self.definitions[name].place if name in self.definitions else self.constant_places[name]
