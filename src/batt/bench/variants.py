"""A deck of many variants of few solvers: what a search makes, and what sharing is for.

Each variant is a solver with a few of its operands changed for others of their kind, about two: a colour or number for
another, a flag turned, a primitive for one of the same signatures.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterable, Iterator

from batt.front import Deck
from batt.ir import Literal, Program, Step
from batt.ops import OPS, Op


def variants(decks: Iterable[Deck], count: int, seed: int = 0) -> Iterator[tuple[str, Program]]:
    """That many variants with their names; the same for the same seed."""
    chooser = random.Random(seed)
    solvers = [solver for deck in decks for solver in deck if solver.program.steps]
    alike = _alike()
    made = {solver.program for solver in solvers}
    for number in range(count):
        solver = solvers[number % len(solvers)]
        program = _changed(solver.program, chooser, alike)
        for _ in range(20):
            if program not in made and chooser.random() < 0.5:
                break
            program = _changed(program, chooser, alike)
        made.add(program)
        yield f"{solver.name}_v{number}", program


def variant_deck(decks: Iterable[Deck], count: int, seed: int = 0) -> Deck:
    """The same as a deck. Each solver keeps the place of the one it was made from; none is written out and parsed."""
    kept = tuple(decks)
    solvers = [solver for deck in kept for solver in deck if solver.program.steps]
    made = enumerate(variants(kept, count, seed))
    return Deck(
        [dataclasses.replace(solvers[at % len(solvers)], name=name, program=program) for at, (name, program) in made],
        "variants",
    )


def _alike() -> dict[str, list[Op]]:
    """For each primitive those that can stand in its place: the same parameters and results."""
    groups: dict[object, list[Op]] = {}
    for op in OPS.values():
        groups.setdefault((op.signatures[0], op.family == "functions"), []).append(op)
    return {op.name: group for group in groups.values() for op in group}


def _changed(program: Program, chooser: random.Random, alike: dict[str, list[Op]]) -> Program:
    """The program with one operand changed, of those that stand in its source."""
    places = [
        (at, position)
        for at, step in enumerate(program.steps)
        for position, operand in enumerate((step.callee, *step.args), -1)
        if isinstance(operand, Literal) and _can_change(operand.value, alike)
    ]
    if not places:
        return program
    at, position = chooser.choice(places)
    step = program.steps[at]
    operand = step.callee if position < 0 else step.args[position]
    assert isinstance(operand, Literal)
    changed = Literal(_other(operand.value, chooser, alike))
    args = (*step.args[:position], changed, *step.args[position + 1 :]) if position >= 0 else step.args
    made = Step(changed if position < 0 else step.callee, args, step.target, step.line)
    return dataclasses.replace(program, steps=(*program.steps[:at], made, *program.steps[at + 1 :]))


def _can_change(value: object, alike: dict[str, list[Op]]) -> bool:
    return isinstance(value, int) or (isinstance(value, Op) and len(alike.get(value.name, ())) > 1)


def _other(value: object, chooser: random.Random, alike: dict[str, list[Op]]) -> object:
    if isinstance(value, Op):
        return chooser.choice([op for op in alike[value.name] if op is not value])
    if isinstance(value, bool):
        return not value
    return chooser.choice([number for number in range(10) if number != value])
