"""Edit figures: rules over the figures of a task as programs, with what they give and how well they hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from batt.runtime import Equality
from batt.solving.candidates import Layer, SearchCandidate
from batt.solving.expressions import Expression, compose
from batt.solving.figures.measuring import FigureImages, FigureTable, Numbers, figure_tables
from batt.solving.figures.moves import MoveLearner, MoveProblem
from batt.solving.figures.options import NO_COLOUR, FigureOption, FigureProblem, RuleProblem
from batt.solving.figures.relations import RelatedTable, related_table
from batt.solving.figures.rules import FigureRule, RuleLeaf, RuleLearner, rule_parts, rule_size
from batt.solving.frame import GridState, TaskFrame, as_grid
from batt.solving.parts import edited, erased, on_ground, without
from batt.solving.running import Array, PreparedFunctions
from batt.solving.work import Work
from batt.types.kinds import Grid

KEPT_RULES = 5
"""The rules over the figures of one segment that are kept."""
NEXT_STATES = 4
"""The states of rules that change some cells on which rules are tried next."""
COMPILE_UNITS = 400_000
"""The units of work to compile a program."""


@dataclass(slots=True)
class FigureEditor:
    """Fits rules to the figures of states.

    `nearest` collects rules that change only some of the cells: how many, the expression, and its steps. `problems`
    collects what was tried over the figures of the input, with the most cells that a rule changes; `related` has their
    tables with relations, by segment.
    """

    frame: TaskFrame
    work: Work
    nearest: list[tuple[int, Expression, int]] = field(default_factory=list)
    problems: list[tuple[int, FigureProblem]] = field(default_factory=list)
    related: dict[int, RelatedTable | None] = field(default_factory=dict)

    def candidates(self, base: GridState, layer: Layer, share: float = 1.0) -> Iterator[SearchCandidate]:
        """Yield the rules over the figures of a state that fit, until a share of the work is done."""
        for table in figure_tables(base, self.frame, self.work, share):
            yield from self._fitting(FigureProblem(table, self.frame, self.work), layer)

    def moved_candidates(self, share: float) -> Iterator[SearchCandidate]:
        """Yield the rules with moves that fit, until a share of the work is done.

        They are over the figures that were tried before, the fewest first.
        """
        for _, problem in sorted(self.problems, key=lambda each: each[1].shown):
            if not self.work.is_left(share):
                return
            if problem.are_leaving:
                table = self._related(problem) or problem.table
                yield from self._fitting(MoveProblem(table, self.frame, self.work, share), Layer.MOVE)

    def related_candidates(self, share: float) -> Iterator[SearchCandidate]:
        """Yield the rules with edits of related figures that fit, until a share of the work is done.

        They are over the figures that were tried before, the nearest first.
        """
        for _, problem in sorted(self.problems, key=lambda each: -each[0]):
            if not self.work.is_left(share):
                return
            table = self._related(problem)
            if table is not None:
                yield from self._fitting(FigureProblem(table, self.frame, self.work, known=problem), Layer.RELATION)

    def _related(self, problem: FigureProblem) -> RelatedTable | None:
        """Return the table of a problem with relations, which is made once."""
        segment = problem.table.segment
        if segment not in self.related:
            self.related[segment] = related_table(problem.table, self.frame, self.work)
        return self.related[segment]

    def _fitting(self, problem: RuleProblem, layer: Layer) -> Iterator[SearchCandidate]:
        """Yield the rules of a problem that fit."""
        learner = learner_of(problem, range(self.frame.train))
        found = False
        fitting = (rule for rule in learner.fit() if gives_demonstrations(rule, problem))
        for rule in islice(fitting, KEPT_RULES):
            if not self.work.is_left(problem.until):
                return
            expression = rule_expression(rule, problem)
            outputs = fitting_outputs(expression, self.frame, self.work)
            if outputs is not None:
                held_out = _holds_out(problem) if not found and self.frame.train > 1 else None
                found = True
                size = rule_size(rule, problem) + problem.table.base.steps // 2
                yield SearchCandidate(layer, expression, outputs, size, held_out)
        if not found and learner.nearest is not None:
            steps = problem.table.base.steps + 2 * rule_size(learner.nearest, problem)
            self.nearest.append((learner.most, rule_expression(learner.nearest, problem), steps))
        if layer is Layer.RULE and isinstance(problem, FigureProblem):
            self.problems.append((learner.most, problem))

    def next_states(self) -> list[GridState]:
        """Return what the nearest rules make of the inputs, the nearest first."""
        found: dict[bytes, GridState] = {}
        for _, expression, steps in sorted(self.nearest, key=lambda each: -each[0])[:NEXT_STATES]:
            values = all_values(expression, self.frame, self.work)[0]
            if values is not None and all(value.max() < NO_COLOUR for value in values):
                state = GridState(expression, tuple(values), steps)
                found.setdefault(state.key, state)
        return list(found.values())


def learner_of(problem: RuleProblem, samples: Sequence[int]) -> RuleLearner | MoveLearner:
    """Return a learner of rules for some demonstrations."""
    if isinstance(problem, MoveProblem):
        return MoveLearner(problem, samples)
    assert isinstance(problem, FigureProblem), "rules are of moves, or of all options"
    return RuleLearner(problem, samples)


def fitting_outputs(expression: Expression, frame: TaskFrame, work: Work) -> tuple[Grid | None, ...] | None:
    """Return what an expression gives for the test inputs; None if it does not give the demonstrations."""
    values, fits = all_values(expression, frame, work)
    if values is None or not fits:
        return None
    outputs = tuple([as_grid(value) if value.max() < NO_COLOUR else None for value in values[frame.train :]])
    return outputs if any(outputs) else None


def all_values(expression: Expression, frame: TaskFrame, work: Work) -> tuple[list[Array] | None, bool]:
    """Return what an expression gives for all samples, None if that is not a grid; and whether it fits."""
    made = PreparedFunctions([compose(expression)]).run(frame.samples(), outputs=True)
    work.spend_run(made.records.size, made.steps)
    work.spend(COMPILE_UNITS)
    fits = bool((made.records["equal"][0, : frame.train] == Equality.YES).all())
    return (made.grids(0) if made.is_grid.all() else None), fits


def rule_expression(rule: FigureRule, problem: RuleProblem) -> Expression:
    """Return a rule as an expression: erase the figures that move, then paint what the options make of the figures."""
    base, figures = problem.table.base.expression, problem.table.figures
    made = base
    parts = [
        ([problem.options[at] for at in numbers], kept) for numbers, kept in _written_parts(rule, problem, figures)
    ]
    for options, kept in parts:
        if any(option.is_erasing for option in options):
            made = erased(made, kept, base)
    for options, kept in parts:
        for option in options:
            painted = edited(made, kept, option.function(figures, base))
            made = on_ground(painted, made, base) if option.is_under else painted
    return made


def _written_parts(
    rule: FigureRule, problem: RuleProblem, kept: Expression
) -> Iterator[tuple[tuple[int, ...], Expression]]:
    """Yield the options of each leaf, with the expression of the figures that they are applied to."""
    if isinstance(rule, RuleLeaf):
        yield rule.options, kept
        return
    passing = problem.tests[rule.test].passing(kept, problem.table.figures, problem.table.base.expression)
    yield from _written_parts(rule.then, problem, passing)
    yield from _written_parts(rule.other, problem, without(kept, passing))


def predicted(rule: FigureRule, problem: RuleProblem, sample: int) -> Numbers:
    """Return the cells that a rule gives for a sample, as its expression does."""
    table = problem.table
    cells = slice(table.cells[sample], table.cells[sample + 1])
    made: Numbers = problem.own[cells].copy()
    parts = [
        ([problem.options[at] for at in numbers], figures)
        for numbers, figures in rule_parts(rule, problem.masks, table.sample_of == sample)
    ]
    itself = table.itself[cells]
    for options, figures in parts:
        if any(option.is_erasing for option in options):
            made[(itself >= 0) & figures[itself]] = problem.ground[cells.start]
    for options, figures in parts:
        for option in options:
            images = option.images.of(figures)
            held = images.owner[cells] >= 0
            if option.is_under:
                held &= problem.is_ground[cells]
            made[held] = _colours(option, images, table, cells)[held]
    return made


def gives_demonstrations(rule: FigureRule, problem: RuleProblem) -> bool:
    """Tell whether a rule gives the outputs of all demonstrations."""
    cells, train = problem.table.cells, problem.frame.train
    parts = [problem.target[cells[at] : cells[at + 1]] for at in range(train)]
    return all(np.array_equal(predicted(rule, problem, at), part) for at, part in enumerate(parts))


def _colours(option: FigureOption, images: FigureImages, table: FigureTable, cells: slice) -> Numbers:
    """Return the colours that an option paints in these cells, where its images are."""
    if images.colours is not None:
        return images.colours[cells].astype(np.int64)
    owner = images.owner[cells]
    assert option.colour is not None, "places have no colours of their own"
    if isinstance(option.colour, int):
        return np.full(len(owner), option.colour, np.int64)
    return np.asarray(table.sources[option.colour][owner])


def _holds_out(problem: RuleProblem) -> bool | None:
    """Tell whether rules that are fitted without one demonstration get it right, for each; None if no work is left."""
    train, table = problem.frame.train, problem.table
    for left_out in range(train):
        if not problem.work.is_left(problem.until):
            return None
        learner = learner_of(problem, [each for each in range(train) if each != left_out])
        rule = next(learner.fit(), None)
        expected = problem.target[table.cells[left_out] : table.cells[left_out + 1]]
        if rule is None or (predicted(rule, problem, left_out) != expected).any():
            return False
    return True
