"""The table of rewrite rules, in notation: terms that are equal, errors included. Knows no sequences.

A rule applies wherever its left side occurs: its variables ask for what must be proved about their nodes. All terms but
the outermost were computed before, so they did not fail. The steps that a rule saves, and the checks it drops, are
derived from the op table and never written here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product, repeat
from typing import Any, TypeAlias

from batt.analysis.domain import VARIABLES
from batt.analysis.proofs import Facts
from batt.ir.graph import Body, Node, NodeKind
from batt.ir.interpreter import function_position
from batt.ops import EVERY_OP, OPS
from batt.types import OrderedSet

MIRRORS = [op.name for op in OPS.values() if op.family == "mirrors"]
WORDS: Mapping[str, Any] = {"true": True, "false": False, "none": None, "empty": OrderedSet()}


@dataclass(frozen=True, slots=True)
class Variable:
    """Stands for any node of the form that its letter asks for, the same one wherever it stands in a rule.

    Besides those letters: `k` a constant, `d` no constant, `yes` and `no` what is proved to be true or false.
    """

    name: str


@dataclass(frozen=True, slots=True)
class Constant:
    """Stands for itself."""

    value: Any


@dataclass(frozen=True, slots=True)
class Rest:
    """Stands for any number of items of a tuple."""


@dataclass(frozen=True, slots=True)
class Term:
    """Stands for a call of an op, or for a tuple if there is no op."""

    op: str | None
    args: tuple[Pattern, ...]
    runs_identity: bool = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "runs_identity", IDENTITY in self.args)


Pattern: TypeAlias = Variable | Constant | Rest | Term
Bound: TypeAlias = dict[Pattern, int]
"""The nodes that the variables and terms of a left side stand for."""

IDENTITY = Variable("identity")
"""In place of a loop's function: a body that returns its argument."""


@dataclass(frozen=True)
class Rule:
    """`left -> right`: whatever the data, both give the same value or the same error."""

    text: str
    left: Term = field(init=False)
    right: Pattern = field(init=False)

    def __post_init__(self) -> None:
        left, right = [_read(ast.parse(side.strip(), mode="eval").body) for side in self.text.split("->")]
        assert isinstance(left, Term)
        object.__setattr__(self, "left", left)
        object.__setattr__(self, "right", right)


def _read(tree: ast.expr) -> Pattern:
    match tree:
        case ast.Name(id=name):
            return Constant(WORDS[name]) if name in WORDS else Variable(name)
        case ast.Starred():
            return Rest()
        case ast.Call(func=ast.Name(id=name), args=args):
            assert name in EVERY_OP, name
            return Term(name, tuple(map(_read, args)))
        case ast.Tuple(elts=elements) if not all(isinstance(each, ast.Constant) for each in elements):
            return Term(None, tuple(map(_read, elements)))
    return Constant(ast.literal_eval(tree))


def _mirror_rules() -> Iterator[str]:
    """Yield the rules of the group of the square: any two mirrors or turns are one of them, or none."""
    grid = ((1, 2, 3), (4, 5, 6))
    turned = {name: OPS[name].body(grid) for name in MIRRORS}
    named = {grid: "r", **{each: f"{name}(r)" for name, each in turned.items()}}
    for outer, inner in product(MIRRORS, MIRRORS):
        yield f"{outer}({inner}(r)) -> {named[OPS[outer].body(turned[inner])]}"


def _measure_rules() -> Iterator[str]:
    """Yield the rules of measures that a mirror or turn keeps, or exchanges."""
    for mirror in MIRRORS:
        upright = mirror in ("rot180", "hmirror", "vmirror")
        for op in ("numcolors", "palette", "mostcolor", "leastcolor", "square"):
            yield f"{op}({mirror}(r)) -> {op}(r)"
        yield f"colorcount({mirror}(r), x) -> colorcount(r, x)"
        yield f"height({mirror}(r)) -> {'height' if upright else 'width'}(r)"
        yield f"width({mirror}(r)) -> {'width' if upright else 'height'}(r)"
        for op in ("shape", "portrait", "asindices", "size") if upright else ():
            yield f"{op}({mirror}(r)) -> {op}(r)"


WRITTEN = (
    # Logic
    "identity(x) -> x",
    "branch(x, y, y) -> y",
    "branch(yes, x, y) -> x",
    "branch(no, x, y) -> y",
    "branch(flip(x), y, z) -> branch(x, z, y)",
    "branch(b, true, false) -> b",
    "branch(x, false, true) -> flip(x)",
    "both(x, x) -> x",
    "both(yes, x) -> x",
    "both(no, x) -> no",
    "both(b, true) -> b",
    "both(x, both(x, y)) -> both(x, y)",
    "either(x, x) -> x",
    "either(yes, x) -> yes",
    "either(no, x) -> x",
    "either(b, false) -> b",
    "either(x, either(x, y)) -> either(x, y)",
    "flip(yes) -> false",
    "flip(no) -> true",
    "flip(flip(b)) -> b",
    "equality(x, x) -> true",
    "equality(k, d) -> equality(d, k)",
    "greater(i, i) -> false",
    "greater(s, s) -> false",
    "greater(g, g) -> false",
    "greater(i, 0) -> positive(i)",
    # Numbers
    "add(i, 0) -> i",
    "add(0, i) -> i",
    "add(x, 1) -> increment(x)",
    "add(1, x) -> increment(x)",
    "add(i, i) -> double(i)",
    "subtract(i, 0) -> i",
    "subtract(x, 1) -> decrement(x)",
    "subtract(0, x) -> invert(x)",
    "subtract(i, i) -> 0",
    "increment(decrement(i)) -> i",
    "decrement(increment(i)) -> i",
    "halve(double(i)) -> i",
    "invert(invert(i)) -> i",
    "sign(sign(x)) -> sign(x)",
    # Everyday Python, where it says what a primitive says
    "py_add(i, j) -> add(i, j)",
    "py_sub(i, j) -> subtract(i, j)",
    "py_neg(i) -> invert(i)",
    "py_sub(s, s) -> empty",
    "py_le(i, i) -> true",
    "py_item((x, *_), 0) -> x",
    "py_item((*_, x), -1) -> x",
    "py_part((x, y), 0, 2) -> x",
    "py_part((x, y), 1, 2) -> y",
    "py_part((x, y, z), 0, 3) -> x",
    "py_part((x, y, z), 1, 3) -> y",
    "py_part((x, y, z), 2, 3) -> z",
    "frozenset(s) -> s",
    "frozenset(frozenset(x)) -> frozenset(x)",
    # Tuples and sets
    "astuple(x, y) -> (x, y)",
    "toivec(x) -> (x, 0)",
    "tojvec(x) -> (0, x)",
    "first((x, *_)) -> x",
    "last((*_, x)) -> x",
    "size((x,)) -> 1",
    "size((x, y)) -> 2",
    "size((x, y, z)) -> 3",
    "first(initset(x)) -> x",
    "last(initset(x)) -> x",
    "size(initset(x)) -> 1",
    "maximum(initset(x)) -> x",
    "minimum(initset(x)) -> x",
    "merge(initset(s)) -> s",
    "contained(x, initset(x)) -> true",
    "insert(x, initset(x)) -> initset(x)",
    "remove(x, initset(x)) -> empty",
    "combine(s, s) -> s",
    "intersection(s, s) -> s",
    "difference(s, s) -> empty",
    "difference(t, t) -> ()",
    "totuple(t) -> t",
    "first(totuple(x)) -> first(x)",
    "last(totuple(x)) -> last(x)",
    "size(totuple(x)) -> size(x)",
    "dedupe(dedupe(x)) -> dedupe(x)",
    "apply(identity, s) -> s",
    "mapply(identity, s) -> merge(s)",
    "order(s, identity) -> order(s, none)",
    # Grids and patches
    # Not of a patch: in a set, {1, 2} and (1, 2) may both stand for a place, and a mirror makes one of them.
    "vmirror(vmirror(t)) -> t",
    "hmirror(hmirror(t)) -> t",
    "rot180(rot180(x)) -> x",
    "size(vmirror(t)) -> size(t)",
    "size(hmirror(t)) -> size(t)",
    "replace(r, x, x) -> r",
    "switch(r, x, x) -> r",
    "cellwise(r, r, x) -> r",
    "downscale(r, 1) -> r",
    "crop(r, (0, 0), shape(r)) -> r",
    "subgrid(asindices(r), r) -> r",
    "subgrid(asobject(r), r) -> r",
    "toobject(asindices(r), r) -> asobject(r)",
    "paint(r, asobject(r)) -> r",
    "toindices(asindices(x)) -> asindices(x)",
    "toindices(asobject(r)) -> asindices(r)",
    "toindices(ofcolor(x, y)) -> ofcolor(x, y)",
    "toindices(neighbors(x)) -> neighbors(x)",
    "toindices(dneighbors(x)) -> dneighbors(x)",
    "toindices(ineighbors(x)) -> ineighbors(x)",
    "normalize(normalize(x)) -> normalize(x)",
)

RULES = tuple(map(Rule, (*WRITTEN, *_mirror_rules(), *_measure_rules())))


class Matcher:
    """Matches nodes with the left sides of rules."""

    def __init__(self, nodes: Sequence[Node], bodies: Sequence[Body], facts: Facts) -> None:
        self.nodes = nodes
        self.bodies = bodies
        self.facts = facts

    def find(self, node: Node) -> Iterator[tuple[Rule, Bound]]:
        """Yield the rules whose left side matches a node, with the nodes of their variables."""
        first = self.nodes[node.args[0]].op if node.args else None
        for rule in candidates(node.op.name, first.name if first else None) if node.op else ():
            bound: Bound = {}
            if self._is_term(rule.left, node, bound):
                yield rule, bound

    def body_steps(self, body: Body) -> int | None:
        """Return the steps of a body that only returns its first argument; None for any other."""
        entries, result = [self.nodes[entry] for entry in body.entries], self.nodes[body.result]
        if result.kind is not NodeKind.ARG or result.value != 0:
            return None
        only_charges = all(node.kind is NodeKind.CHARGE and not node.args for node in entries)
        return sum([node.value for node in entries]) if only_charges else None

    def _is_term(self, term: Term, node: Node, bound: Bound) -> bool:
        args, patterns = node.args, term.args
        if term.op is None:
            return node.kind is NodeKind.TUPLE and self._are_items(patterns, args, bound)
        if node.op is None or node.op.name != term.op:
            return False
        if term.runs_identity:
            if node.kind is not NodeKind.LOOP or self.body_steps(self.bodies[node.bodies[0]]) is None:
                return False
            position = function_position(node.op)
            patterns = tuple([each for at, each in enumerate(patterns) if at != position])
            args = args[: len(patterns)]
        elif node.kind is not NodeKind.CALL:
            return False
        return self._are_items(patterns, args, bound)

    def _are_items(self, patterns: Sequence[Pattern], args: Sequence[int], bound: Bound) -> bool:
        if patterns and isinstance(patterns[-1], Rest):
            patterns, args = patterns[:-1], args[: len(patterns) - 1]
        elif patterns and isinstance(patterns[0], Rest):
            patterns, args = patterns[1:], args[max(0, len(args) - len(patterns) + 1) :]
        return len(patterns) == len(args) and all(map(self._is, patterns, args, repeat(bound)))

    def _is(self, pattern: Pattern, number: int, bound: Bound) -> bool:
        node = self.nodes[number]
        match pattern:
            case Variable():
                fits = self._may_be(pattern.name, number)
            case Constant():
                return node.kind is NodeKind.CONST and bool(node.value == pattern.value)
            case Term():
                fits = self._is_term(pattern, node, bound)
            case Rest():
                return False
        return fits and bound.setdefault(pattern, number) == number

    def _may_be(self, name: str, number: int) -> bool:
        wanted = VARIABLES.get(name)
        if wanted is not None:
            return self.facts[number].value.is_a(wanted)
        if name in ("yes", "no"):
            return self.facts[number].value.truth is (name == "yes")
        return (self.nodes[number].kind is NodeKind.CONST) is (name == "k")


@cache
def candidates(op: str, first: str | None) -> list[Rule]:
    """Return the rules whose left side may be a call of `op` whose first operand is a call of `first`."""
    found = [rule for rule in RULES if rule.left.op == op]
    return [rule for rule in found if not isinstance(begun := rule.left.args[0], Term) or begun.op == first]
