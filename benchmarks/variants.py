"""Write a deck of many variants of few solvers: what a search makes, and what sharing is for.

python benchmarks/variants.py variants.jsonl [--count 20000] [--deck PATH …]
batt bench --deck variants.jsonl --engines cpu:no-share,cpu --limit 160000

Each variant is a solver with about two of its operands replaced by others of their kind: a colour or number by another,
a flag by its opposite, a primitive by one with the same signatures. The decks are the built-in one by default.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from batt.files import write_text
from batt.front import BUILT_IN, Deck, load_deck
from batt.ir import Literal, Program, Step
from batt.ir.writing import called_op, source_text
from batt.ops import OPS, Op
from batt.ops.python import PART

COUNT = 20_000


def variants(decks: Iterable[Deck], count: int, seed: int = 0) -> Iterator[tuple[str, Program]]:
    """Yield `count` variants with their names; the same for the same seed."""
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


def _alike() -> dict[str, list[Op]]:
    """Return, by primitive, those with the same parameters and results."""
    groups: dict[object, list[Op]] = {}
    for op in OPS.values():
        groups.setdefault((op.signatures[0], op.family == "functions"), []).append(op)
    return {op.name: group for group in groups.values() for op in group}


def _changed(program: Program, chooser: random.Random, alike: dict[str, list[Op]]) -> Program:
    """Return the program with one operand changed, of those that its source writes out."""
    places = [
        (at, position)
        for at, step in enumerate(program.steps)
        if not _unpacks(step)
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


def _unpacks(step: Step) -> bool:
    """Tell whether the step is a target of an unpacking, whose numbers no source writes out."""
    op = called_op(step)
    return op is not None and op.name == PART


def _can_change(value: object, alike: dict[str, list[Op]]) -> bool:
    return isinstance(value, int) or (isinstance(value, Op) and len(alike.get(value.name, ())) > 1)


def _other(value: object, chooser: random.Random, alike: dict[str, list[Op]]) -> object:
    if isinstance(value, Op):
        return chooser.choice([op for op in alike[value.name] if op is not value])
    if isinstance(value, bool):
        return not value
    return chooser.choice([number for number in range(10) if number != value])


def deck_lines(named: Iterable[tuple[str, Program]]) -> Iterator[str]:
    """Yield programs as JSON lines of name and source, which `load_deck` reads."""
    for name, program in named:
        yield json.dumps({"name": name, "source": source_text(program, name)}) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the deck."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, metavar="FILE", help="the deck to write, as JSON lines")
    parser.add_argument(
        "--count", type=int, default=COUNT, metavar="N", help=f"number of variants (default: {COUNT:,})"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="random seed (default: 0)")
    parser.add_argument("--deck", action="append", metavar="PATH", help="make variants of this deck; may be repeated")
    args = parser.parse_args(arguments)
    decks = [load_deck(path) for path in args.deck or [BUILT_IN]]
    write_text(args.file, "".join(deck_lines(variants(decks, args.count, args.seed))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
