"""A solver: a program with its name and the text that it was read from."""

from __future__ import annotations

from dataclasses import dataclass, field

from batt.front.module import Module
from batt.ir import Program
from batt.source import Place


@dataclass(frozen=True, slots=True)
class Solver:
    """A program with the name that results carry and the definition it was read from."""

    name: str
    program: Program
    definition: str
    module: Module = field(compare=False, repr=False)
    place: Place

    @property
    def source(self) -> str:
        """Its source text, with the helpers and constants that it uses."""
        return self.module.source_of(self.definition)

    @property
    def takes_demonstrations(self) -> bool:
        """Whether it has the form `(S, I, C)` rather than `(I)`."""
        return self.program.arity == 3

    def __repr__(self) -> str:
        return f"<Solver {self.name} | {len(self.program.steps)} steps>"
