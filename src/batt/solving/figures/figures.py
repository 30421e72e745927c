"""Functions of figures, from the deck `figures`: how grids are cut, what is measured, and how a figure is edited."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from batt.ir import Literal, Program, Slot, Step
from batt.solving.expressions import Argument, Expression
from batt.solving.library import solving_deck

SEGMENTS = 12
"""The ways to cut a grid into figures."""
NOTHING = Literal(None)
_WAYS = tuple([(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)])
STEPS = tuple([(i * far, j * far) for far in (1, 2, 3) for i, j in _WAYS if far < 3 or not i or not j])
"""The moves by a fixed step that are tried."""
CELLS_OF = "cells_of"
"""The measure that counts the cells of a colour, its argument."""
_EXTENTS = ("size", "height", "width", "area", "colours", "least_count", "holes", "hollow", "symmetries", CELLS_OF)
_PLACES = ("top", "left", "bottom", "right", "touching", "contains", "in_rows", "in_columns", "height_in_pile")
RANKED = frozenset((*_EXTENTS, *_PLACES))
"""The measures by which figures are ranked."""
COUNTED = RANKED | {"colour", "form", "turned_form"}
"""The measures of which it counts how many figures have the same value."""


@dataclass(frozen=True, slots=True)
class FigureFunction:
    """A function of a figure, given by a program (figures, grid, argument) that returns it."""

    name: str
    program: Program
    argument: Argument = NOTHING

    @property
    def size(self) -> int:
        """Return about how long it is."""
        return 1 if self.name == "itself" else 2

    def of(self, figures: Expression, grid: Expression) -> Expression:
        """Return the function's expression for these figures of a grid."""
        return Expression(self.program, (figures, grid, self.argument))


def figure_program(name: str) -> Program:
    """Return a program of the deck by its name."""
    return _programs()[name]


@cache
def _programs() -> dict[str, Program]:
    return {solver.name.removeprefix("solve_"): solver.program for solver in solving_deck("figures")}


@cache
def functions(kind: str) -> tuple[FigureFunction, ...]:
    """Return the functions of a kind: measure, colour, patch or edit."""
    found = [
        FigureFunction(name.removeprefix(f"{kind}_"), program)
        for name, program in _programs().items()
        if name.startswith(f"{kind}_")
    ]
    if kind == "edit":
        shifted = _programs()["shifted"]
        found += [FigureFunction(f"shifted {step}", shifted, Literal(step)) for step in STEPS]
    return tuple(found)


@cache
def segments() -> tuple[Program, ...]:
    """Return the ways to cut a grid, as programs (I)."""
    makers = _programs()["segmented"].steps[0].args[0]
    assert isinstance(makers, Literal), "a tuple of helpers"
    return tuple(
        [Program(("grid",), 1, (Step(Literal(maker), (Slot(0),), "made", 1),), Slot(1)) for maker in makers.value]
    )


def derived(kind: str, figures: Expression, grid: Expression, measure: Expression) -> Expression:
    """Return a derived measure: rank_down, rank_up or equal_count of another one."""
    return Expression(_programs()[kind], (figures, grid, measure))
