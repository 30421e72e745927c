"""The checks of a deck, from what the front end and the compiler know about it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from batt.analysis.infer import impossible
from batt.front import Deck, Solver
from batt.front.definitions import Definition, Module
from batt.front.naming import SOLVER_NAME
from batt.ir import Program
from batt.ir.graph import Graph, NodeKind
from batt.linting.findings import Finding, FindingKind
from batt.linting.steps import dead_lines, unread_parameters
from batt.passes.specialize import Specialized, specialize
from batt.source import Place

ProgramKey: TypeAlias = tuple[tuple[int, ...], int] | Program
"""Equal for programs with the same steps: a slice's entries and result, or the program if it has no slice."""


def findings_of(deck: Deck) -> Iterator[Finding]:
    """Yield all findings in a deck, in no particular order."""
    for mistake in deck.mistakes:
        yield Finding(FindingKind.MISTAKE, mistake.message, mistake.place, line=mistake.line)
    compiled = specialize([(solver.name, solver.program) for solver in deck])
    yield from _failing(deck, compiled.graph)
    yield from _duplicates(deck, compiled)
    modules = _modules(deck)
    used = {place for module, solvers in modules for place in _reached(module, solvers)}
    imported_from = {id(sibling) for module, _ in modules for sibling in module.siblings}
    for module, solvers in modules:
        yield from _dead_steps(module, solvers)
        # The names that a definition with mistakes would use are unknown.
        if not (deck.mistakes if id(module) in imported_from else module.mistakes):
            yield from _unused(module, solvers, used)


def _modules(deck: Deck) -> list[tuple[Module, set[str]]]:
    """Return the texts of a deck and those that they import from, each with the names of its solvers' definitions."""
    found: dict[int, tuple[Module, set[str]]] = {}
    waiting = list({id(solver.module): solver.module for solver in deck}.values())
    while waiting:
        module = waiting.pop(0)
        if id(module) not in found:
            found[id(module)] = module, {name for name in _own(module) if SOLVER_NAME.match(name)}
            waiting += module.siblings
    for solver in deck:
        found[id(solver.module)][1].add(solver.definition)
    return list(found.values())


def _own(module: Module) -> dict[str, Definition]:
    """Return the definitions of the text itself: no words of the dialect, nothing imported from another file."""
    found = module.definitions.items()
    return {name: each for name, each in found if not each.is_word and name not in module.imported}


def _failing(deck: Deck, graph: Graph) -> Iterator[Finding]:
    """Yield steps that fail on every sample, and calls within functions that fail whenever they are reached."""
    for each in impossible(graph):
        solver = deck[each.slice]
        if each.entry == each.node:
            yield _at_line(FindingKind.NEVER_SUCCEEDS, each.message, solver, each.line)
        else:
            yield _at_line(FindingKind.FAILING_CALL, f"inside a function: {each.message}", solver, each.line)
    for part in graph.slices:
        for entry, line in zip(part.entries, part.lines, strict=True):
            node = graph.nodes[entry]
            if node.kind is NodeKind.RAISE:
                yield _at_line(FindingKind.NEVER_SUCCEEDS, _raises(node.value), deck[part.name], line)


def _raises(error: str) -> str:
    hint = "; is what it calls a function of that many arguments?" if error == "TypeError" else ""
    return f"raises {error} on every sample{hint}"


def _at_line(kind: FindingKind, message: str, solver: Solver, line: int) -> Finding:
    """Return a finding at a line that a solver runs, which may be in a helper of its text."""
    module = solver.module
    for name in reversed(module.needed(solver.definition)):
        definition = module.definitions.get(name)
        if definition and not definition.is_word and any(step.line == line for step in definition.program.steps):
            told = message if name == solver.definition else f"{message}; called by {solver.name}"
            return _finding(kind, told, module, definition, line)
    return Finding(kind, message, solver.place, solver.definition)


def _finding(kind: FindingKind, message: str, module: Module, definition: Definition, line: int) -> Finding:
    """Return a finding at the first word of a line of a definition."""
    lines = definition.text.split("\n")
    at = line - definition.place.line
    # The text of a solver in a batt is not that of the file.
    text = lines[at] if module.batt is None and 0 <= at < len(lines) else ""
    column = len(text) - len(text.lstrip()) + 1
    return Finding(kind, message, Place(definition.place.file, line, column), definition.name, text)


def _duplicates(deck: Deck, compiled: Specialized) -> Iterator[Finding]:
    """Yield solvers with the program of an earlier one: the same steps in the same order, helpers written out."""
    slices = {each.name: (each.entries, each.result) for each in compiled.graph.slices}
    first: dict[ProgramKey, Solver] = {}
    for solver in deck:
        same = first.setdefault(slices.get(solver.name, solver.program), solver)
        if same is not solver:
            message = f"{solver.name} has the same program as {same.name} ({same.place})"
            line = solver.module.definitions[solver.definition].text.split("\n")[0]
            yield Finding(FindingKind.DUPLICATE_SOLVER, message, solver.place, solver.definition, line)


def _dead_steps(module: Module, solvers: set[str]) -> Iterator[Finding]:
    for definition in _own(module).values():
        is_solver = definition.name in solvers and definition.program.arity in (1, 3)
        for dead in dead_lines(definition.program, is_solver):
            what = "is read only by steps that nobody reads" if dead.is_read else "is never read"
            why = "it can raise an error, which fails the solver" if dead.can_fail else "it cannot raise an error"
            message = f"{dead.target!r} {what}; {why}"
            yield _finding(FindingKind.DEAD_STEP, message, module, definition, dead.line)


def _unused(module: Module, solvers: set[str], used: set[Place]) -> Iterator[Finding]:
    """Yield helpers and constants that no solver reaches, and parameters that nothing reads."""
    for name, definition in _own(module).items():
        head = definition.text.split("\n")[0]
        if definition.place not in used:
            yield Finding(FindingKind.UNUSED_HELPER, f"no solver uses {name!r}", definition.place, name, head)
        for message in _unread(definition, is_solver=name in solvers):
            yield Finding(FindingKind.UNUSED_PARAMETER, message, definition.place, name, head)
    for name in module.constants.keys() - module.imported:
        place = module.constant_places[name]
        if place not in used:
            message = f"no solver uses {name!r}"
            yield Finding(FindingKind.UNUSED_CONSTANT, message, place, line=module.text_of(name))


def _reached(module: Module, solvers: set[str]) -> set[Place]:
    """Return the places of all definitions and constants that the solvers of a text reach, in whatever file."""
    found, waiting = set[str](), list(solvers)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += module.definitions[name].uses if name in module.definitions else ()
    return {module.place_of(name) for name in found if name in module.definitions or name in module.constants}


def _unread(definition: Definition, is_solver: bool) -> list[str]:
    """Return messages about parameters. A solver may leave S or C unread; one that reads none ignores its sample."""
    unread, params = unread_parameters(definition.program), definition.program.params
    if not is_solver:
        return [f"{name!r} of {definition.name} is never read" for name in unread if not name.startswith("_")]
    ignores_sample = f"{definition.name} reads none of its parameters: its result is the same for every sample"
    return [ignores_sample] if len(unread) == len(params) else []
