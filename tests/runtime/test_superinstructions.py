"""Loops that the machine runs whole: the same values, steps and limits as their calls one by one."""

from __future__ import annotations

import random
import textwrap
from typing import Any

import numpy as np
import pytest

from batt.codegen.plan import StagePlan
from batt.compiler import compile_deck, encode_programs
from batt.front import Deck
from batt.runtime import Limits, Sample, Split, Status, evaluate_one
from batt.runtime.batch import pack_samples
from batt.runtime.memory import WorkerMemory
from batt.runtime.native import Budget, NativeBatch, NativeProgram, NativeWorker, library
from batt.types import fingerprint
from encoding import encode_deck
from native_library import needs_library

pytestmark = needs_library

PROGRAMS = {
    "connect over two sets of places": """
        def solve(I):
            x1 = shift(ofcolor(I, 1), (-3, -40000))
            x2 = shift(ofcolor(I, 2), (-1, -40000))
            x3 = prapply(connect, ofcolor(I, 1), ofcolor(I, 2))
            x4 = prapply(connect, ofcolor(I, 2), shift(ofcolor(I, 2), (-4, 3)))
            x5 = prapply(connect, x1, x2)
            return (x3, x4, x5)
        """,
    "connect over tuples and sets that are no places": """
        def solve(I):
            x1 = totuple(ofcolor(I, 1))
            x2 = prapply(connect, x1, ofcolor(I, 2))
            x3 = prapply(connect, ofcolor(I, 2), toobject(ofcolor(I, 1), I))
            return (x2, x3)
        """,
    "a body of several ops": """
        def solve(I):
            x1 = product(ofcolor(I, 1), ofcolor(I, 2))
            x2 = fork(equality, compose(first, first), compose(last, last))
            x3 = sfilter(x1, x2)
            x4 = argmax(x1, fork(subtract, compose(size, first), compose(last, first)))
            x5 = extract(x1, fork(greater, compose(first, last), compose(first, first)))
            return (x3, x4, x5)
        """,
    "columns of ints": """
        def solve(I):
            x1 = interval(-70, 120, 1)
            x2 = apply(chain(double, halve, crement), x1)
            x3 = apply(fork(multiply, chain(sign, decrement, increment), invert), x1)
            x4 = sfilter(x1, fork(both, even, fork(either, positive, rbind(equality, -8))))
            x5 = apply(fork(astuple, rbind(greater, 3), compose(flip, rbind(subtract, 5))), x1)
            x6 = valmax(x1, lbind(subtract, 9))
            x7 = extract(x1, matcher(rbind(add, 4), 100))
            x8 = order(x1, compose(invert, rbind(multiply, -3)))
            return (x2, x3, x4, x5, x6, x7, x8)
        """,
    "columns of places": """
        def solve(I):
            x1 = asindices(I)
            x2 = shift(x1, (-3, -32760))
            x3 = apply(fork(astuple, maximum, minimum), x2)
            x4 = apply(compose(invert, rbind(add, (2, 3))), x1)
            x5 = sfilter(x1, rbind(contained, ofcolor(I, 1)))
            x6 = argmin(x1, fork(subtract, first, last))
            x7 = apply(fork(multiply, identity, last), totuple(x1))
            x8 = mfilter(apply(initset, x1), compose(rbind(greater, 2), size))
            x9 = apply(chain(double, double, double), apply(rbind(multiply, 99999), x1))
            return (x3, x4, x5, x6, x7, x8, x9)
        """,
    "columns of cells": """
        def solve(I):
            x1 = asobject(I)
            x2 = sfilter(x1, matcher(first, 1))
            x3 = apply(fork(add, last, first), x1)
            x4 = extract(x1, chain(rbind(greater, 4), first, last))
            x5 = argmax(x1, compose(first, last))
            x6 = sfilter(x1, fork(equality, first, compose(last, last)))
            return (x2, x3, x4, x5, x6)
        """,
    "functions that a loop makes": """
        def solve(I):
            x1 = ofcolor(I, 1)
            x2 = rbind(sfilter, lbind(greater, 3))
            x3 = apply(compose(lbind(compose, even), lbind(lbind, add)), interval(0, 4, 1))
            x4 = apply(rbind(sfilter, fork(greater, first, last)), initset(x1))
            x5 = lbind(mapply, compose(dneighbors, identity))
            x6 = apply(lbind(sfilter, x1), apply(lbind(lbind, equality), x1))
            x7 = apply(lbind(argmax, asindices(I)), apply(lbind(compose, invert), repeat(fork(add, first, last), 2)))
            return (apply(x2, repeat(interval(0, 9, 1), 2)), rapply(x3, 3), x4, x5(x1), x6, x7)
        """,
    "columns of patches": """
        def solve(I):
            x1 = objects(I, T, F, F)
            x2 = totuple(apply(toindices, x1))
            x3 = sfilter(x1, matcher(color, 1))
            x4 = (apply(center, x2), apply(shape, x2), apply(ulcorner, x1), apply(urcorner, x2))
            x5 = (apply(llcorner, x1), apply(lrcorner, x2), apply(fork(multiply, height, width), x1))
            x6 = argmax(x1, size)
            x7 = order(x2, fork(subtract, uppermost, leftmost))
            x8 = valmin(x2, fork(add, rightmost, lowermost))
            x9 = mfilter(x1, fork(both, chain(flip, even, size), fork(greater, size, height)))
            x10 = extract(x2, compose(positive, uppermost))
            return (x3, x4, x5, x6, x7, x8, x9, x10)
        """,
    "columns of patches beside other items": """
        def solve(I):
            x1 = totuple(apply(toindices, objects(I, T, F, F)))
            x2 = combine(x1, repeat(initset((1, 99999)), 1))
            x3 = (apply(uppermost, x2), apply(center, x2), apply(color, x1), apply(rightmost, apply(normalize, x1)))
            x4 = combine(x1, repeat(difference(asindices(I), asindices(I)), 1))
            x5 = apply(size, x4)
            return (x3, x5, apply(leftmost, x4))
        """,
    "columns of pairs of patches": """
        def solve(I):
            x1 = apply(initset, asobject(I))
            x2 = product(x1, apply(initset, sfilter(asobject(I), matcher(first, 1))))
            x3 = sfilter(x2, fork(equality, compose(color, first), compose(color, last)))
            x4 = fork(equality, compose(leftmost, first), compose(leftmost, last))
            x5 = sfilter(x3, fork(either, x4, fork(equality, compose(height, first), compose(center, last))))
            x6 = extract(product(x1, objects(I, T, F, F)), fork(greater, compose(size, last), compose(size, first)))
            x7 = argmax(product(objects(I, T, F, F), x1), fork(add, compose(size, first), compose(width, last)))
            return (x5, x6, x7)
        """,
    "sizes of pairs": """
        def solve(I):
            x1 = product(asindices(I), asindices(I))
            x2 = product(asindices(I), palette(I))
            x3 = product(apply(initset, asindices(I)), asindices(I))
            x4 = compose(flip, fork(both, identity, compose(flip, last)))
            x5 = compose(size, lbind(rapply, (first, last)))
            return (sfilter(x1, x4), apply(x5, x1), apply(x5, x2), apply(x5, x3), sfilter(x3, compose(first, last)))
        """,
    "distances": """
        def solve(I):
            x1 = asindices(I)
            x2 = apply(initset, totuple(ofcolor(I, 1)))
            x3 = totuple(apply(toindices, objects(I, T, F, T)))
            x4 = fork(greater, compose(minimum, chain(rbind(apply, x2), lbind(rbind, manhattan), initset)), first)
            x5 = argmax(x1, compose(maximum, chain(rbind(apply, x3), lbind(lbind, manhattan), initset)))
            x6 = argmin(x1, compose(rbind(manhattan, ofcolor(I, 2)), initset))
            x7 = valmax(shift(x1, (-40000, 7)), compose(rbind(manhattan, initset((3, 99999))), initset))
            x8 = apply(compose(lbind(manhattan, ofcolor(I, 0)), initset), totuple(x1))
            x9 = apply(fork(manhattan, compose(initset, invert), initset), x1)
            return (sfilter(x1, x4), x5, x8, x9, x6, x7)
        """,
    "steps that are charged again": """
        def solve(I):
            x1 = product(asindices(I), initset((1, 2)))
            x2 = compose(lbind(shift, ofcolor(I, 1)), first)
            x3 = fork(equality, compose(size, x2), fork(multiply, compose(height, x2), compose(width, x2)))
            x4 = compose(size, compose(toindices, x2))
            x5 = argmax(objects(I, T, F, F), fork(add, color, fork(multiply, color, size)))
            x6 = apply(fork(astuple, compose(size, outbox), compose(lbind(index, I), compose(ulcorner, outbox))), x1)
            return (argmax(x1, x3), sfilter(x1, fork(greater, x4, compose(size, x2))), x5, x6)
        """,
    "copies of a patch, united": """
        def solve(I):
            x1 = lbind(mapply, lbind(shift, asobject(I)))
            x2 = combine(asindices(I), shift(asindices(I), (2, 70)))
            x3 = mapply(lbind(shift, x2), asindices(I))
            x4 = mapply(lbind(shift, ofcolor(I, 1)), shift(x2, (-32768, 5)))
            x5 = mapply(lbind(shift, combine(recolor(-7, x2), recolor(3, ofcolor(I, 0)))), x2)
            x6 = mapply(lbind(shift, combine(recolor(-7, x2), recolor(99, x2))), x2)
            x7 = mapply(lbind(shift, shift(x2, (0, 32690))), x2)
            x8 = mapply(lbind(shift, asobject(I)), totuple(ofcolor(I, 1)))
            x9 = mapply(lbind(shift, difference(x2, x2)), x2)
            return (x1(x2), x1(asindices(I)), x3, x4, x5, x6, x7, size(x8), x9, x1(difference(x2, x2)))
        """,
    "columns of shifted patches": """
        def solve(I):
            x1 = product(ofcolor(I, 1), ofcolor(I, 2))
            x2 = compose(lbind(shift, ofcolor(I, 1)), first)
            x3 = compose(lbind(shift, ofcolor(I, 2)), last)
            x4 = fork(intersection, x2, x3)
            x5 = fork(combine, x2, x3)
            x6 = argmin(x1, compose(size, x4))
            x7 = sfilter(x1, fork(equality, compose(size, x5), compose(fork(multiply, height, width), x5)))
            x8 = (apply(fork(add, compose(center, x5), compose(lrcorner, x2)), x1), sfilter(x1, compose(flip, x4)))
            x9 = compose(lbind(intersection, ofcolor(I, 1)), lbind(shift, asindices(I)))
            x10 = apply(compose(size, x9), asindices(I))
            x11 = apply(chain(uppermost, lbind(shift, asindices(I)), rbind(multiply, 99999)), asindices(I))
            x12 = apply(chain(leftmost, lbind(shift, asindices(I)), rbind(multiply, 399999999)), asindices(I))
            x13 = sfilter(asindices(I), compose(positive, compose(size, fork(intersection, x9, dneighbors))))
            x14 = extract(x1, fork(both, x4, fork(greater, compose(size, x5), compose(size, x4))))
            return (x7, x8, x10, x11, x12, x13, x6, x14)
        """,
}
BUDGETS = (
    Limits(),
    *[Limits(max_items=most) for most in (1, 3, 8)],
    *[Limits(steps=steps) for steps in (40, 90, 200, 700, 1500, 4000, 20000)],
)


def grids() -> list[Any]:
    rng = random.Random(3)
    sides = [(rng.randint(1, 9), rng.randint(1, 9)) for _ in range(12)]
    return [tuple([tuple([rng.choice((0, 0, 1, 2)) for _ in range(w)]) for _ in range(h)]) for h, w in sides]


@pytest.mark.parametrize("limits", BUDGETS, ids=lambda limits: f"{limits.steps} steps, {limits.max_items} items")
@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "as it stands"])
def test_a_loop_run_whole_is_its_calls(compiled: bool, text: str, limits: Limits):
    deck = Deck.from_sources({"solve": textwrap.dedent(text)})
    whole = (
        encode_deck(compile_deck(deck), StagePlan()) if compiled else encode_programs({"solve": deck["solve"].program})
    )
    image = whole.image
    samples = [Sample("task", Split.TRAIN, 0, (), grid, None) for grid in grids()]
    made, found = pack_samples(samples), library()
    program = NativeProgram(found, image.words, image.pool)
    batch = NativeBatch(found, made.data, made.ends, made.rows)
    numbers = np.arange(len(samples), dtype=np.uint32)
    budget = Budget(limits.steps, limits.max_items, 1 << 40)
    _, results = NativeWorker(found, WorkerMemory(1 << 26)).run(program, batch, 0 * numbers, numbers, budget)
    for sample, result in zip(samples, results, strict=True):
        expected = evaluate_one(deck["solve"].program, sample, limits)
        value = fingerprint(expected.value) if expected.status is Status.OK else 0
        got = [int(result[name]) for name in ("status", "error", "steps", "hash")]
        assert got == [expected.status, expected.error_number, expected.steps, value], sample.input
