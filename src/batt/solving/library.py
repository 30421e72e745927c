"""The functions of decks: solvers, their variants, and what they compute on the way, as parts for a search.

A solver is cut at every step that may be a grid. Functions that do the same on all probes are one function.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from itertools import permutations
from pathlib import Path

import numpy as np
import numpy.typing as npt

from batt.front import Deck, Solver, linked_deck
from batt.ir import Literal, Operand, Program, Slot, Step
from batt.ir.functions import all_helpers, functions_of
from batt.jobs import own_task
from batt.kept import kept
from batt.ops import EVERY_OP, OPS, Op
from batt.runtime import Sample, Split
from batt.runtime.native import library, missing
from batt.solving.products import declared_programs
from batt.solving.running import PreparedFunctions
from batt.tasks import load_tasks
from batt.types import Kind, fingerprint
from batt.types.kinds import Grid
from batt.variants import infer_variants
from batt.variants.places import colour_places

PROBE_TASKS = "arc1-training"
PROBES = 40
"""The grids on which functions are compared."""
MOST_COLOURS = 2
"""The most colours of a template that are replaced."""
MADE_BY = (
    *(
        "analysis",
        "bytecode",
        "codegen",
        "compiler",
        "errors",
        "front",
        "importing",
        "ir",
        "jobs",
        "ops",
        "own",
        "passes",
    ),
    *("runtime", "solving", "source", "tasks", "types", "variants"),
)
"""The code that decides what a library is."""
_MAY_BE_GRID = {Kind.GRID, Kind.ANY, Kind.ELEMENT, Kind.PIECE, Kind.TUPLE, Kind.CONTAINER}


@dataclass(frozen=True, slots=True)
class LibraryFunction:
    """A program from grid to grid. Parameters after the first are colours. `tasks` are the tasks of its solvers."""

    program: Program
    tasks: frozenset[str]

    @property
    def colours(self) -> int:
        """Return the number of colours that it takes."""
        return 0 if self.program.arity == 3 and self.program.params[0] == "S" else self.program.arity - 1

    def is_of(self, task: str) -> bool:
        """Tell whether only solvers of this task have it."""
        return self.tasks == {task}


@dataclass(frozen=True, slots=True)
class FunctionLibrary:
    """Functions by how many colours they take."""

    plain: tuple[LibraryFunction, ...]
    variants: tuple[LibraryFunction, ...]
    templates: tuple[tuple[LibraryFunction, ...], ...]


def solving_deck(name: str) -> Deck:
    """Return a deck of this package, such as `scenes` or `pictures`. It is parsed, never executed.

    A deck is a file, or a folder whose `__init__.py` imports from its files: their solvers are in the order of these
    imports, which is that in which a search tries them. The files may import helpers from one another, and those that
    decks share from `idioms.py`, which lies beside the decks. In `pictures` a solver may declare many programs as a
    product of `batt.solving.products`.
    """
    decks = Path(str(resources.files("batt.solving") / "decks"))
    idioms = (decks / "idioms.py").read_text("utf-8")
    if not (decks / name).is_dir():
        return linked_deck(name, name, {name: (decks / f"{name}.py").read_text("utf-8"), "idioms": idioms})
    texts = {each.stem: each.read_text("utf-8") for each in (decks / name).glob("*.py")}
    return linked_deck(name, "__init__", {**texts, "..idioms": idioms})


def picture_programs() -> list[Program]:
    """Return the programs that the deck `pictures` declares, alone or as products, in the order of their solvers."""
    return [each for solver in solving_deck("pictures") for each in declared_programs(solver.program)]


def probe_grids() -> list[Grid]:
    """Return the grids on which functions are compared: inputs of every tenth of the training tasks."""
    tasks = load_tasks(PROBE_TASKS)
    return [task.train[0].input for task in list(tasks)[:: len(tasks) // PROBES]][:PROBES]


def build_library(decks: Sequence[Deck]) -> FunctionLibrary:
    """Return the functions of these decks. They are kept on disk, unless a deck uses own ops."""
    # The native library runs the functions on the probes.
    content = [b"" if missing() else library().path.read_bytes(), load_tasks(PROBE_TASKS).source.encode()]
    for deck in decks:
        content.append(str(len(deck)).encode())
        for solver in deck:
            part = _content(solver)
            if part is None:
                return _make_library(decks)
            content += part
    return kept(FunctionLibrary, MADE_BY, content, lambda: _digested(_make_library(decks)))


def _content(solver: Solver) -> tuple[bytes, bytes, bytes] | None:
    """Return what a library takes from a solver: its name, its program, and the names that answers show.

    Return None if it uses own ops, whose code may depend on anything.
    """
    programs = [solver.program, *[helper.program for helper in all_helpers(solver.program)]]
    functions = {each for program in programs for each in functions_of(program) if isinstance(each, Op)}
    if any(each is not EVERY_OP.get(each.name) for each in functions):
        return None
    names = [name for each in programs for name in (*each.params, *[step.target for step in each.steps])]
    return _bytes(solver.name), solver.program.digest, _bytes(" ".join(names))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _digested(made: FunctionLibrary) -> FunctionLibrary:
    """Compute the digests of all functions, by which their images are kept."""
    for function in [*made.plain, *made.variants, *[each for group in made.templates for each in group]]:
        _ = function.program.digest
    return made


def _make_library(decks: Sequence[Deck]) -> FunctionLibrary:
    known = load_tasks(PROBE_TASKS)
    parts: dict[Program, set[str]] = {}
    variants: dict[Program, set[str]] = {}
    for part in [part for program in picture_programs() for part in parts_of(program)]:
        parts.setdefault(part, set()).add("")
    for deck in decks:
        owners = {solver.name: own_task(solver.name, set(known.ids)) or solver.name for solver in deck}
        for solver in deck:
            for part in parts_of(solver.program):
                parts.setdefault(part, set()).add(owners[solver.name])
        for variant in infer_variants(deck, known).variants:
            variants.setdefault(variant.solver.program, set()).add(owners[variant.original])
    templates: dict[Program, set[str]] = {}
    for program, tasks in parts.items():
        for template in templates_of(program):
            templates.setdefault(template, set()).update(tasks)
    return FunctionLibrary(
        tuple(_by_behaviour(parts)),
        tuple([LibraryFunction(program, frozenset(tasks)) for program, tasks in variants.items()]),
        tuple(
            [
                tuple(
                    [
                        LibraryFunction(program, frozenset(tasks))
                        for program, tasks in templates.items()
                        if program.arity == 1 + count
                    ]
                )
                for count in range(1, MOST_COLOURS + 1)
            ]
        ),
    )


def parts_of(program: Program) -> Iterator[Program]:
    """Yield the programs of all steps of a solver (I) that may be a grid, or a function of one."""
    if program.arity != 1:
        return
    for number, step in enumerate(program.steps):
        kinds = _kinds(step)
        if kinds & _MAY_BE_GRID:
            yield sliced(program, number)
        if Kind.FN in kinds:
            part = sliced(program, number)
            called = Step(part.result, (Slot(0),), "called", 1)
            yield Program(part.params, 1, (*part.steps, called), Slot(1 + len(part.steps)))


def _kinds(step: Step) -> set[Kind]:
    """Return the kinds that the value of a step may have."""
    if step.callee is None:
        return {Kind.TUPLE}
    if isinstance(step.callee, Literal) and isinstance(step.callee.value, Op):
        return {signature.result for signature in step.callee.value.signatures}
    return {Kind.GRID}


def sliced(program: Program, number: int) -> Program:
    """Return the steps that step `number` depends on, with its value as the result."""
    needed = {number}
    for at in range(number, -1, -1):
        if at in needed:
            needed |= {index - program.arity for index in _slots(program.steps[at]) if index >= program.arity}
    places = {program.arity + at: program.arity + place for place, at in enumerate(sorted(needed))}

    def moved(operand: Operand) -> Operand:
        return Slot(places.get(operand.index, operand.index)) if isinstance(operand, Slot) else operand

    steps = []
    for at in sorted(needed):
        step = program.steps[at]
        callee = None if step.callee is None else moved(step.callee)
        steps.append(Step(callee, tuple(map(moved, step.args)), step.target, step.line))
    return Program(program.params, program.arity, tuple(steps), Slot(places[program.arity + number]))


def _slots(step: Step) -> list[int]:
    return [each.index for each in (step.callee, *step.args) if isinstance(each, Slot)]


def templates_of(program: Program) -> Iterator[Program]:
    """Yield the program with its colours as parameters: all of them, and all but black."""
    places = colour_places(program)
    for chosen in {tuple(places), tuple([colour for colour in places if colour])}:
        if 1 <= len(chosen) <= MOST_COLOURS:
            yield with_parameters(program, [[(each.step, each.position) for each in places[c]] for c in chosen])


def with_parameters(program: Program, groups: Sequence[Sequence[tuple[int, int]]]) -> Program:
    """Return a program (I) with further parameters: one for each group of operands, given by step and position."""
    added = len(groups)
    slots = {place: Slot(1 + number) for number, places in enumerate(groups) for place in places}

    def moved(operand: Operand, place: tuple[int, int]) -> Operand:
        if place in slots:
            return slots[place]
        return Slot(operand.index + added) if isinstance(operand, Slot) and operand.index else operand

    steps = []
    for at, step in enumerate(program.steps):
        callee = None if step.callee is None else moved(step.callee, (at, -1))
        args = tuple([moved(arg, (at, position)) for position, arg in enumerate(step.args)])
        steps.append(Step(callee, args, step.target, step.line))
    names = tuple([f"c{number}" for number in range(1, added + 1)])
    return Program((program.params[0], *names), 1 + added, tuple(steps), moved(program.result, (-1, -1)))


def as_reader(program: Program) -> Program:
    """Return a template as a program (S, I, C) that takes its colours from S: (c1,) or (c1, c2)."""
    before = [Step(Literal(OPS["first"]), (Slot(0),), "c1", 1), Step(Literal(OPS["last"]), (Slot(0),), "c2", 1)]
    before = before[: program.arity - 1]
    shift = 3 + len(before) - program.arity
    params = [Slot(1), *[Slot(3 + at) for at in range(len(before))]]

    def moved(operand: Operand) -> Operand:
        if not isinstance(operand, Slot):
            return operand
        return params[operand.index] if operand.index < program.arity else Slot(operand.index + shift)

    steps = list(before)
    for step in program.steps:
        callee = None if step.callee is None else moved(step.callee)
        steps.append(Step(callee, tuple(map(moved, step.args)), step.target, step.line))
    return Program(("S", "I", "C"), 3, tuple(steps), moved(program.result))


def assignments(colours: Sequence[int], count: int) -> list[tuple[int, ...]]:
    """Return all ways to choose `count` different colours, in order."""
    return list(permutations(colours, count))


def _by_behaviour(parts: dict[Program, set[str]]) -> Iterator[LibraryFunction]:
    """Yield one function for each behaviour on the probes, the shortest; those that give no grid are left out."""
    programs = sorted(parts, key=lambda program: len(program.steps))
    grids = probe_grids()
    samples = [Sample("probe", Split.TRAIN, at, ((grid, grid),), grid, None) for at, grid in enumerate(grids)]
    made = PreparedFunctions(programs).run(samples)
    hashes = np.where(made.is_grid, made.records["hash"], np.uint64(0))
    unchanged = np.array([fingerprint(grid) for grid in grids], np.uint64).tobytes()
    found: dict[bytes, tuple[Program, set[str]]] = {}
    is_ever_grid: npt.NDArray[np.bool_] = np.any(made.is_grid, axis=1)
    for program, row, is_grid in zip(programs, hashes, is_ever_grid, strict=True):
        key = row.tobytes()
        if is_grid and key != unchanged:
            found.setdefault(key, (program, set()))[1].update(parts[program])
    for program, tasks in found.values():
        yield LibraryFunction(program, frozenset(tasks))
