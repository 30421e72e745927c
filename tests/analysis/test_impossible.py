"""Calls that never succeed: how they are reported, and that no run of a graph ever gets a value from one."""

from __future__ import annotations

import random

import pytest

from batt.analysis.domain import CERTAIN
from batt.analysis.infer import impossible
from batt.analysis.values import certain_constant
from batt.analysis.walk import Walk
from batt.ir.graph import Graph
from batt.ir.interpreter import function_position
from batt.ops import CONSTANTS, OPS
from rearc import deck_graph
from watching import graph_of, watch, watched

GRIDS = (((1, 2, 0), (3, 0, 0)), ((5,),), ((1, 1), (1, 1), (2, 1), (0, 3)))
EXAMPLES = ((GRIDS[0], GRIDS[1]), (GRIDS[2], GRIDS[0]))


def reported(*lines: str) -> list[tuple[int, str]]:
    return [(each.line, each.message) for each in impossible(graph_of(lines))]


BAD = [
    ("x = upscale(I, I)", "upscale: 'factor' expects int, got grid"),
    ("x = upscale(THREE, TWO)", "upscale: 'element' expects element, got int"),
    ("x = first(size(I))", "first: 'container' expects container, got int"),
    ("x = first(())", "first: 'container' expects container, got ()"),
    ("x = fill(I, TWO, ORIGIN)", "fill: 'patch' expects patch, got pair"),
    ("x = add(ofcolor(I, ONE), ONE)", "add: 'a' expects num, got indices"),
    ("x = mostcommon(palette(I))", "mostcommon: 'container' expects tuple, got set"),
    ("x = insert(ONE, I)", "insert: 'container' expects set, got grid"),
    ("x = even(C)", "even: 'n' expects int, got grid or None"),
    ("x = crop(I, ONE, TWO)", "crop: 'start' expects pair, got int"),
    ("x = shift(asindices(I), ONE)", "shift: 'directions' expects pair, got int"),
    ("x = greater(I, ONE)", "greater: 'b' expects tuple, got int"),
    ("x = greater(fgpartition(I), I)", "greater: 'b' expects set, got grid"),
    ("x = power(vmirror, I)(I)", "power: 'n' expects int, got grid"),
    ("x = apply(size, size(I))", "apply: 'container' expects container, got int"),
    ("x = order(size(I), identity)", "order: 'container' expects container, got int"),
    ("x = apply(ONE, I)", "apply: 'function' expects fn, got int"),
    ("x = argmax(I, ONE)", "argmax: 'compfunc' expects fn, got int"),
    ("x = first(valmax(I, size))", "first: 'container' expects container, got int"),
    ("x = apply(compose(even, shape), I)", "even: 'n' expects int, got pair"),
    ("x = apply(lbind(add, I), I)", "add: 'a' expects num, got grid"),
    ("x = branch(size(I), compose(first, size), identity)(I)", "first: 'container' expects container, got int"),
    ("x = first(branch(size(I), size, height)(I))", "first: 'container' expects container, got int"),
    ("x = power(compose(even, initset), height(I))(I)", "even: 'n' expects int, got set"),
]


@pytest.mark.parametrize(("line", "message"), BAD)
def test_a_call_that_cannot_succeed_is_reported_by_its_line(line: str, message: str):
    graph = graph_of(["y = vmirror(I)", line])
    (found,) = impossible(graph)
    assert (found.slice, found.line, found.message) == ("s0", 3, message)
    assert found.op == message.partition(":")[0]


POSSIBLE = [
    "x = upscale(crop(I, ORIGIN, ORIGIN), I)",
    "x = shift(ofcolor(I, NINE), ONE)",
    "x = apply(NINE, ofcolor(I, NINE))",
    "x = difference(ofcolor(I, NINE), ONE)",
    "x = product(ONE, ofcolor(I, NINE))",
    "x = toindices(I)",
    "x = toivec(I)",
    "x = order(I, None)",
    "x = sizefilter(I, I)",
    "x = add((ONE, TWO, I), ONE)",
    "x = hfrontier(I)",
    "x = connect(initset(ONE), UP)",
    "x = maximum(())",
    "x = rapply((), I)",
]


@pytest.mark.parametrize("line", POSSIBLE)
def test_a_call_that_may_succeed_is_not_reported(line: str):
    assert reported(line) == []


def test_what_follows_from_a_failure_is_not_reported_again():
    assert [line for line, _ in reported("y = add(I, ONE)", "z = even(y)", "x = even(I)")] == [2, 4]


def test_a_line_that_stands_twice_is_reported_once():
    assert [line for line, _ in reported("y = add(I, ONE)", "x = add(I, ONE)")] == [2]


def test_a_call_that_one_entry_makes_with_good_and_with_bad_arguments_is_not_reported():
    choice = "f = branch(size(I), first, last)"
    assert len(reported(choice, "x = apply(compose(f, size), I)")) == 2
    assert reported(choice, "x = apply(fork(astuple, compose(f, initset), compose(f, size)), I)") == []


@pytest.mark.parametrize("name", ["first-132", "re-arc"])
def test_no_call_of_the_decks_is_impossible(name: str):
    assert impossible(deck_graph(name)) == ()


def shapes_of(graph: Graph) -> dict[int, int]:
    """All that each node can certainly be, wherever it stands."""
    walk = Walk(graph, CERTAIN)
    found: dict[int, int] = {}
    for trace in (walk.top, *walk.traces.values()):
        for number, value in trace.values.items():
            found[number] = found.get(number, 0) | value.shapes
    return found


@pytest.mark.parametrize(("name", "most"), [("first-132", 132), ("re-arc", 80)])
def test_values_of_the_decks_have_the_shapes_that_are_certain(name: str, most: int):
    graph = deck_graph(name)
    shapes = shapes_of(graph)
    for _, watcher in watched(graph, own=False, most=most):
        assert all(certain_constant(value).shapes & shapes[number] for number, value in watcher.values)


CALLED = [OPS[name] for name in sorted(OPS) if OPS[name].family != "functions"]
UNARY, BINARY = ([op.name for op in CALLED if op.arity == arity] for arity in (1, 2))
MAKERS = ("{f}", "compose({f}, {g})", "lbind({h}, {y})", "rbind({h}, {y})", "fork({h}, {f}, {g})", "power({f}, {y})")
MAKERS_OF_TWO = ("{h}", "{h}", "lbind(cellwise, {y})", "rbind(replace, {y})")
LOOPS_OF_TWO = ("papply", "mpapply", "prapply")


def random_function(rng: random.Random, arity: int, known: list[str]) -> str:
    f, g, h, y = rng.choice(UNARY), rng.choice(UNARY), rng.choice(BINARY), rng.choice(known)
    return rng.choice(MAKERS if arity == 1 else MAKERS_OF_TWO).format(f=f, g=g, h=h, y=y)


def random_program(rng: random.Random) -> list[str]:
    """Lines that call ops on whatever there is, many of them in vain; a failing line ends the run, so few lines."""
    known = ["I", "S", "C", "()", "x0", *rng.sample(sorted(CONSTANTS), 4)]
    lines = ["x0 = asobject(I)"]
    for number in range(1, rng.randint(2, 6)):
        op = rng.choice(CALLED)
        args = [rng.choice([*known, "I", known[-1]]) for _ in op.params]
        position = function_position(op)
        if position is not None and rng.random() < 0.9:
            args[position] = random_function(rng, 2 if op.name in LOOPS_OF_TWO else 1, known)
        lines.append(f"x{number} = {op.name}({', '.join(args)})")
        known.append(f"x{number}")
    return [*lines, f"x = identity({known[-1]})"]


@pytest.mark.parametrize("seed", range(8))
def test_blind_programs_bear_out_what_is_certain_of_them(seed: int):
    rng = random.Random(seed)
    graph = graph_of(*[random_program(rng) for _ in range(150)])
    shapes, found = shapes_of(graph), impossible(graph)
    assert len(found) > 50
    for each in graph.slices:
        vain = {(call.entry, call.node) for call in found if call.slice == each.name}
        for grid in GRIDS:
            watcher = watch(graph, each, (EXAMPLES, grid, None), steps=20_000)
            assert not vain & watcher.gave
            assert all(certain_constant(value).shapes & shapes[number] for number, value in watcher.values)
