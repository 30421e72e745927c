"""The kinds of the slots of programs."""

from __future__ import annotations

import contextlib
import random

import batt
from batt.analysis.domain import CERTAIN
from batt.analysis.values import OF_KIND
from batt.bench.frozen import first_132
from batt.compiler.slots import slot_kinds
from batt.front import Deck
from batt.jobs.samples import samples_of
from batt.runtime import Limits
from batt.types import Function, Kind, fingerprint
from handmade import program

LIMITS = Limits(steps=50_000, max_items=5_000)


def likely(*lines: str, params: str = "I") -> list[Kind]:
    return [each.likely for each in slot_kinds(program(*lines, params=params))]


def test_inputs_and_results_of_ops_have_their_kinds():
    found = likely("a = objects(I, T, F, T)", "b = argmax(a, size)", "c = subgrid(b, I)", "x = size(c)")
    assert found == [Kind.GRID, Kind.OBJECTS, Kind.OBJECT, Kind.GRID, Kind.INT]


def test_functions_are_known_and_what_they_give_when_called():
    assert likely("f = compose(vmirror, hmirror)", "x = f(I)") == [Kind.GRID, Kind.FN, Kind.GRID]


def test_what_the_compiler_cannot_follow_has_the_kinds_of_the_ops_that_are_called_by_name():
    text = "def solve(I):\n    f = extract((vmirror, hmirror), matcher(size, 2))\n    g = f(I)\n    return hmirror(I)\n"
    found = slot_kinds(Deck.from_sources({"solve": text})["solve"].program)
    assert found[-1].likely is Kind.GRID


def test_steps_after_one_that_always_fails_may_be_anything_or_what_their_ops_give():
    assert likely("a = first(())", "x = vmirror(I)")[1:] == [Kind.ANY, Kind.GRID]


def test_certain_kinds_hold_on_real_samples():
    rng = random.Random(6)
    samples = rng.sample(samples_of(batt.load_tasks("arc1-training")), 3)
    claims = 0
    for solver in rng.sample(list(first_132()), 50):
        kinds = slot_kinds(solver.program)
        assert len(kinds) == solver.program.arity + len(solver.program.steps)
        for each in samples:
            seen: list[object] = list(each.arguments(solver.program.arity))
            with contextlib.suppress(Exception):
                solver.program.run(each.arguments(solver.program.arity), lambda _, value, to=seen: to.append(value))
            for value, kind in zip(seen, kinds, strict=False):
                claims += kind.certain is not Kind.ANY
                wanted = OF_KIND[kind.certain]
                actual = OF_KIND[Kind.FN] if isinstance(value, Function) else CERTAIN.constant(value)
                assert not actual.shapes & ~wanted.shapes, (solver.name, kind, fingerprint(value))
    assert claims > 300
