"""What is proved of a node's value, whatever the data, by what the ops' declarations prove. Rewrites nothing.

Types are hints and prove nothing. What is proved starts at the inputs and the constants, and goes on through ops whose
result is known from what their operands are proved to be. An argument of a body may be anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from batt.analysis import certain
from batt.ir.graph import Node, NodeKind
from batt.ir.interpreter import function_position
from batt.ops import EVERY_OP, Op, items
from batt.ops.meter import unit
from batt.types import IdentityEnum


class Form(IdentityEnum):
    """What a value is proved to be; the word stands for it on the right side of a guarantee."""

    ANY = "any"
    FUNCTION = "function"
    INT = "int"
    BOOL = "bool"
    SET = "set"
    TUPLE = "tuple"
    RECT = "rect"
    GRID = "grid"
    PAIR = "pair"
    PAIRS = "pairs"

    def is_a(self, wanted: Form) -> bool:
        """Whether whatever has this form has the wanted one as well."""
        return wanted in _FORMS_OF[self]


_WIDER = {
    Form.INT: Form.ANY,
    Form.BOOL: Form.INT,
    Form.SET: Form.ANY,
    Form.TUPLE: Form.ANY,
    Form.RECT: Form.TUPLE,
    Form.GRID: Form.RECT,
    Form.PAIR: Form.TUPLE,
    Form.PAIRS: Form.TUPLE,
}


def _with_wider(form: Form) -> tuple[Form, ...]:
    return (form, *_with_wider(_WIDER[form])) if form in _WIDER else (form,)


_FORMS_OF = {form: _with_wider(form) for form in Form}

LETTERS: Mapping[str, Form] = {
    **dict.fromkeys("xyz", Form.ANY),
    **dict.fromkeys("ij", Form.INT),
    **dict.fromkeys("bc", Form.BOOL),
    **dict.fromkeys("f", Form.FUNCTION),
    **dict.fromkeys("s", Form.SET),
    **dict.fromkeys("t", Form.TUPLE),
    **dict.fromkeys("r", Form.RECT),
    **dict.fromkeys("gh", Form.GRID),
    **dict.fromkeys("p", Form.PAIR),
    **dict.fromkeys("q", Form.PAIRS),
}
"""The form that a variable's letter asks for. A rect is a tuple of rows of one length, with at least one value; a grid
is a rect of ints; a pair is one of two grids, and pairs are what S is."""

REST = "..."
"""What stands for any operands that are left."""


class Steps(NamedTuple):
    """A number of steps or items: some that are known, and the items of nodes, in order and as often as they count."""

    known: int = 0
    nodes: tuple[int, ...] = ()

    def __add__(self, other: Steps) -> Steps:  # type: ignore[override]
        if not self.nodes or not other.nodes:
            return Steps(self.known + other.known, self.nodes or other.nodes)
        return Steps(self.known + other.known, tuple(sorted(self.nodes + other.nodes)))

    def times(self, count: int) -> Steps:
        """So many times as much."""
        return Steps(self.known * count, tuple(sorted(self.nodes * count)))

    def less(self, other: Steps) -> Steps | None:
        """What is left without the other; None where it is not a part of this."""
        left = list(self.nodes)
        for node in other.nodes:
            if node not in left:
                return None
            left.remove(node)
        return Steps(self.known - other.known, tuple(left)) if self.known >= other.known else None


NOTHING = Steps()


@dataclass(frozen=True, slots=True)
class Guarantee:
    """A line of a declaration: what the operands must be, what the result is then, and whether the op may fail."""

    op: str
    params: tuple[str, ...]
    result: Form | None
    size: str
    safe: bool

    def applies(self, forms: Sequence[Form]) -> bool:
        """Whether operands of these forms are what it speaks of."""
        is_open = self.params[-1] == REST
        params = self.params[:-1] if is_open else self.params
        return (len(forms) >= len(params) if is_open else len(forms) == len(params)) and all(
            form.is_a(LETTERS[letter]) for form, letter in zip(forms, params, strict=False)
        )


def guarantees(op: Op) -> list[Guarantee]:
    """Read what an op's declaration proves.

    `r -> r; t ~> t`: `->` cannot fail; `~>` may, but what it gives is so. The result is an operand's form and size, or
    a form with its size in brackets: that of an operand, or a number of items. `...` stands for any operands that are
    left. Of several lines that apply the first counts.
    """
    return [_read(op.name, line) for line in op.known.proves.split("; ") if line]


def _read(op: str, line: str) -> Guarantee:
    is_safe = " -> " in line
    left, _, right = line.partition(" -> " if is_safe else " ~> ")
    params = tuple(left.split(", "))
    word, _, size = right.rstrip("]").partition("[")
    result = None if word in params else Form(word)
    return Guarantee(op, params, result, size or ("" if result else word), is_safe)


GUARANTEED: Mapping[str, list[Guarantee]] = {op.name: guarantees(op) for op in EVERY_OP.values()}


_SHAPES = {Form.INT: certain.INT, Form.SET: certain.SETS, Form.TUPLE: certain.TUPLES}


def _always(op: Op) -> Form:
    """The form of all that an op certainly gives, whatever it is given."""
    given = certain.made(op, [certain.ANY] * op.arity)
    return next((form for form, shapes in _SHAPES.items() if given & ~shapes == 0), Form.ANY)


ALWAYS: Mapping[str, Form] = {op.name: _always(op) for op in EVERY_OP.values()}


@cache
def guarantee(name: str, forms: tuple[Form, ...]) -> Guarantee | None:
    """The first guarantee of an op that speaks of such operands."""
    return next((each for each in GUARANTEED.get(name, ()) if each.applies(forms)), None)


class Fact(NamedTuple):
    """What is proved of a node: its form and size, its truth, and what running it can lead to.

    `safe`: once its operands are there it raises nothing, though it may go over budget. `checked`: its size was held
    against the budget's largest, so a value of that size is within it wherever the node was run.
    """

    form: Form
    size: Steps
    truth: bool | None = None
    safe: bool = False
    checked: bool = False


FUNCTION = Fact(Form.FUNCTION, NOTHING)
"""What is proved of the function that a loop is given."""


class Facts:
    """The facts of a growing list of nodes."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._nodes = nodes
        self._facts: list[Fact] = []

    def __getitem__(self, number: int) -> Fact:
        return self._facts[number] if number < len(self._facts) else self.all()[number]

    def all(self) -> Sequence[Fact]:
        """The facts of all nodes that are there by now."""
        for number in range(len(self._facts), len(self._nodes)):
            self._facts.append(self._fact(number, self._nodes[number]))
        return self._facts

    def steps(self, node: Node, size: Steps) -> Steps | None:
        """What a call takes whose result has that size; None where that hangs on more than sizes."""
        if node.kind in (NodeKind.TUPLE, NodeKind.LIMIT):
            return Steps(1 if node.kind is NodeKind.TUPLE else 0)
        if node.kind is not NodeKind.CALL or node.op is None or node.op.cost not in (None, unit):
            return None
        if node.op.cost is unit:
            return Steps(1)
        return sum([self[arg].size for arg in node.args], Steps(1)) + size

    def _fact(self, number: int, node: Node) -> Fact:
        own = Steps(0, (number,))
        match node.kind:
            case NodeKind.CALL | NodeKind.LOOP:
                return self._called(node, own)
            case NodeKind.INPUT:
                form = {"I": Form.GRID, "S": Form.PAIRS}.get(node.value, Form.ANY)
                return Fact(form, own, truth=True if form is Form.GRID else None)
            case NodeKind.CONST:
                return Fact(form_of(node.value), Steps(items(node.value)), bool(node.value))
            case NodeKind.TUPLE:
                return Fact(Form.TUPLE, self._tuple_size(node, own), bool(node.args), safe=True)
            case NodeKind.LIMIT:
                return Fact(Form.ANY, Steps(node.value), safe=True, checked=True)
            case NodeKind.COUNT:
                return Fact(Form.INT, NOTHING, truth=True)
        return Fact(Form.ANY, own)

    def _tuple_size(self, node: Node, own: Steps) -> Steps:
        """A tuple counts as its length times that of its first item, where that is a tuple with items."""
        if not node.args:
            return NOTHING
        first, form = self._nodes[node.args[0]], self[node.args[0]].form
        if first.kind is NodeKind.TUPLE:
            return Steps(len(node.args) * max(1, len(first.args)))
        if first.kind is NodeKind.CONST:
            return Steps(len(node.args) * (max(1, len(first.value)) if form.is_a(Form.TUPLE) else 1))
        return Steps(len(node.args)) if form.is_a(Form.INT) or form is Form.SET else own

    def _called(self, node: Node, own: Steps) -> Fact:
        op = node.op
        assert op
        operands = [self._facts[arg] for arg in node.args]
        position = function_position(op) if node.kind is NodeKind.LOOP else None
        if position is not None:
            operands = operands[: op.arity - 1]
            operands.insert(position, FUNCTION)
        checked = op.cost is not unit
        found = guarantee(op.name, tuple([each.form for each in operands]))
        if found is None:
            return _result(ALWAYS.get(op.name, Form.ANY), own, False, checked)
        at = found.params.index(found.size) if found.size in found.params else None
        form = found.result or operands[at or 0].form
        size = operands[at].size if at is not None else Steps(int(found.size)) if found.size else own
        return _result(form, size, found.safe and position is None, checked)


def _result(form: Form, size: Steps, safe: bool, checked: bool) -> Fact:
    """The fact of a call's result; an int has no items, and a container is true where it has some."""
    if form.is_a(Form.INT):
        return Fact(form, NOTHING, None, safe, checked)
    truth = True if form.is_a(Form.RECT) or form is Form.PAIR or size.known else None
    return Fact(form, size, truth, safe, checked)


def form_of(value: Any) -> Form:
    """The form of a value that is there."""
    if isinstance(value, int):
        # Equal constants are one node, and True equals 1.
        return Form.BOOL if value in (0, 1) else Form.INT
    if isinstance(value, frozenset):
        return Form.SET
    if not isinstance(value, tuple):
        return Form.ANY
    rows = [row for row in value if isinstance(row, tuple)]
    if not rows or len(rows) < len(value) or {len(row) for row in rows} != {len(rows[0])} or not rows[0]:
        return Form.TUPLE
    return Form.GRID if all(isinstance(cell, int) for row in rows for cell in row) else Form.RECT
