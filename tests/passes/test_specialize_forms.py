"""Functions compiled away, in every way of using them: outcomes and steps are those of the reference engine."""

from __future__ import annotations

import pytest

from agreement import first_order
from batt.ir.graph import NodeKind


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
    assert kinds(graph) >= {NodeKind.INVOKE, NodeKind.REPEAT}
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
