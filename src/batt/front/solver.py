"""A solver: a program with its name and the text that it was read from."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from batt.front.module import Module
from batt.ir import Operand, Program, Slot
from batt.source import Place


def with_candidate(program: Program) -> Program:
    """Return a program of (S, I) as one of (S, I, C) that does not read C."""

    def moved(operand: Operand) -> Operand:
        return Slot(operand.index + 1) if isinstance(operand, Slot) and operand.index > 1 else operand

    steps = [
        replace(step, callee=step.callee and moved(step.callee), args=tuple(map(moved, step.args)))
        for step in program.steps
    ]
    return Program((*program.params, "C"), 3, tuple(steps), moved(program.result))


@dataclass(frozen=True, slots=True)
class Solver:
    """A program with the name that results carry and the definition that it was read from."""

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
