"""States of a task: the values that programs have alone, each once, whatever the number of threads."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

import batt
from batt.bytecode.abi import Ended
from batt.dsl import F, T, color, ofcolor, size
from batt.errors import UsageError
from batt.front import Solver
from batt.ir import Literal, Program, Slot, Step
from batt.ops import EVERY_OP
from batt.runtime import Status, evaluate_one, outcome_of
from batt.states import OpenEngine, StateKind, States, applying
from batt.types import fingerprint
from native_library import needs_library

pytestmark = needs_library

TASK = "05f2a901"
GRIDS = ["vmirror", "hmirror", "dmirror", "rot90", "tophalf", "lefthalf", "trim", "compress"]


@pytest.fixture
def engine() -> Iterator[OpenEngine]:
    with batt.open_engine(engine="cpu", workers=1) as opened:
        yield opened


@pytest.fixture
def states(engine: OpenEngine) -> States:
    return engine.states(batt.load_tasks("arc1-training")[TASK])


def some_states(states: States) -> list[int]:
    """Handles of many kinds: constants, functions, grids, objects, places."""
    values: list[Any] = [0, 1, 2, 3, 5, -1, T, F, (0, 1), (1, 0), (2, 2), size, color, ofcolor, (), None]
    handles = [states.I, states.S, *[states.constant(value) for value in values]]
    for name in ("vmirror", "asindices", "asobject", "palette", "leastcolor", "shape", "fgpartition", "frontiers"):
        handles += states.apply(name, states.I).handles.tolist()
    objects = states.apply("objects", states.I, *[states.constant(flag) for flag in (T, F, T)]).handles
    handles += [*objects, *states.apply("first", objects).handles, *states.apply("totuple", objects).handles]
    colours = states.apply("leastcolor", states.I).handles
    handles += states.apply("lbind", states.constant(ofcolor), states.I).handles.tolist()
    handles += states.apply("ofcolor", states.I, colours).handles.tolist()
    return sorted({each for each in handles if each >= 0})


def test_every_op_makes_what_the_reference_engine_makes(states: States):
    pool, random = some_states(states), Random(7)
    known = {handle: states.values(handle) for handle in pool}
    kept = 0
    for op in EVERY_OP.values():
        rows = [[random.choice(pool) for _ in range(op.arity)] for _ in range(12)]
        applied = states.apply(op, *np.array(rows, np.int64).T)
        for place, row in enumerate(rows):
            found, steps, hashes = applied.candidates[place], 0, []
            for at in range(len(states.samples)):
                outcome = outcome_of(lambda: op(*[known[each][at] for each in row]), states.limits)  # noqa: B023
                steps += outcome.steps
                if outcome.status is not Status.OK:
                    break
                hashes.append(fingerprint(outcome.value))
            if found["status"] == Ended.UNSUPPORTED:
                continue
            assert (found["status"], found["steps"]) == (outcome.status, steps), (op.name, row)
            assert applied.failure(place) == (outcome.error or outcome.status.word * (outcome.status is not Status.OK))
            if outcome.status is Status.OK:
                assert states.hashes(int(found["handle"]))[0].tolist() == hashes, (op.name, row)
                kept += 1
    assert kept > 300


def test_a_state_has_the_hashes_of_its_program_alone(engine: OpenEngine, states: States):
    grids = states.apply_each(GRIDS, np.arange(len(GRIDS)), states.I).new
    chosen = states.apply_each(GRIDS, np.repeat(np.arange(len(GRIDS)), len(grids)), np.tile(grids, len(GRIDS))).new
    programs = [states.program(each) for each in chosen.tolist()]
    run = engine.run(programs, states.samples)
    assert (run.hashes.reshape(len(chosen), -1) == states.hashes(chosen)).all()
    assert len({tuple(each) for each in states.hashes().tolist()}) == len(states)


def test_values_come_back_as_packed_grids_and_as_values(states: States):
    mirrored = int(states.apply("vmirror", states.I).handles[0])
    wanted = [EVERY_OP["vmirror"](sample.input) for sample in states.samples]
    packed = states.grids([states.I, mirrored])
    count = len(states.samples)
    assert [tuple(map(tuple, packed[count + at].tolist())) for at in range(count)] == wanted
    assert states.values(mirrored) == wanted
    objects = int(states.apply("asobject", states.I).handles[0])
    assert not states.grids(objects).shapes.any()
    assert (states.shapes([states.I, mirrored]).reshape(-1, 2) == packed.shapes).all()
    assert not states.shapes(objects).any()
    assert states.values(objects) == [EVERY_OP["asobject"](sample.input) for sample in states.samples]


@pytest.mark.parametrize("most_bytes", [1 << 30, 40_000])
def test_threads_change_no_handle_and_no_program(monkeypatch: pytest.MonkeyPatch, most_bytes: int):
    monkeypatch.setattr(applying, "BLOCK", 16)
    found = []
    for workers in (1, 3):
        with batt.open_engine(engine="cpu", workers=workers) as engine:
            states = engine.states(batt.load_tasks("arc1-training")[TASK], most_bytes=most_bytes)
            grids, made = np.array([states.I]), []
            for _ in range(3):
                called = np.repeat(np.arange(len(GRIDS)), len(grids))
                applied = states.apply_each(GRIDS, called, np.tile(grids, len(GRIDS)))
                made.append(applied.candidates.tolist())
                grids = applied.new
            found.append((made, states.hashes().tolist(), states.lengths().tolist(), states.refused))
    assert found[0] == found[1]
    assert (found[0][3] > 0) == (most_bytes == 40_000)


def test_states_beyond_the_memory_are_refused_and_counted(engine: OpenEngine):
    task = batt.load_tasks("arc1-training")[TASK]
    most_bytes = engine.states(task).used_bytes + 3_000
    states = engine.states(task, most_bytes=most_bytes)
    applied = states.apply_each(GRIDS, np.arange(len(GRIDS)), states.I)
    assert states.used_bytes <= most_bytes
    assert states.refused == (applied.handles == -2).sum() > 0
    assert applied.failure(int(np.flatnonzero(applied.handles == -2)[0])) == "no room"
    again = states.apply("vmirror", states.I)
    assert again.handles.tolist() == applied.handles[:1].tolist()


def test_the_shortest_program_of_a_state_is_kept(states: States):
    turned = states.apply("rot90", states.I).handles
    turned = states.apply("rot90", turned).handles
    assert states.lengths(turned).tolist() == [2]
    again = states.apply("rot180", states.I)
    assert (again.handles.tolist(), again.is_new.tolist()) == (turned.tolist(), [False])
    assert states.lengths(turned).tolist() == [1]
    assert [step.callee.value.name for step in states.program(int(turned[0])).steps] == ["rot180"]


def test_values_that_are_given_without_a_name_do_not_hide_how_they_are_made(states: States):
    turned = int(states.apply("rot180", states.I).handles[0])
    assert states.add(states.values(turned)) == turned
    assert (states.lengths([turned]).tolist(), len(states.program(turned).steps)) == ([1], 1)

    wanted = states.add([tuple([row[::-1] for row in sample.input]) for sample in states.samples])
    with pytest.raises(UsageError, match="was given without a name"):
        states.program(wanted)
    # A program that reads the state itself says nothing about it.
    twice = states.apply("rot270", states.apply("rot90", wanted).handles).handles.tolist()
    assert twice == [wanted]
    with pytest.raises(UsageError, match="was given without a name"):
        states.program(wanted)
    assert states.apply("vmirror", states.I).handles.tolist() == [wanted]
    assert [step.callee.value.name for step in states.program(wanted).steps] == ["vmirror"]


def test_leaf_functions_and_constants_are_arguments(states: States):
    flags = [states.constant(flag) for flag in (T, F, T)]
    objects = states.apply("objects", states.I, *flags)
    largest = states.apply("argmax", objects.handles, states.constant(size))
    of_colour = states.apply("lbind", states.constant(ofcolor), states.I)
    applied = states.apply("apply", of_colour.handles, states.apply("palette", states.I).handles)
    kinds = [states.kinds(each.handles)[0] for each in (objects, largest, of_colour, applied)]
    assert kinds == [StateKind.OBJECTS, StateKind.OBJECT, StateKind.FUNCTION, StateKind.SET]
    program = states.program(int(applied.handles[0]))
    wanted = [evaluate_one(program, sample, states.limits).value for sample in states.samples]
    assert states.values(int(applied.handles[0])) == wanted


def test_a_demonstration_does_not_see_its_own_output(states: States):
    for sample, shown in zip(states.samples, states.values(states.S), strict=True):
        assert (sample.input, sample.expected) not in shown
        assert len(shown) == 3 - (sample.part.value == "train")


def test_programs_are_applied_to_states(engine: OpenEngine, states: States):
    deck = batt.as_deck(
        "def solve_1(I):\n    return hconcat(I, I)\n\n\ndef solve_2(S, I, C):\n    return last(last(S))\n"
    )
    solvers: list[Solver] = list(deck)
    mirrored = states.apply("vmirror", states.I).handles
    applied = states.apply_each(solvers, [0, 1], mirrored)
    chained = states.program(int(applied.handles[0]))
    assert [step.callee.value.name for step in chained.steps] == ["vmirror", "hconcat"]
    wanted = [evaluate_one(chained, sample, states.limits).value for sample in states.samples]
    assert states.values(int(applied.handles[0])) == wanted
    assert states.values(int(applied.handles[1])) == [shown[-1][1] for shown in states.values(states.S)]


def test_parameters_of_programs_are_states(states: States):
    step = Step(Literal(EVERY_OP["replace"]), (Slot(1), Slot(3), Slot(4)), "x", 1)
    template = Program(("S", "I", "C", "P0", "P1"), 5, (step,), Slot(5))
    colours = [states.constant(colour) for colour in range(10)]
    applied = states.apply(template, states.S, states.I, colours, colours[5])
    direct = states.apply("replace", states.I, colours, colours[5])
    assert applied.handles.tolist() == direct.handles.tolist()
    assert len(applied.new) > 1
    program = states.program(int(applied.new[0]))
    assert program.steps[0].args == (Slot(1), *map(Literal, (applied.handles.tolist().index(applied.new[0]), 5)))


def test_a_program_that_native_code_refuses_makes_no_state(states: States):
    programs = [Program(("I",), 1, (), result) for result in (Literal(2**70), Slot(0))]
    applied = states.apply_each(programs, [0, 1], states.I)
    assert applied.handles.tolist() == [-1, states.I]
    assert applied.failure(0) == "not given to native code"


def test_a_helper_of_a_deck_is_no_state(states: States):
    deck = batt.as_deck("def twice(x):\n    return double(x)\n\n\ndef solve_1(I):\n    return (twice, 1)\n")
    applied = states.apply(next(iter(deck)), states.I)
    assert (applied.handles.tolist(), applied.failure(0)) == ([-1], "a long function")


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda states: states.apply("vmirror", 99), "not one of these states"),
        (lambda states: states.apply("hconcat", states.I), "too few arguments"),
        (lambda states: states.apply("no_op", states.I), "unknown op"),
        (lambda states: states.add([1]), "1 values for"),
        (lambda states: states.values(99), "out of range"),
        (lambda states: states.constant(2**70), "an int of"),
    ],
)
def test_mistakes_are_told(states: States, call: Any, why: str):
    with pytest.raises(UsageError, match=why):
        call(states)


def test_steps_and_the_first_failing_sample_are_told(states: States):
    applied = states.apply("first", states.constant(()))
    assert (applied.failure(0), applied.handles.tolist()) == ("StopIteration", [-1])
    assert repr(applied) == "<Applied | 1 candidates | 0 with a state | 0 new>"
    with_limits = states.apply("product", states.apply("asobject", states.I).handles, states.S)
    assert with_limits.steps[0] > 0
