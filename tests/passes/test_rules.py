"""Every rule of the table: its left side, as a program, before and after, under any budget."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batt.analysis.proofs import Facts
from batt.ir.graph import Body, Builder, Graph, NodeKind, Slice
from batt.ir.interpreter import Interpreter
from batt.ir.spec import Stage, check
from batt.ops import EVERY_OP, METER, RAISABLE, OverBudget
from batt.passes.merge import merge
from batt.passes.rules import IDENTITY, RULES, Constant, Matcher, Pattern, Rest, Rule, Term, Variable
from batt.passes.simplify import simplify
from batt.types import OrderedSet
from strategies import anything, sets_of, small_grids

ENDLESS = 10**9
GRID = ((1, 2, 0), (0, 1, 1))

SOURCES = {
    "x": ["first(C)", "mostcommon((first(C),))", "I", "3"],
    "y": ["first(last(C))", "mostcommon((first(last(C)),))", "last(I)", "first(C)"],
    "z": ["last(last(C))", "mostcommon((last(last(C)),))", "first(C)"],
    "i": ["height(I)", "size(S)", "7"],
    "j": ["width(I)", "colorcount(I, first(C))"],
    "b": ["flip(first(C))", "equality(first(C), last(C))", "1"],
    "s": ["asindices(I)", "palette(I)", "initset(first(C))", "insert(first(C), palette(I))", "partition(I)"],
    "t": ["totuple(palette(I))", "I", "S", "(first(C), first(C))", "replace(I, 1, first(C))", "totuple(first(C))"],
    "r": ["I", "hconcat(I, I)", "paint(I, asobject(I))", "first(first(S))", "replace(I, 0, first(C))", "rot90(I)"],
    "g": ["I", "hconcat(I, I)", "replace(I, 1, 2)", "last(last(S))"],
    "k": ["0", "(1, 2)", "()", "None"],
    "d": ["first(C)", "height(I)", "I"],
    "yes": ["I", "1", "(1, 2)", "initset(first(C))", "(first(C),)"],
    "no": ["0", "()", "None"],
}
"""Expressions that are proved to be what a variable asks for; those of `first(C)` may be anything at all."""


class Maker:
    """A slice in the making, from the left side of a rule."""

    def __init__(self, sources: dict[str, str]) -> None:
        self.builder = Builder()
        self.entries: list[int] = []
        self.sources = {name: Rule(f"identity({text}) -> 0").left.args[0] for name, text in sources.items()}

    def emit(self, kind: NodeKind, op: str | None, args: list[int], bodies: tuple[int, ...] = ()) -> int:
        number = self.builder.add(kind, EVERY_OP[op] if op else None, tuple(args), bodies)
        self.entries.append(number)
        return number

    def node(self, pattern: Pattern) -> int:
        match pattern:
            case Constant(value):
                return self.builder.add(NodeKind.CONST, value=value)
            case Variable("I" | "S" | "C" as name):
                return self.builder.add(NodeKind.INPUT, value=name)
            case Variable(name):
                return self.node(self.sources[name])
            case Term(op, args) if IDENTITY in args:
                charge = self.builder.add(NodeKind.CHARGE, value=1)
                body = self.builder.add_body(Body(1, (charge,), self.builder.add(NodeKind.ARG, value=0)))
                return self.emit(NodeKind.LOOP, op, [self.node(arg) for arg in args if arg != IDENTITY], (body,))
            case Term(op, args):
                numbers = [self.node(arg) for arg in args if not isinstance(arg, Rest)]
                if Rest() in args:
                    extra = self.node(Term("first", (Variable("C"),)))
                    numbers = [extra, *numbers] if args[0] == Rest() else [*numbers, extra]
                return self.emit(NodeKind.CALL if op else NodeKind.TUPLE, op, numbers)
        raise AssertionError(pattern)

    def graph(self, rule: Rule) -> Graph:
        result = self.node(rule.left)
        self.builder.slices.append(Slice("rule", tuple(self.entries), result))
        return merge([self.builder.graph()])


def variables(pattern: Pattern) -> set[str]:
    if isinstance(pattern, Term):
        return set().union(*[variables(arg) for arg in pattern.args])
    return {pattern.name} - {"identity"} if isinstance(pattern, Variable) else set()


def outcome(graph: Graph, inputs: Any, steps: int = ENDLESS, max_items: int = ENDLESS) -> tuple[Any, ...]:
    """How the slice ends and after how many steps; those of an evaluation over budget are not looked at."""
    METER.reset(steps, max_items)
    try:
        value = Interpreter(graph, inputs).run_slice(graph.slices[0])
        return "ok", value, steps - METER.steps_left
    except RAISABLE as raised:
        return "raised", type(raised).__name__, steps - METER.steps_left
    except OverBudget:
        return ("over budget",)
    finally:
        METER.reset()


rows = st.lists(st.integers(-2, 3), max_size=4).map(tuple)
ways = [anything, rows, st.lists(rows, max_size=4).map(tuple), sets_of(rows, max_size=3)]
values = st.sampled_from(ways).flatmap(lambda way: way)
"""Anything, and as often what almost is a pair, a grid or a patch: rows of any length, tuples and sets of them."""

inputs = st.tuples(
    st.lists(st.tuples(small_grids, small_grids), max_size=2).map(tuple),
    small_grids,
    st.tuples(values, st.tuples(values, values)),
)

AWKWARD = [
    None,
    True,
    (),
    (7,),
    (1, 2, 3),
    ((1, 2), (3,)),
    ((3,), (1, 2, 4)),
    ((), (1, 2)),
    ((1, (2, 3)), (4, (5, 6))),
    OrderedSet(),
    OrderedSet([1, 3]),
    OrderedSet([(0, 1), (2, 0)]),
    OrderedSet([(0, 1, 2), (2, 0, 5)]),
    OrderedSet([((0, 1), (2, 3)), ((5, 1), (0, 7))]),
    OrderedSet([(4, ((0, 1), (2, 3))), (5, ((0, 2), (1, 1)))]),
    OrderedSet([(4, (0, 1)), (5, (0, 1)), (5, (3, 1))]),
    OrderedSet([OrderedSet([(4, (0, 1))]), OrderedSet([(5, (0, 1)), (5, (3, 1))])]),
]
"""Values at which rules that look right go wrong."""

each_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.text)


@each_rule
@settings(max_examples=20)
@given(data=st.data(), given=inputs)
def test_a_rule_changes_neither_outcome_nor_steps(rule, data, given):
    sources = {name: data.draw(st.sampled_from(SOURCES[name]), name) for name in sorted(variables(rule.left))}
    graph = Maker(sources).graph(rule)
    simpler = simplify(graph)
    check(simpler, Stage.SIMPLIFIED)
    whole = outcome(graph, given)
    assert outcome(simpler, given) == whole
    total = whole[-1]
    for steps in {total, total - 1, data.draw(st.integers(1, total + 1), "steps")}:
        for max_items in {ENDLESS, data.draw(st.integers(1, 40), "items"), 1, 2}:
            assert outcome(simpler, given, steps, max_items) == outcome(graph, given, steps, max_items)


def tried_sources(rule: Rule) -> list[dict[str, str]]:
    """Every source of every variable, several variables at a time."""
    names = sorted(variables(rule.left))
    widest = max([len(SOURCES[name]) for name in names])
    return [{name: SOURCES[name][at % len(SOURCES[name])] for name in names} for at in range(widest)]


@each_rule
def test_a_rule_holds_for_awkward_values(rule):
    for sources in tried_sources(rule):
        graph = Maker(sources).graph(rule)
        simpler = simplify(graph)
        for at, value in enumerate(AWKWARD):
            given = (((GRID, GRID),), GRID, (value, (AWKWARD[at - 1], AWKWARD[at - 2])))
            for max_items in (ENDLESS, 1, 2, 3, 5):
                expected = outcome(graph, given, max_items=max_items)
                assert outcome(simpler, given, max_items=max_items) == expected, (sources, value, max_items)


def applied(rule: Rule, sources: dict[str, str]) -> bool:
    """Whether the rule is found at its left side, and the call is another one afterwards."""
    graph = Maker(sources).graph(rule)
    last = graph.nodes[graph.slices[0].result]
    matcher = Matcher(graph.nodes, graph.bodies, Facts(graph.nodes))
    simpler = simplify(graph)
    found = simpler.nodes[simpler.slices[0].result]
    keeps_op = isinstance(rule.right, Term) and rule.right.op == rule.left.op
    is_gone = simpler != graph if keeps_op else (found.kind, found.op) != (last.kind, last.op)
    return is_gone and rule in [each for each, _ in matcher.find(last)]


@each_rule
def test_a_rule_applies(rule):
    assert any(applied(rule, sources) for sources in tried_sources(rule))


def test_there_are_no_two_rules_of_one_left_side():
    assert len({rule.left for rule in RULES}) == len(RULES)


def test_every_variable_of_a_right_side_stands_on_the_left():
    assert all(variables(rule.right) <= variables(rule.left) for rule in RULES)


def test_the_mirrors_are_the_group_of_the_square():
    rules = [rule for rule in RULES if rule.text.count("(r)") and rule.left.op in ("rot90", "dmirror")]
    assert [rule.text for rule in rules][:3] == [
        "rot90(rot90(r)) -> rot180(r)",
        "rot90(rot180(r)) -> rot270(r)",
        "rot90(rot270(r)) -> r",
    ]


def test_sets_and_tuples_are_read_as_constants():
    assert Rule("difference(s, s) -> empty").right == Constant(OrderedSet())
    assert Rule("crop(r, (0, 0), shape(r)) -> r").left.args[1] == Constant((0, 0))
