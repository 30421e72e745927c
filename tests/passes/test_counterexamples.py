"""Programs that once did otherwise in a graph than on the reference engine, or that kept the compiler from ending."""

from __future__ import annotations

import sys

import pytest

from agreement import difference, read
from batt.passes.specialize import specialize
from batt.runtime import Limits
from handmade import sample, source

GRIDS = (((0, 2, 2), (0, 0, 2), (1, 0, 0)), ((5,),), ((1, 2, 3, 4), (4, 3, 2, 1)))
BUDGETS = (Limits(20_000, 5_000), Limits(40, 5_000), *[Limits(20_000, most) for most in (1, 2, 3, 5)])
LONG = ["f = compose(identity, f)"] * 40
"""Lines that make a function f long enough for a body of its own."""

DIFFERENT = {
    "a mirror was taken to keep the size of a patch in which one place stands as a tuple and as a set": (
        "y = insert(astuple(ONE, NINE), initset(insert(ONE, initset(NINE))))",
        "x = astuple(size(vmirror(y)), size(hmirror(y)))",
    ),
    "so was a mirror of a mirror": (
        "y = insert(astuple(ONE, NINE), initset(insert(ONE, initset(NINE))))",
        "x = astuple(vmirror(vmirror(y)), hmirror(hmirror(y)))",
    ),
    "a set of functions could have more items than one value may have": (
        "f = insert(vmirror, initset(hmirror))",
        "x = ONE",
    ),
    "so could pairs of functions": ("f = pair((vmirror, hmirror), (rot90, rot180))", "x = ONE"),
    "so could a product of functions": ("f = product(initset(vmirror), (rot90, rot180))", "x = ONE"),
    "so could a function repeated": ("f = repeat(vmirror, 3)", "x = ONE"),
    "so could functions combined": ("f = combine((vmirror, hmirror), (vmirror, hmirror))", "x = ONE"),
    "so could functions made in a loop": (
        "f = apply(lbind(compose, vmirror), (hmirror, rot90, rot180))",
        "x = rapply(f, I)",
    ),
    "so could a pair that was picked": (
        "p = ((vmirror, width), (hmirror, height))",
        "q = argmax(p, compose(rbind(apply, (I,)), last))",
        "x = width(I)",
    ),
    "data in place of a function cost nothing where functions were picked": (
        "f = extract((greater, branch), I)",
        "x = ONE",
    ),
    "nor where the greatest was looked for": ("f = argmax(initset(lowermost), I)", "x = ONE"),
    "nor where it was applied to functions": ("x = apply(I, (vmirror, hmirror))",),
    "pairs of functions were charged twice when functions were made of them": (
        "p = ((vmirror, hmirror), (rot90, rot180))",
        "f = apply(fork(compose, first, last), p)",
        "x = rapply(f, I)",
    ),
    "a long function called with two arguments took the body that was made for one": (
        "f = lbind(add, width(I))",
        *LONG,
        "y = f(ONE)",
        "x = f(ONE, TWO)",
    ),
    "a count that is one of two numbers was taken for no number": (
        "p = branch(even(width(I)), (ONE, first), (TWO, last))",
        "n = first(p)",
        "f = power(double, n)",
        "x = f(3)",
    ),
    "StopIteration came out of a loop that made functions, where a later item always raises": (
        "f = compose(lbind(lbind, add), first)",
        "g = (f, lbind(lbind, I))",
        "h = rapply(g, ())",
        "x = ONE",
    ),
    "so it did where what raises it stands in a body": (
        "f = compose(lbind(lbind, add), branch(even(width(I)), first, last))",
        "g = rapply((f, f), ())",
        "x = ONE",
    ),
    "a function to a power that turns out as 1 is that function, so a set holds it once": (
        "f = power(identity, numcolors(I))",
        "s = combine(initset(f), (identity, identity))",
        "x = size(s)",
    ),
    "None as the key by which a function is picked was called": (
        "f = argmax(initset(identity), index(I, (99, 99)))",
        "x = ONE",
    ),
    "a function to a power that turns out as 1 is called itself, and charged, with a wrong number of arguments": (
        "f = power(identity, numcolors(I))",
        "x = f(0, 1)",
    ),
    "a tuple that begins with a function or with data was ordered as if with a function": (
        "c = branch(even(width(I)), vmirror, ONE)",
        "s = insert((TWO, hmirror), initset((c, hmirror)))",
        "x = first(first(s))",
    ),
}


@pytest.mark.parametrize("lines", DIFFERENT.values(), ids=DIFFERENT)
def test_what_differed_once_agrees(lines):
    program = read(source("solve", *lines))
    graph = specialize([("solve", program)]).graph
    for each in graph.slices:
        for grid in GRIDS:
            for limits in BUDGETS:
                assert not difference(graph, each.name, program, sample(grid), limits)


def test_no_pairs_of_functions_are_data():
    # `first` of an empty container of functions ended the compiler with an IndexError.
    assert specialize([("solve", read(source("solve", "p = product(initset(vmirror), ())", "x = first(p)")))]).left_out


ENDLESS = {
    "choices among choices": (
        "f = identity(vmirror)",
        "g = identity(hmirror)",
        *["h = branch(I, f, g)", "g = branch(I, g, f)", "f = identity(h)"] * 25,
        "x = f(I)",
    ),
    "choices among choices that are not called": (
        "f = identity(vmirror)",
        "g = identity(hmirror)",
        *["h = branch(I, f, g)", "g = branch(I, g, f)", "f = identity(h)"] * 25,
        "x = branch(f, ONE, TWO)",
    ),
    "long functions that make functions": (
        "f = lbind(lbind, astuple)",
        *["f = compose(identity, f)"] * 55,
        "x = f(I)(I)",
    ),
    "functions that make functions, twice at every level": (
        "f = lbind(lbind, astuple)",
        *["f = fork(compose, f, f)"] * 40,
        "x = f(I)(I)",
    ),
    "containers of containers of functions": (
        "f = insert(vmirror, initset(hmirror))",
        *["f = product(f, f)"] * 8,
        "x = ONE",
    ),
    "containers that double": ("f = (vmirror, hmirror)", *["f = combine(f, f)"] * 50, "x = ONE"),
    "functions that are alike in every part": (
        *["f = identity(vmirror)", "g = identity(vmirror)"],
        *["f = compose(f, f)", "g = compose(g, g)"] * 55,
        "x = size(insert(f, initset(g)))",
    ),
    "tuples that are alike in every part": (
        *["f = (vmirror, hmirror)", "g = (vmirror, hmirror)"],
        *["f = astuple(f, f)", "g = astuple(g, g)"] * 55,
        "x = size(insert(f, initset(g)))",
    ),
    "a function that applies what it is given to itself": ("w = fork(apply, identity, initset)", "x = w(w)"),
    "a choice that applies what it is given to itself": (
        "w = branch(I, fork(apply, identity, initset), size)",
        "x = w(w)",
    ),
    "tuples of functions that call tuples of functions": (
        "f = (identity, lbind(compose, vmirror))",
        *["f = (lbind(rapply, f), lbind(rapply, f))"] * 25,
        "x = rapply(f, hmirror)",
    ),
    "functions within functions": ("f = identity(vmirror)", *["f = compose(f, identity)"] * 5_000, "x = ONE"),
    "loops within loops": ("f = identity(identity)", *["f = lbind(apply, f)"] * 58, "x = f(I)"),
    "loops within choices within loops": (
        "f = identity(identity)",
        *["f = lbind(apply, branch(I, f, size))"] * 28,
        "x = f(I)",
    ),
}


@pytest.mark.parametrize("lines", ENDLESS.values(), ids=ENDLESS)
def test_the_compiler_ends_within_python_s_usual_depth(lines):
    program = read(source("solve", *lines))
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(1_000)
    try:
        found = specialize([("solve", program)])
    finally:
        sys.setrecursionlimit(limit)
    assert len(found.graph.slices) + len(found.left_out) == 1
    assert len(found.graph.nodes) < 200
