"""Read the lines of a `def batt`, in each form in which it may be written.

| form | written by | a step |
|---|---|---|
| sequential | `batt card` | `t7 = fill(t1, TWO, t6)` |
| batch | `batt card --batch` | `t7s = batch_fill(t1s, TWO, t6s)`, read as the line above |
| old | the generator before batt | the line above, most often in a `try` whose `except` gives the name a default |

A default instead of an error is dropped: here the line fails. Statements of an old batt that neither assign a step nor
reach `o` or `s` (logging, time-keeping) are skipped.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from batt.errors import SourceError
from batt.front.forms import assigned_names
from batt.front.syntax import Piece
from batt.front.words import what
from batt.source import Place

_BATCH_NAMES = {"Ss": "S", "Is": "I", "Cs": "C"}
_BATCH_STEP = re.compile(r"t\d+s")
_MAX_NESTED_TRIES = 20
_LEAVES = ast.Return | ast.Raise | ast.Yield | ast.YieldFrom | ast.Await | ast.Break | ast.Continue


class BattForm(Enum):
    """The form in which a batt is written."""

    SEQUENTIAL = "sequential"
    BATCH = "batch"
    OLD = "old"


@dataclass(frozen=True, slots=True)
class BattLine:
    """A statement that assigns names: a step, or in an old batt another statement."""

    statement: ast.stmt
    names: tuple[str, ...]
    has_default: bool


@dataclass(frozen=True, slots=True)
class Output:
    """An `o.append((step, changed, task, value))`."""

    step: int
    task: str
    value: ast.expr
    place: Place


@dataclass(frozen=True, slots=True)
class Score:
    """An `s.append((step, task, differ, value))`; `value` is the scored expression as written."""

    step: int
    task: str | None
    differ: str
    value: str
    place: Place


Event: TypeAlias = BattLine | Output | Score


@dataclass(slots=True)
class BattShape:
    """The content of a batt in order, and its mistakes."""

    form: BattForm
    events: list[Event] = field(default_factory=list)
    mistakes: list[SourceError] = field(default_factory=list)


def form_of(definition: ast.FunctionDef) -> BattForm | None:
    """Return the form of a batt, or None if the definition is not a batt."""
    spec = definition.args
    params = {param.arg for param in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)}
    if definition.name == "batt_batch" and params.issuperset(_BATCH_NAMES):
        return BattForm.BATCH
    if definition.name != "batt" or not params.issuperset(_BATCH_NAMES.values()):
        return None
    is_generated = any(_decorator_name(each) == "batt_function" for each in definition.decorator_list)
    return BattForm.SEQUENTIAL if is_generated else BattForm.OLD


def shape_of(definition: ast.FunctionDef, piece: Piece) -> BattShape:
    """Read the lines of a batt and its mistakes."""
    return _Reading(definition, piece).run()


def _decorator_name(node: ast.expr) -> str:
    match node.func if isinstance(node, ast.Call) else node:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


class _Reading:
    """The state of reading one batt: the names of its two lists, and the events so far."""

    def __init__(self, definition: ast.FunctionDef, piece: Piece) -> None:
        form = form_of(definition)
        assert form is not None, "checked by the caller"
        self.definition = definition
        self.piece = piece
        self.out = BattShape(form)
        self.outputs = self.scores = ""

    def run(self) -> BattShape:
        *body, end = self.definition.body
        match end:
            case ast.Return(value=ast.Tuple(elts=[ast.Name(id=outputs), ast.Name(id=scores)])) if outputs != scores:
                self.outputs, self.scores = outputs, scores
            case _:
                self._mistake("a batt ends with `return o, s`", end)
                return self.out
        if self.out.form is BattForm.BATCH:
            _without_batches(self.definition)
        for statement in body:
            self._statement(statement, depth=0, has_default=False)
        return self.out

    def _mistake(self, message: str, node: ast.AST) -> None:
        self.out.mistakes.append(self.piece.mistake_at(message, node))

    def _statement(self, statement: ast.stmt, depth: int, has_default: bool) -> None:
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr())
            ) if name not in (self.outputs, self.scores):
                self.out.events.append(BattLine(statement, (name,), has_default))
            case ast.Assign(targets=[ast.Tuple(elts=places)]) if not self._is_header(statement) and all(
                isinstance(each, ast.Name) for each in places
            ):
                names = tuple([each.id for each in places if isinstance(each, ast.Name) and each.id != "_"])
                self.out.events.append(BattLine(statement, names, has_default))
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[entry])) if (
                name in (self.outputs, self.scores)
            ):
                self._entry(entry, is_output=name == self.outputs)
            case ast.Expr(value=ast.Constant(value=str())) | ast.Pass():
                pass
            case ast.Assign() | ast.AnnAssign() if self._is_header(statement):
                pass
            case ast.Try(body=body, handlers=handlers, orelse=rest, finalbody=end) if self.out.form is BattForm.OLD:
                if depth == _MAX_NESTED_TRIES:
                    self._mistake(f"try statements are nested deeper than {_MAX_NESTED_TRIES} levels", statement)
                    return
                is_kept = any(isinstance(node, ast.Raise) for each in handlers for node in ast.walk(each))
                for inner in body:
                    self._statement(inner, depth + 1, has_default or not (is_kept or not handlers))
                for inner in (*rest, *end):
                    self._statement(inner, depth + 1, has_default)
            case _:
                self._other(statement)

    def _is_header(self, statement: ast.Assign | ast.AnnAssign) -> bool:
        """Tell whether a line creates the empty lists."""
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        named = [each for target in targets for each in _flat(target)]
        made = _flat(statement.value) if statement.value else []
        return (
            len(targets) == 1
            and len(named) == len(made)
            and all(isinstance(each, ast.Name) and each.id in (self.outputs, self.scores) for each in named)
            and all(isinstance(each, ast.List) and not each.elts for each in made)
        )

    def _other(self, statement: ast.stmt) -> None:
        """Handle a statement that is not a line of a batt: skip it in an old batt if it cannot matter."""
        node = statement.value if isinstance(statement, ast.Expr) else statement
        message = f"{what(node)} is not part of a batt"
        if self.out.form is not BattForm.OLD:
            self._mistake(message, statement)
            return
        names: dict[str, None] = {}
        for each in ast.walk(statement):
            if isinstance(each, _LEAVES) or (isinstance(each, ast.Name) and each.id in (self.outputs, self.scores)):
                self._mistake(message, each if hasattr(each, "lineno") else statement)
                return
            names.update(dict.fromkeys(assigned_names(each, ast.Store | ast.Del)))
        if names:
            # A solver that depends on one of these names includes the statement, and so the mistake.
            self.out.events.append(BattLine(statement, tuple(names), has_default=False))

    def _entry(self, entry: ast.expr, is_output: bool) -> None:
        place = self.piece.place_of(entry)
        match entry, is_output:
            case (
                (
                    ast.Tuple(elts=[ast.Constant(value=int() as step), _, ast.Constant(value=str() as task), value])
                    | ast.Tuple(elts=[ast.Constant(value=int() as step), ast.Constant(value=str() as task), value])
                ),
                True,
            ):
                if task.isprintable() and task:
                    self.out.events.append(Output(step, task, value, place))
                else:
                    self._mistake(f"a task's name must be printable text, not {task!a}", entry)
            case (
                ast.Tuple(
                    elts=[
                        ast.Constant(value=int() as step),
                        ast.Constant(value=(str() | None) as source),
                        ast.Constant(value=str() as differ),
                        value,
                    ]
                ),
                False,
            ):
                self.out.events.append(Score(step, source, differ, self.piece.source_of(value), place))
            case _, True:
                self._mistake("an output is a tuple (step number, changed, 'task', value)", entry)
            case _:
                self._mistake("a score is a tuple (step number, 'task' or None, 'differ', value)", entry)


def _flat(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.Tuple) else [node]


def _without_batches(definition: ast.FunctionDef) -> None:
    """Turn the words and names of a batch into those of one sample, in place: trees can nest too deeply to recurse."""
    for node in ast.walk(definition):
        match node:
            case ast.Call(func=ast.Name(id="batch_call"), args=[function, *args]):
                node.func, node.args = function, args
        if isinstance(node, ast.Name):
            if node.id in _BATCH_NAMES:
                node.id = _BATCH_NAMES[node.id]
            elif _BATCH_STEP.fullmatch(node.id):
                node.id = node.id[:-1]
            else:
                node.id = node.id.removeprefix("batch_")
