"""Functions compiled away, in every way of using them: outcomes and steps are those of the reference engine."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

import batt
from agreement import compiled, difference, read
from batt.ir.graph import NodeKind
from batt.passes.specialize import bodies, emitter, specialize
from batt.runtime import Limits, Status
from handmade import sample, source

GRIDS = (((0, 2, 2), (0, 0, 2), (1, 0, 0)), ((5,),), ((1, 2, 3, 4), (4, 3, 2, 1)))
BUDGETS = (Limits(20_000, 5_000), Limits(60, 5_000), Limits(20_000, 1), Limits(20_000, 2), Limits(150, 3))


def first_order(*lines, helpers="", params="I"):
    """The graph of these lines, which does what the reference engine does with them."""
    program = read(helpers + source("solve", *lines, params=params))
    found = specialize([("solve", program)])
    assert not found.left_out
    for grid in GRIDS:
        for limits in BUDGETS:
            assert not difference(found.graph, "solve", program, sample(grid), limits)
    return found.graph


def reason(*lines, helpers=""):
    """Why these lines are left to the reference engine."""
    return specialize([("solve", read(helpers + source("solve", *lines)))]).left_out["solve"]


def outcome(*lines):
    return compiled(first_order(*lines), "solve", sample(GRIDS[0]), Limits())


def entries(graph):
    return [graph.nodes[entry] for entry in graph.slices[0].entries]


def kinds(graph):
    return {node.kind for node in graph.nodes}


FORMS = {
    "compose": ("f = compose(size, palette)", "x = f(I)"),
    "chain": ("f = chain(increment, size, palette)", "x = f(I)"),
    "fork": ("f = fork(add, height, width)", "x = f(I)"),
    "lbind": ("f = lbind(colorcount, I)", "x = f(TWO)"),
    "rbind": ("f = rbind(colorcount, TWO)", "x = f(I)"),
    "matcher": ("f = matcher(height, width)", "g = matcher(height, THREE)", "x = g(I)"),
    "bound functions of three": ("f = rbind(replace, FIVE)", "g = lbind(f, I)", "x = g(TWO)"),
    "a bound function of four": ("f = lbind(objects, I)", "x = f(T, F, T)"),
    "power": ("f = power(increment, 3)", "x = f(TWO)"),
    "power by a computed count": ("n = numcolors(I)", "f = power(increment, n)", "x = f(TWO)"),
    "a loop": ("f = compose(increment, double)", "x = apply(f, (1, 2))"),
    "a filter": ("f = compose(flip, rbind(equality, ZERO))", "x = sfilter(first(I), f)"),
    "a loop over pairs": ("x = papply(add, (1, 2), (3, 4))",),
    "a product loop": ("f = fork(add, identity, identity)", "p = palette(I)", "x = prapply(add, p, p)"),
    "loops within loops within loops": (
        "f = lbind(apply, rbind(add, numcolors(I)))",
        "g = lbind(apply, f)",
        "x = apply(g, (I, I))",
    ),
    "bind that binds": ("f = lbind(lbind, shift)", "o = asobject(I)", "g = f(o)", "x = g(UNITY)"),
    "bind that composes": ("f = rbind(compose, center)", "g = f(increment)", "x = g(asobject(I))"),
    "fork that loops": (
        "f = fork(mapply, lbind(lbind, shift), compose(neighbors, center))",
        "x = mapply(f, objects(I, T, F, T))",
    ),
    "functions made in a loop body": ("f = compose(rbind(apply, (1, 2)), lbind(lbind, add))", "x = apply(f, (3, 4))"),
    "a filter made in a loop body": (
        "f = compose(lbind(sfilter, palette(I)), lbind(lbind, greater))",
        "x = mapply(f, palette(I))",
    ),
    "choice between functions": ("c = positive(numcolors(I))", "f = branch(c, vmirror, hmirror)", "x = f(I)"),
    "choice within a loop": ("c = even(width(I))", "f = branch(c, double, halve)", "x = apply(f, (4, 6))"),
    "choice between loops": ("f = branch(even(width(I)), apply, mapply)", "x = f(initset, I)"),
    "choice made in a loop body": (
        "f = fork(rapply, chain(initset, rbind(rbind(branch, double), halve), even), identity)",
        "x = mapply(f, palette(I))",
    ),
    "choice with data": ("f = branch(even(width(I)), vmirror, THREE)", "x = f(I)"),
    "choice of counts": (
        "p = branch(even(width(I)), (ONE, first), (TWO, last))",
        "f = power(double, first(p))",
        "x = f(3)",
    ),
    "tuple of functions": ("f = (vmirror, hmirror)", "x = rapply(f, I)"),
    "set of functions": ("f = insert(vmirror, initset(hmirror))", "x = rapply(f, I)"),
    "the same function twice": ("f = insert(compose(size, first), initset(compose(size, first)))", "x = size(f)"),
    "first and last": ("f = insert(vmirror, initset(hmirror))", "a = first(f)", "b = last(f)", "x = a(b(I))"),
    "extract of functions": ("f = (width, height)", "g = extract(f, matcher(rbind(apply, (I,)), (3,)))", "x = g(I)"),
    "argmax of functions": (
        "f = (vmirror, trim)",
        "g = argmax(f, chain(first, rbind(rapply, I), initset))",
        "x = g(I)",
    ),
    "valmax over functions": ("f = (width, height)", "x = valmax(f, chain(first, rbind(rapply, I), initset))"),
    "apply over functions": ("f = (vmirror, hmirror)", "x = apply(rbind(apply, (I, I)), f)"),
    "mapply over functions": ("f = (vmirror, hmirror)", "x = mapply(rbind(apply, (I, I)), f)"),
    "apply that makes functions": ("f = apply(rbind(compose, vmirror), (hmirror, dmirror))", "x = rapply(f, I)"),
    "apply that makes a set of functions": (
        "f = apply(lbind(compose, vmirror), insert(hmirror, initset(dmirror)))",
        "x = rapply(f, I)",
    ),
    "product of functions": (
        "f = insert(vmirror, initset(hmirror))",
        "p = apply(fork(compose, first, last), product(f, f))",
        "x = rapply(p, I)",
    ),
    "product of pairs of functions": (
        "p = product(((vmirror, hmirror), (rot90, rot180)), (trim,))",
        "x = size(p)",
    ),
    "product in canonical order": ("p = product((vmirror, hmirror), (trim,))", "f = first(first(p))", "x = f(I)"),
    "known conditions": ("f = branch(T, vmirror, I)", "g = branch(F, I, hmirror)", "x = f(g(I))"),
    "tuples that begin with data": ("p = ((1, 2), vmirror)", "q = pair(p, p)", "x = last(last(q))(I)"),
    "pairs of functions": ("p = pair((vmirror, hmirror), (rot90, dmirror))", "f = last(last(p))", "x = f(I)"),
    "functions made of data by functions": (
        "f = rapply((lbind(lbind, astuple), lbind(rbind, astuple)), I)",
        "x = rapply(f, ONE)",
    ),
    "a power of 1 is the function itself": ("x = size(insert(power(vmirror, 1), initset(vmirror)))",),
    "a tuple before a longer one": ("s = insert((vmirror, hmirror), initset((vmirror,)))", "x = size(first(s))"),
    "tuples before sets": ("s = insert(initset(vmirror), initset((vmirror, hmirror)))", "x = size(first(s))"),
    "repeat": ("f = repeat(vmirror, 3)", "x = rapply(f, I)"),
    "repeat, no times": ("f = repeat(vmirror, 0)", "x = rapply(f, I)"),
    "combine, totuple, size": ("f = combine((vmirror,), initset(hmirror))", "x = size(totuple(f))"),
    "merge": ("f = merge(((vmirror,), (hmirror, rot90)))", "x = rapply(f, I)"),
    "functions beside data": ("p = (vmirror, I)", "f = first(p)", "x = f(last(p))"),
    "choice between containers": (
        "f = branch(even(width(I)), (vmirror, hmirror), initset(rot90))",
        "x = rapply(f, I)",
    ),
    "truth of functions": ("x = (flip(vmirror), both(vmirror, 1), size(either((vmirror, rot90), 2)))",),
    "truth of containers of functions": ("f = branch((vmirror, hmirror), rot90, rot180)", "x = f(I)"),
    "a function on itself": ("f = fork(compose, identity, identity)", "g = f(vmirror)", "x = g(I)"),
}


@pytest.mark.parametrize("lines", FORMS.values(), ids=FORMS)
def test_functions_are_compiled_away(lines):
    first_order(*lines)


LOOPS = {
    "nothing to call": "x = apply(compose(first, first), ())",
    "an error in a body": "x = apply(compose(first, identity), I)",
    "one item too few": "x = apply(first, ((1, 2), (), 3))",
    "StopIteration in a key": "x = argmax(((), (1,)), first)",
    "StopIteration in a condition": "x = extract(((), (1,)), first)",
    "StopIteration in a filter": "x = sfilter(((), (1,)), first)",
    "nothing found": "x = extract(I, compose(flip, identity))",
    "the wrong number of parameters": "x = apply(add, (1, 2))",
    "the wrong number of parameters, for pairs": "x = papply(size, (1, 2), (3, 4))",
    "data in place of the function": "x = apply(I, (1, 2))",
    "data in place of the function, and nothing to call": "x = apply(I, ())",
}


@pytest.mark.parametrize("line", LOOPS.values(), ids=LOOPS)
def test_errors_in_loops_are_those_of_the_reference(line):
    first_order(line)


def test_stop_iteration_becomes_runtime_error_in_a_loop():
    assert outcome("x = apply(compose(first, identity), ((),))").error == "RuntimeError"
    assert outcome("x = argmax(((),), compose(first, identity))").error == "StopIteration"


@pytest.mark.parametrize("count", ["1", "2", "T", "900", "0", "-1", "901", "I", "ORIGIN", "vmirror", "(vmirror,)"])
def test_power_takes_a_count_from_1_to_900(count):
    first_order(f"f = power(increment, {count})", "x = f(ONE)")


@pytest.mark.parametrize("count", ["width(I)", "subtract(width(I), width(I))", "multiply(width(I), 301)", "shape(I)"])
def test_power_takes_a_computed_count_from_1_to_900(count):
    graph = first_order(f"f = power(increment, {count})", "x = f(ONE)")
    assert NodeKind.COUNT in kinds(graph)
    assert NodeKind.REPEAT in kinds(graph)


def test_power_of_a_long_function_is_a_counted_loop():
    graph = first_order("f = power(compose(vmirror, hmirror), 900)", "x = f(I)")
    assert [node.kind for node in entries(graph)][-1] is NodeKind.INVOKE
    assert len(graph.nodes) < 20


@pytest.mark.parametrize(
    "lines",
    [
        ("x = ONE(I)",),
        ("f = (vmirror,)", "x = f(I)"),
        ("f = compose(vmirror, hmirror)", "x = f(I, I)"),
        ("f = lbind(shift, I)", "x = f(I, I)"),
        ("f = branch(I, vmirror, hmirror)", "x = f(I, I)"),
        ("f = identity(vmirror)", "x = f(I, I)"),
        ("f = identity(objects)", "x = f(I, I)"),
        ("f = identity(size)", "x = f(I, I)"),
        ("f = lbind(size, I)", "x = f()"),
        ("f = lbind(size, I)", "x = f(I, I, I)"),
        ("f = identity(helper)", "x = f(I, I)"),
        ("f = lbind(I, I)", "x = ONE"),
        ("f = rbind((vmirror,), I)", "x = ONE"),
        ("f = compose(I, vmirror)", "x = f(I)"),
        ("f = insert(vmirror, (vmirror, hmirror))", "x = ONE"),
        ("f = insert(I, (vmirror, hmirror))", "x = ONE"),
    ],
    ids=lambda lines: lines[0],
)
def test_a_call_that_cannot_be_made_raises_after_the_same_steps(lines):
    graph = first_order(*lines, helpers="def helper(a):\n    return a\n")
    assert NodeKind.RAISE in kinds(graph)


def test_dead_lines_are_kept():
    graph = first_order("y = vmirror(I)", "f = compose(size, palette)", "z = f(I)", "x = I")
    assert [node.op.name for node in entries(graph) if node.op] == ["vmirror", "palette", "size"]


def test_the_first_error_in_line_order_is_the_outcome():
    assert outcome("y = first(())", "z = increment(I)", "x = I").error == "StopIteration"
    assert outcome("z = increment(I)", "y = first(())", "x = I").error == "TypeError"


def test_only_the_chosen_function_is_run():
    assert outcome("f = branch(I, vmirror, compose(first, last))", "x = f(I)").status is Status.OK
    assert outcome("f = branch(I, compose(first, last), vmirror)", "x = f(ONE)").error == "TypeError"


def test_helpers_are_written_out():
    helpers = "def turn(a, b):\n    c = vmirror(a)\n    return fill(c, b, asindices(a))\n"
    first_order("f = rbind(turn, FIVE)", "x = apply(f, (I, I))", helpers=helpers)


def test_the_demonstrations_are_inputs_too():
    first_order("f = compose(size, first)", "x = apply(f, S)", params="S, I, C")


def test_a_function_that_is_never_called_costs_only_its_making():
    assert [node.kind for node in entries(first_order("f = compose(vmirror, hmirror)", "x = I"))] == [NodeKind.CHARGE]


def test_a_function_composed_with_itself_forty_times_becomes_few_bodies():
    graph = first_order("f = compose(vmirror, identity)", *["f = compose(f, f)"] * 40, "x = f(I)")
    assert len(graph.bodies) < 50
    assert len(graph.nodes) < 200


def test_helpers_that_call_helpers_twice_each_become_few_bodies():
    helpers = "def h0(a):\n    return vmirror(a)\n" + "".join(
        [f"def h{n}(a):\n    b = h{n - 1}(a)\n    return h{n - 1}(b)\n" for n in range(1, 40)]
    )
    assert len(first_order("x = h39(I)", helpers=helpers).bodies) < 50


def test_a_program_that_becomes_too_long_is_left_out():
    lines = ["z = compose(f, g)", "g = compose(g, f)", "f = identity(z)"] * 30
    assert reason("f = identity(vmirror)", "g = identity(hmirror)", *lines, "x = f(I)") == (
        f"more than {emitter.MAX_ENTRIES:,} steps when functions are written out"
    )


def test_functions_that_call_one_another_too_deeply_are_left_out():
    f = ["f = identity(vmirror)", *["f = compose(f, identity)"] * 40]
    g = ["g = rbind(apply, (I,))", *["g = compose(identity, g)"] * 15]
    first_order(*f, *g, "x = g(f)")
    assert reason(*f, *g, *g[1:], "x = g(f)") == f"functions call one another more than {bodies.MAX_DEPTH} deep"


def test_depth_is_counted_through_bodies_that_were_made_before():
    deep = "".join(["    f = compose(f, identity)\n"] * 35)
    again = "    b = f(b)\n" * 30
    helpers = f"def helper(a):\n    f = identity(vmirror)\n{deep}    b = f(a)\n{again}    c = f(b)\n    return f(c)\n"
    calls = ["y = helper(I)", "g = identity(helper)", *["g = compose(identity, g)"] * 30]
    first_order(*calls[:15], "x = g(I)", helpers=helpers)
    expected = f"functions call one another more than {bodies.MAX_DEPTH} deep"
    assert reason(*calls, "x = g(I)", helpers=helpers) == expected


@pytest.mark.parametrize(
    "made",
    [
        "fork(apply, identity, initset)",
        "fork(mapply, identity, initset)",
        "fork(rapply, initset, identity)",
        "branch(I, fork(apply, identity, initset), size)",
    ],
)
def test_a_function_that_calls_itself_without_end_is_left_out(made):
    expected = f"functions call one another more than {bodies.MAX_DEPTH} deep"
    assert reason(f"w = {made}", "x = w(w)") == expected


LEFT_OUT = {
    "a function as the result": (("x = compose(vmirror, hmirror)",), "a function as a value"),
    "functions made of the items of data": (
        ("f = apply(lbind(lbind, add), palette(I))", "x = ONE"),
        "a function as a value",
    ),
    "a set ordered by data": (
        ("f = insert(lbind(add, width(I)), initset(lbind(add, height(I))))", "x = ONE"),
        "the order of functions hangs on data",
    ),
    "a primitive that has no rule": (("x = equality(vmirror, hmirror)",), "equality of functions"),
    "very many functions": (("f = repeat(vmirror, 300)", "x = ONE"), "a container of more than 256 functions"),
    "a pick among containers of several sizes": (
        ("p = ((vmirror, width), (hmirror,))", "q = extract(p, size)", "x = first(q)(I)"),
        "extract among functions and data",
    ),
    "a pick among functions and data": (("x = extract((vmirror, ONE), flip)",), "extract among functions and data"),
    "a computed power of a function of two arguments": (
        ("f = power(add, width(I))", "x = f(ONE)"),
        "power of data, or of a function of several arguments, by a count that is data",
    ),
    "a count that may be a function": (
        ("f = power(double, branch(even(width(I)), TWO, vmirror))", "x = f(3)"),
        "a count that is a choice between data and functions",
    ),
    "a choice of which one makes a function": (
        ("f = branch(I, lbind(lbind, add), ONE)", "x = f(ONE)(ONE)"),
        "one of the functions to choose from cannot be used",
    ),
    "a choice of functions of different numbers of arguments, bound": (
        ("f = lbind(branch(I, add, replace), ONE)", "x = f(ONE)"),
        "functions to choose from that take different numbers of arguments",
    ),
    "alternatives that do different work": (
        ("f = branch(I, lbind(lbind, add), compose(lbind(lbind, add), increment))", "g = f(ONE)", "x = g(ONE)"),
        "functions to choose from that do different work",
    ),
    "deep nesting": (
        ("f = identity(vmirror)", *["f = compose(f, vmirror)"] * 61, "x = ONE"),
        "functions within functions more than 60 deep",
    ),
}


@pytest.mark.parametrize(("lines", "why"), LEFT_OUT.values(), ids=LEFT_OUT)
def test_what_is_left_out_has_a_reason(lines, why):
    assert reason(*lines) == why


def test_what_is_left_out_leaves_nothing_behind():
    programs = [("a", read(source("solve", "y = vmirror(I)", "x = compose(first, last)")))]
    found = specialize([*programs, ("b", read(source("solve", "x = hmirror(I)")))])
    assert set(found.left_out) == {"a"}
    assert [node.op.name for node in found.graph.nodes if node.op] == ["hmirror"]


def test_a_body_captures_no_constants():
    graph = first_order("x = apply(rbind(add, (1, 1)), ((1, 2), (3, 4)))")
    assert [len(node.args) for node in entries(graph) if node.kind is NodeKind.LOOP] == [1]


def test_equal_steps_of_several_programs_are_one_node():
    lines = ("o = objects(I, T, F, T)", "x = apply(compose(increment, size), o)")
    programs = [(name, read(source("solve", *lines, f"x = {name}(x)"))) for name in ("size", "first", "last")]
    graph = specialize(programs).graph
    assert len([node for node in graph.nodes if node.kind is NodeKind.LOOP]) == 1


def test_every_entry_has_the_line_of_its_step():
    helpers = "def helper(a):\n    b = vmirror(a)\n    return hmirror(b)\n"
    graph = first_order("f = compose(rot90, helper)", "y = f(I)", "x = trim(y)", helpers=helpers)
    each = graph.slices[0]
    lines = {
        graph.nodes[n].op.name: line for n, line in zip(each.entries, each.lines, strict=True) if graph.nodes[n].op
    }
    assert lines == {"vmirror": 2, "hmirror": 3, "rot90": 6, "trim": 7}


def test_of_the_400_verifiers_397_are_first_order():
    package = importlib.util.find_spec("reasoning_gym")
    if package is None:
        pytest.skip("reasoning-gym is not installed")
    deck = batt.load_deck(Path(package.submodule_search_locations[0]) / "arc" / "rearc_utils" / "verifiers.py")
    found = specialize([(solver.name, solver.program) for solver in deck])
    assert len(found.graph.slices) == 397
    assert found.left_out == {
        "verify_6aa20dc0": "functions beside data in one container",
        "verify_73251a56": "functions beside data in one container",
        "verify_d22278a0": "a function as a value",
    }


def test_all_solvers_of_the_built_in_deck_are_first_order():
    assert not specialize([(solver.name, solver.program) for solver in batt.load_deck()]).left_out
