"""Make the variants of a deck: their names, and what the demonstrations of a solver's own task give for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from batt.front import Deck, Solver
from batt.front.definitions import Definition, Module
from batt.ir import Helper, Program
from batt.ir.functions import all_helpers
from batt.ir.writing import Style, definition_text, names_of
from batt.jobs import own_task
from batt.jobs.programs import Programs
from batt.ops import Op
from batt.runtime import Limits, Sample, Split, Status, evaluate_one
from batt.runtime.evaluations import Evaluations
from batt.runtime.options import read_options
from batt.tasks import Task, Tasks
from batt.variants.places import colour_places, move_places
from batt.variants.rewriting import ValueSource, fitted, rewritten, source_program, with_move

FITTING = Limits(steps=2_000_000, wall_s=5.0)
"""The limits for trying all moves on a task's demonstrations."""

Fits: TypeAlias = dict[tuple[str, str], tuple[Helper, str | None]]
"""By solver and move: the solver as a function of grid and move, and the move that fits, if known."""

_LAST = {ValueSource.IZ: ValueSource.IZ_LAST, ValueSource.ZO: ValueSource.ZO_LAST}


@dataclass(frozen=True, slots=True)
class Change:
    """A constant that a variant takes from the demonstrations: a colour, or the name of a mirror or rotation.

    `inferred` is the value that the demonstrations of the solver's own task give; None without an own task.
    """

    constant: int | str
    source: ValueSource
    inferred: int | str | None

    @property
    def is_the_same(self) -> bool:
        """Tell whether the demonstrations of the own task give exactly the constant."""
        return self.constant == self.inferred


@dataclass(frozen=True, slots=True)
class Variant:
    """A solver made from another, and its changes."""

    solver: Solver
    original: str
    task: str | None
    changes: tuple[Change, ...]

    @property
    def is_the_same(self) -> bool:
        """Tell whether it does the same as the original on its own task."""
        return all(change.is_the_same for change in self.changes)

    def __repr__(self) -> str:
        return f"<Variant {self.solver.name} of {self.original}>"


@dataclass(frozen=True)
class Variants:
    """The variants of a deck, in its order."""

    originals: Deck
    variants: tuple[Variant, ...]

    @cached_property
    def deck(self) -> Deck:
        """Return the variants alone."""
        return Deck([variant.solver for variant in self.variants], f"{self.originals.name}, inferred")

    @cached_property
    def beside(self) -> Deck:
        """Return the originals, each with its variants after it."""
        solvers: dict[str, list[Solver]] = {solver.name: [solver] for solver in self.originals}
        for variant in self.variants:
            solvers[variant.original].append(variant.solver)
        return Deck([each for group in solvers.values() for each in group], f"{self.originals.name} with variants")

    def __repr__(self) -> str:
        return f"<Variants | {len(self.variants):,} of {len(self.originals):,} solvers>"


def infer_variants(deck: Deck, tasks: Tasks) -> Variants:
    """Return all variants of a deck's solvers that the demonstrations of their own tasks allow.

    A colour is taken from them if they have one to give, equal to the constant or not; a mirror or rotation if one
    turns every input into its output, or makes the solver do so. A solver that names none of the tasks has every
    variant. No two variants, and no variant and a solver of the deck, are the same program or have the same name.
    """
    programs, names, ids = {solver.program for solver in deck}, set(deck.names), set(tasks.ids)
    own = {solver.name: own_task(solver.name, ids) for solver in deck}
    shown = {name: None if task is None else tasks[task] for name, task in own.items()}
    fits = _fitting_moves(deck, shown)
    found: list[Variant] = []
    for solver in deck:
        for changes, program in _programs(solver, shown[solver.name], fits):
            suffix = "".join([f"{change.constant}{change.source.value}" for change in changes])
            name = f"{solver.name}_{suffix}"
            if program not in programs and name not in names:
                programs.add(program)
                names.add(name)
                made = solver_of(solver, name, f"{solver.definition}_{suffix}", program, _told(solver, changes))
                found.append(Variant(made, solver.name, own[solver.name], changes))
    return Variants(deck, tuple(found))


def _told(solver: Solver, changes: tuple[Change, ...]) -> str:
    said = [f"{change.source.words} in place of {change.constant}" for change in changes]
    return f"As {solver.definition}, with {' and '.join(said)}."


def _programs(solver: Solver, task: Task | None, fits: Fits) -> Iterator[tuple[tuple[Change, ...], Program]]:
    """Yield the variants: each colour, then pairs of one that vanishes and one that appears, then each move."""
    values, program = _Given(task), solver.program
    colours = colour_places(program)
    single = {
        colour: [change for source in _LAST if (change := values.change(colour, source)) is not None]
        for colour in colours
    }
    for colour, changes in single.items():
        for change in changes:
            yield (change,), rewritten(program, {change.source: colours[colour]})
    for one, changes in single.items():
        for other, others in single.items():
            both = [(a, b) for a in changes for b in others if one != other and _vanish_and_appear(a, b)]
            for a, b in both:
                yield (a, b), rewritten(program, {a.source: colours[one], b.source: colours[other]})
    for name, places in move_places(program).items():
        turn = values.change(name, ValueSource.MR)
        if turn is not None:
            yield (turn,), rewritten(program, {ValueSource.MR: places})
        if (solver.name, name) in fits and (turn is None or task is None):
            function, inferred = fits[solver.name, name]
            yield (Change(name, ValueSource.MF, inferred),), fitted(function)


def _vanish_and_appear(a: Change, b: Change) -> bool:
    return a.source in (ValueSource.IZ, ValueSource.IZ_LAST) and b.source in (ValueSource.ZO, ValueSource.ZO_LAST)


class _Given:
    """The values that the demonstrations of a task give from each source; without a task, any value is possible."""

    def __init__(self, task: Task | None) -> None:
        self.task = task
        sources = [each for each in ValueSource if each is not ValueSource.MF]
        self._values: Mapping[ValueSource, Any] = {} if task is None else {each: _value(each, task) for each in sources}

    def change(self, constant: int | str, source: ValueSource) -> Change | None:
        """Return the change of a constant to a source, or to its last colour if only that equals the constant."""
        if self.task is None:
            return Change(constant, source, None)
        if source in _LAST and self._values[source] != constant == self._values[_LAST[source]]:
            source = _LAST[source]
        value = self._values[source]
        return None if value is None else Change(constant, source, value)


def _value(source: ValueSource, task: Task) -> int | str | None:
    """Return the value of a source for a task: a colour, the name of a move, or None."""
    outcome = evaluate_one(source_program(source), _sample(task), Limits())
    if outcome.status is not Status.OK:
        return None
    return outcome.value.name if isinstance(outcome.value, Op) else int(outcome.value)


def _sample(task: Task) -> Sample:
    """Return a sample for programs that read only the demonstrations."""
    return Sample(task.id, Split.TRAIN, 0, task.demonstrations, (), None)


def _fitting_moves(deck: Deck, shown: Mapping[str, Task | None]) -> Fits:
    """Return the moves with which solvers (I) fit their own demonstrations, by solver and move."""
    asked = [
        (solver.name, move, with_move(solver.program, places, f"turning_{move}_{solver.definition}"))
        for solver in deck
        if solver.program.arity == 1
        for move, places in move_places(solver.program).items()
    ]
    fits: Fits = {(name, move): (function, None) for name, move, function in asked if shown[name] is None}
    known = [(*each, task) for each in asked if (task := shown[each[0]]) is not None]
    if known:
        ready = Programs(
            [source_program(ValueSource.MF, function) for _, _, function, _ in known], read_options(limits=FITTING)
        )
        each_its_own = np.arange(len(known))
        samples = tuple([_sample(task) for *_, task in known])
        made = ready.run(Evaluations(samples, len(known), each_its_own, each_its_own)).values
        for (name, move, function, _), value in zip(known, made, strict=True):
            if isinstance(value, Op):
                fits[name, move] = function, value.name
    return fits


def solver_of(original: Solver, name: str, definition: str, program: Program, doc: str) -> Solver:
    """Return a solver of `program`, with the definitions of `original` and its own helpers, at the same place."""
    module, place = original.module, original.place
    needed = [each for each in module.needed(original.definition) if each != original.definition]
    made = Module(module.file, own=module.own)
    made.constants = {each: module.constants[each] for each in needed if each in module.constants}
    made.definitions = {each: module.definitions[each] for each in needed if each in module.definitions}
    # Lines that the original does not have are placed where it begins.
    steps = tuple([replace(step, line=step.line or place.line) for step in program.steps])
    program = replace(program, steps=steps)
    for function in [each for each in all_helpers(program) if each.name not in made.definitions]:
        text = _written(function.program, function.name, f"The steps of {definition}.")
        made.definitions[function.name] = Definition(function.name, function.program, text, place, tuple(needed))
        needed.append(function.name)
    text = _written(program, definition, doc)
    made.definitions[definition] = Definition(definition, program, text, place, tuple(needed))
    return Solver(name, program, definition, made, place)


def _written(program: Program, name: str, doc: str) -> str:
    """Return a program as readable text: with the names of its source and of the language."""
    return definition_text(program, name, names_of(program), doc, Style.NAMES).rstrip()
