"""What becomes of programs: their slices, their bodies, their lines, and the reasons for those that are left out."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

import batt
from agreement import GRIDS, compiled, first_order, read, reason
from batt.front import Deck
from batt.ir.graph import NodeKind
from batt.passes.specialize import emitter, specialize
from batt.passes.specialize.specializer import Specializer
from batt.runtime import Limits, Status
from handmade import sample, source


def outcome(*lines):
    return compiled(first_order(*lines), "solve", sample(GRIDS[0]), Limits())


def entries(graph):
    return [graph.nodes[entry] for entry in graph.slices[0].entries]


def test_stop_iteration_becomes_runtime_error_in_a_loop():
    assert outcome("x = apply(compose(first, identity), ((),))").error == "RuntimeError"
    assert outcome("x = argmax(((),), compose(first, identity))").error == "StopIteration"


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
        f"more than {emitter.MAX_ENTRIES:,} steps when functions are inlined"
    )


def test_functions_that_call_one_another_too_deeply_are_left_out():
    f = ["f = identity(vmirror)", *["f = compose(f, identity)"] * 40]
    g = ["g = rbind(apply, (I,))", *["g = compose(identity, g)"] * 15]
    first_order(*f, *g, "x = g(f)")
    assert reason(*f, *g, *g[1:], "x = g(f)") == f"functions call one another more than {emitter.MAX_DEPTH} deep"


def test_depth_is_counted_through_bodies_that_were_made_before():
    deep = "".join(["    f = compose(f, identity)\n"] * 35)
    again = "    b = f(b)\n" * 30
    helpers = f"def helper(a):\n    f = identity(vmirror)\n{deep}    b = f(a)\n{again}    c = f(b)\n    return f(c)\n"
    calls = ["y = helper(I)", "g = identity(helper)", *["g = compose(identity, g)"] * 30]
    first_order(*calls[:15], "x = g(I)", helpers=helpers)
    expected = f"functions call one another more than {emitter.MAX_DEPTH} deep"
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
    expected = f"functions call one another more than {emitter.MAX_DEPTH} deep"
    assert reason(f"w = {made}", "x = w(w)") == expected


LEFT_OUT = {
    "a function as the result": (("x = compose(vmirror, hmirror)",), "a function as a value"),
    "functions made of the items of data": (
        ("f = apply(lbind(lbind, add), palette(I))", "x = ONE"),
        "a function as a value",
    ),
    "a set ordered by data": (
        ("f = insert(lbind(add, width(I)), initset(lbind(add, height(I))))", "x = ONE"),
        "the order of functions depends on data",
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


def test_of_the_400_verifiers_398_are_first_order():
    package = importlib.util.find_spec("reasoning_gym")
    if package is None:
        pytest.skip("reasoning-gym is not installed")
    deck = batt.load_deck(Path(package.submodule_search_locations[0]) / "arc" / "rearc_utils" / "verifiers.py")
    found = specialize([(solver.name, solver.program) for solver in deck])
    assert len(found.graph.slices) == 398
    assert found.left_out == {
        "verify_6aa20dc0": "functions beside data in one container",
        "verify_73251a56": "functions beside data in one container",
    }


def test_all_solvers_of_the_built_in_deck_are_first_order():
    assert not specialize([(solver.name, solver.program) for solver in batt.load_deck()]).left_out


def test_a_large_constant_that_is_named_often_is_looked_through_once(monkeypatch: pytest.MonkeyPatch):
    looked: list[object] = []
    known = Specializer.known_tuple
    monkeypatch.setattr(Specializer, "known_tuple", lambda self, value: (looked.append(value), known(self, value))[1])
    text = "K = (1, 2, 3)\n\n\ndef solve(I):\n    x = (K, K, K, I)\n    return (x, K)\n"
    program = Deck.from_sources({"solve": text})[0].program
    assert specialize([("solve", program)]).left_out == {}
    assert looked == [(1, 2, 3)]


MADE_IN_LOOPS = {
    "by counts": (
        "g = apply(lbind(power, compose(outbox, outbox)), interval(ONE, height(I), ONE))",
        "x = rapply(g, I)",
    ),
    "by no counts": ("g = apply(lbind(power, increment), interval(ONE, ONE, ONE))", "x = rapply(g, ONE)"),
    "by counts that are refused": (
        "g = apply(lbind(power, increment), interval(ZERO, TWO, ONE))",
        "x = rapply(g, ONE)",
    ),
    "with data of the outside": (
        "f = rbind(shift, shape(I))",
        "g = apply(lbind(power, f), interval(ONE, width(I), ONE))",
        "x = mapply(chain(merge, lbind(rapply, g), initset), asindices(I))",
    ),
    "of what an op makes": ("g = apply(compose(lbind(lbind, add), size), ((4, 5), (6,)))", "x = rapply(g, ONE)"),
    "of nothing": ("g = apply(compose(lbind(lbind, add), size), interval(ONE, ONE, ONE))", "x = rapply(g, I)"),
    "or never": ("g = apply(lbind(lbind, ONE), interval(ZERO, width(I), TWO))", "x = rapply(g, ONE)"),
    "that are all one": ("g = apply(compose(lbind(rbind, add), size), (I, I))", "x = rapply(g, height(I))"),
    "without their items": ("g = apply(chain(lbind(lbind, add), lbind(branch, T), identity), (1,))", "x = ONE"),
}


@pytest.mark.parametrize("lines", MADE_IN_LOOPS.values(), ids=MADE_IN_LOOPS)
def test_functions_made_in_a_loop_over_data_are_compiled(lines):
    first_order(*lines)
