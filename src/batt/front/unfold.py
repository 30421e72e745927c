"""Split one `def batt` into its solvers.

Each `o.append` of a batt is a solver, and the lines above it, up to the solver before, are its own. Lines of earlier
solvers come in where they are first needed: operands before the line that uses them, depth first. If a solver runs them
in another order, or one of them twice, it has a line `_ = t3, t5`. In the old form a solver's lines are those that its
value depends on, in the order of the file.
"""

from __future__ import annotations

import ast
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from batt.errors import SourceError, never
from batt.front.naming import identifier, solver_name
from batt.front.shape import BattForm, BattLine, BattShape, Output, Score, form_of, shape_of
from batt.front.syntax import Piece
from batt.ir.writing import Numbering
from batt.source import Place

NAMED_AGAIN = "_"
"""The target of a line that names steps of earlier solvers, in the order in which this one runs them."""

MAX_DEALT_NAMES = 1_000_000
"""The most names and numbers in the lines of all solvers: each of n solvers can depend on n shared lines."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One solver of a batt: the number of its step, the task it was written for, its name, and that of its `def`."""

    step: int
    task: str
    name: str
    definition: str
    place: Place


@dataclass(frozen=True, slots=True)
class BattContent:
    """The content of a batt: its solvers, its scores, and the number of lines with a default instead of an error."""

    form: BattForm
    entries: tuple[Entry, ...]
    scores: tuple[Score, ...]
    defaults: int


@dataclass(frozen=True, slots=True)
class Unfolded:
    """A batt with each of its solvers as a definition, and its mistakes."""

    dealt: BattContent
    solvers: list[tuple[Entry, ast.FunctionDef]]
    mistakes: list[SourceError]


def is_batt(definition: ast.FunctionDef) -> bool:
    """Tell whether a definition is a batt rather than a solver or helper."""
    return form_of(definition) is not None


def unfold(definition: ast.FunctionDef, piece: Piece, taken: Iterable[str]) -> Unfolded:
    """Return the solvers of a batt, under names that are not in `taken`, and its mistakes."""
    shape = shape_of(definition, piece)
    mistakes = shape.mistakes
    lines = _BattLines()
    for event in shape.events:
        match event:
            case BattLine():
                lines.add(event)
            case Score():
                lines.scores.append(event)
            case Output():
                lines.end_solver(event)
            case _:
                never(event)
    if not lines.outputs and not mistakes:
        mistakes.append(piece.mistake_at("the batt has no solver: it never calls `o.append`", definition))
    solvers = _solvers(lines, shape, piece, tuple(taken))
    dealt = BattContent(shape.form, tuple([entry for entry, _ in solvers]), tuple(lines.scores), lines.defaults)
    return Unfolded(dealt, solvers, mistakes)


def _solvers(
    lines: _BattLines, shape: BattShape, piece: Piece, taken: tuple[str, ...]
) -> list[tuple[Entry, ast.FunctionDef]]:
    """Return every solver of a batt as a definition; none, with a mistake, if they are too large together."""
    names, defs = Numbering(taken), Numbering(taken)
    found: list[tuple[Entry, ast.FunctionDef]] = []
    total = 0
    for number, output in enumerate(lines.outputs):
        body = lines.of(number, shape.form)
        reads = [lines.output_reads[number], *[lines.reads[n] for n in body]]
        total += sum(read.names for read in reads)
        if total > MAX_DEALT_NAMES:
            message = f"the solvers of the batt hold more than {MAX_DEALT_NAMES:,} names and numbers together"
            shape.mistakes.append(piece.mistake_at(message, output.value))
            return []
        name = names.free(solver_name(output.task))
        entry = Entry(output.step, output.task, name, defs.free(identifier(name)), output.place)
        params = ["S", "I", "C"] if any(read.more_than_input for read in reads) else ["I"]
        statements = [lines.lines[n].statement for n in body]
        found.append((entry, _definition(entry.definition, params, statements, output.value)))
    return found


def written(definition: ast.FunctionDef, texts: dict[ast.stmt, str]) -> str:
    """Return the source of a solver. `texts` caches the lines, which solvers share."""
    for statement in definition.body:
        if statement not in texts:
            texts[statement] = ast.unparse(statement)
    params = ", ".join([param.arg for param in definition.args.args])
    return "\n    ".join([f"def {definition.name}({params}):", *[texts[each] for each in definition.body]])


def _definition(name: str, params: list[str], body: list[ast.stmt], value: ast.expr) -> ast.FunctionDef:
    given = ast.arguments(
        posonlyargs=[], args=[ast.arg(arg=each) for each in params], kwonlyargs=[], kw_defaults=[], defaults=[]
    )
    returned = ast.copy_location(ast.Return(value=value), value)
    definition = ast.FunctionDef(name=name, args=given, body=[*body, returned], decorator_list=[])
    return ast.copy_location(definition, value)


@dataclass(frozen=True, slots=True)
class _Read:
    """The reads of a statement or expression: earlier lines in order, whether S or C, and its number of names."""

    lines: list[int]
    more_than_input: bool
    names: int


class _BattLines:
    """The lines of a batt, what each of them reads, and which belong to each solver."""

    def __init__(self) -> None:
        self.lines: list[BattLine] = []
        self.reads: list[_Read] = []
        self.outputs: list[Output] = []
        self.output_reads: list[_Read] = []
        self.scores: list[Score] = []
        self.defaults = 0
        self.block_of: list[int] = []
        self.latest: dict[str, int] = {}

    def add(self, line: BattLine) -> None:
        self.reads.append(self._read(line.statement))
        self.latest.update(dict.fromkeys(line.names, len(self.lines)))
        self.lines.append(line)
        self.defaults += line.has_default
        self.block_of.append(len(self.outputs))

    def end_solver(self, output: Output) -> None:
        self.outputs.append(output)
        self.output_reads.append(self._read(output.value))

    def _read(self, node: ast.AST) -> _Read:
        names: list[ast.Name] = []
        count = 0
        for each in ast.walk(node):
            count += isinstance(each, ast.Name | ast.Constant)
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load):
                names.append(each)
        # A callee precedes its arguments, and names are looked up in that order.
        names.sort(key=lambda name: (name.lineno, name.col_offset))
        lines = [self.latest[name.id] for name in names if name.id in self.latest]
        return _Read(lines, any(name.id in ("S", "C") for name in names), count)

    def _closed(self, start: Iterable[int]) -> set[int]:
        """Return the lines `start` and everything that they depend on."""
        found: set[int] = set()
        waiting = list(start)
        while waiting:
            number = waiting.pop()
            if number not in found:
                found.add(number)
                waiting.extend(self.reads[number].lines)
        return found

    def of(self, number: int, form: BattForm) -> list[int]:
        """Return the lines of a solver, in its order."""
        if form is BattForm.OLD:
            # Here a line that fails gets a default, so a line that nobody reads has no effect.
            return sorted(self._closed(self.output_reads[number].lines))
        return self._gone_through(number)

    def _gone_through(self, number: int) -> list[int]:
        """Return the lines of a block from top to bottom, each after those of earlier blocks that it needs first.

        A line `_ = t3, t5` stands for those lines themselves, even if they were placed before.
        """
        found: list[int] = []
        placed: set[int] = set()
        for line in range(bisect_left(self.block_of, number), bisect_right(self.block_of, number)):
            named = self.reads[line].lines if self.lines[line].names == (NAMED_AGAIN,) else [line]
            for each in named:
                found += self._needed_first(self.reads[each].lines, placed)
                found.append(each)
                placed.add(each)
        return found + self._needed_first(self.output_reads[number].lines, placed)

    def _needed_first(self, wanted: list[int], placed: set[int]) -> list[int]:
        """Return `wanted` and everything that they depend on, without what is placed: depth first, in reading order."""
        found: list[int] = []
        # Each level is a line and its reads still to be visited. Chains of lines are too deep to recurse.
        stack: list[tuple[int | None, Iterator[int]]] = [(None, iter(wanted))]
        while stack:
            owner, rest = stack[-1]
            read = next((each for each in rest if each not in placed), None)
            if read is not None:
                stack.append((read, iter(self.reads[read].lines)))
                continue
            stack.pop()
            if owner is not None and owner not in placed:
                placed.add(owner)
                found.append(owner)
        return found
