"""Relations between figures: which figures each one is related to, and what edits make of it and of these."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from batt.ir import Literal, Program, Slot, Step
from batt.solving.expressions import INPUT, SHOWN, Expression, call, compose
from batt.solving.figures.figures import NOTHING, FigureFunction, figure_program
from batt.solving.figures.measuring import FigureImages, FigureTable, Numbers, joined_owner, measured_values
from batt.solving.frame import TaskFrame
from batt.solving.library import solving_deck
from batt.solving.running import Array, PreparedFunctions
from batt.solving.work import Work

MOST_RELATIONS = 12
"""The relations of a table that edits are tried with."""
TO_A_COLOUR = "coloured"
"""How the names of relations to a colour begin."""
READ = ("code", "count", "colour")
"""What is read of the figures that each one is related to."""


@dataclass(frozen=True, slots=True)
class RelatedFunction(FigureFunction):
    """A function of a figure and of those that it is related to."""

    relation: FigureFunction | None = None

    def of(self, figures: Expression, grid: Expression) -> Expression:
        """Return the function's expression for these figures of a grid."""
        assert self.relation is not None, "a function of related figures has a relation"
        return Expression(self.program, (figures, grid, self.relation.of(figures, grid)))


@dataclass(frozen=True, slots=True, eq=False)
class RelatedTable(FigureTable):
    """A table of figures with relations between them: `related` are those that differ, as numbers."""

    related: tuple[tuple[int, int], ...] = ()

    def patches(self, work: Work) -> Iterator[FigureImages]:
        """Yield the places that functions make of the figures and of those that they are related to."""
        for function, owner in self._owners("near", work):
            yield FigureImages(function, owner)

    def edits(self, work: Work) -> Iterator[FigureImages]:
        """Yield the objects that functions make of the figures and of those that they are related to."""
        colours = dict(self._grids("joined_colours", work))
        for function, owner in self._owners("joined", work):
            found = colours.get(function)
            if found is not None:
                yield FigureImages(function, owner, np.concatenate([each.ravel() for each in found]))

    def _owners(self, kind: str, work: Work) -> Iterator[tuple[RelatedFunction, Numbers]]:
        for function, grids in self._grids(kind, work):
            yield function, joined_owner(grids, self.starts)

    def _grids(self, kind: str, work: Work) -> Iterator[tuple[RelatedFunction, list[Array]]]:
        """Yield what the programs of a kind give for each relation and all samples, where all are grids."""
        programs = _compiled().of_kind(kind)
        functions = related_functions("near" if kind == "near" else "join")
        relations = relations_of_colours()
        for number, made in zip(self.related, run_relations(programs, self, self.related, work), strict=True):
            for (name, program), grids in zip(functions, made, strict=True):
                if grids is not None:
                    yield RelatedFunction(name, program, NOTHING, relations[number]), grids


class _RelationPrograms:
    """The programs that read relations, compiled once. S is the number of the segment, and those of the relation."""

    def __init__(self) -> None:
        figures, relation = related_expressions()
        read = [Expression(_programs()[f"related_{name}"], (figures, INPUT, relation)) for name in READ]
        near = [Expression(program, (figures, INPUT, relation)) for _, program in related_functions("near")]
        joined = [Expression(program, (figures, INPUT, relation)) for _, program in related_functions("join")]
        self.rows = _prepared("measures", figures, read)
        self._kinds = {
            "near": _prepared("numbered", figures, near),
            "joined": _prepared("numbered", figures, joined),
            "joined_colours": _prepared("coloured", figures, joined),
        }

    def of_kind(self, kind: str) -> PreparedFunctions:
        """Return the programs of a kind of edits."""
        return self._kinds[kind]


def related_expressions() -> tuple[Expression, Expression]:
    """Return the figures of a grid and a relation between them, where S is the segment and what names the relation."""
    figures = Expression(figure_program("segmented"), (call("first", SHOWN), INPUT, NOTHING))
    return figures, Expression(_programs()["related"], (figures, INPUT, call("last", SHOWN)))


def _prepared(reader: str, figures: Expression, made: Sequence[Expression]) -> PreparedFunctions:
    program = figure_program(reader)
    return PreparedFunctions([compose(Expression(program, (figures, INPUT, each))) for each in made], keep=True)


@cache
def _compiled() -> _RelationPrograms:
    return _RelationPrograms()


@cache
def _programs() -> dict[str, Program]:
    return {solver.name.removeprefix("solve_"): solver.program for solver in solving_deck("relations")}


@cache
def related_functions(kind: str) -> tuple[tuple[str, Program], ...]:
    """Return the functions of a kind, near or join, with their names."""
    return tuple([(name, program) for name, program in _programs().items() if name.startswith(f"{kind}_")])


@cache
def relations_of_colours() -> dict[tuple[int, int], FigureFunction]:
    """Return all relations by their number and colour, which is 0 for those that need none."""
    makers = _programs()["related"].steps[1].args[0]
    assert isinstance(makers, Literal), "a tuple of helpers"
    found: dict[tuple[int, int], FigureFunction] = {}
    for number, maker in enumerate(makers.value):
        step = Step(Literal(maker), (Slot(0), Slot(1), Slot(2)), "made", 1)
        program = Program(("figures", "grid", "colour"), 3, (step,), Slot(3))
        name = maker.name.removeprefix("relate_")
        for colour in range(10) if name.startswith(TO_A_COLOUR) else (0,):
            found[number, colour] = FigureFunction(f"{name} {colour}", program, Literal(colour))
    return found


def run_relations(
    programs: PreparedFunctions, table: FigureTable, numbers: Sequence[tuple[int, int]], work: Work
) -> list[list[list[Array] | None]]:
    """Return for each relation what each program gives on all samples; None where it fails on one."""
    samples: Sequence[Any] = table.samples
    handed = [replace(each, demonstrations=(table.segment, number)) for number in numbers for each in samples]
    made = programs.run(handed, outputs=True)
    work.spend_run(made.records.size, made.steps)
    count = len(samples)
    return [made.all_grids(range(len(programs)), at * count, count) for at in range(len(numbers))]


def related_table(table: FigureTable, frame: TaskFrame, work: Work) -> RelatedTable | None:
    """Return a table with the relations that differ between its figures; None if there are none."""
    measures, sources = dict(table.measures), dict(table.sources)
    seen: set[bytes] = set()
    related: list[tuple[int, int]] = []
    relations = relations_of_colours()
    numbers = [
        number
        for number, relation in relations.items()
        if not relation.name.startswith(TO_A_COLOUR) or number[1] in frame.colours
    ]
    for number, made in zip(numbers, run_relations(_compiled().rows, table, numbers, work), strict=True):
        relation = relations[number]
        rows = [None if grids is None else measured_values(grids) for grids in made]
        if rows[0] is None or not rows[0][: table.starts[frame.train]].any() or rows[0].tobytes() in seen:
            continue
        if len(related) == MOST_RELATIONS:
            break
        seen.add(rows[0].tobytes())
        related.append(number)
        for name, values in zip(READ[1:], rows[1:], strict=True):
            if values is not None:
                function = RelatedFunction(f"{name} {relation.name}", _programs()[f"related_{name}"], NOTHING, relation)
                (measures if name == "count" else sources)[function] = values
    if not related:
        return None
    return RelatedTable(
        table.segment, table.base, table.samples, table.starts, table.cells, table.itself, measures, sources,
        tuple(related),
    )  # fmt: skip
