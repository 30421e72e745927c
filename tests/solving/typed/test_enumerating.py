"""Enumerating values of all kinds: in the order of their cost, each once, as far as the work goes."""

from __future__ import annotations

import pytest

import batt
from batt.runtime import evaluate_one
from batt.solving.frame import TaskFrame
from batt.solving.typed.enumerating import LIMITS, Enumeration, GivenValue
from batt.solving.work import Work
from batt.states import StateKind
from batt.statistics import Producer, ProducerKind
from native_library import needs_library

pytestmark = needs_library
ENOUGH = 10**12


@pytest.fixture
def states(easy_tasks):
    with batt.open_engine(engine="cpu", workers=1) as engine:
        made = engine.states(TaskFrame(easy_tasks["turned"]).samples(), limits=LIMITS)
        yield made
        made.close()


def enumeration(states, effort: int) -> Enumeration:
    values = Enumeration(states, [GivenValue(states.I, Producer(ProducerKind.INPUT, "I"))], [0, 1, 2])
    values.run(Work(effort), 1.0)
    return values


def test_values_are_new_distinct_and_made_by_their_programs(states):
    values = enumeration(states, 20_000_000)
    handles = values.handles.tolist()
    assert len(set(handles)) == len(handles) > 1_000
    assert states.I not in handles
    for handle in handles[::200]:
        program = states.program(handle)
        wanted = [evaluate_one(program, sample, LIMITS).value for sample in states.samples]
        assert states.values(handle) == wanted


def test_many_kinds_of_values_are_made(states):
    values = enumeration(states, 20_000_000)
    for kind in (StateKind.GRID, StateKind.INDICES, StateKind.OBJECT, StateKind.OBJECTS, StateKind.INT, StateKind.PAIR):
        chosen = values.of_kind(kind)
        assert len(chosen), kind
        assert set(states.kinds(chosen).tolist()) == {kind}


def test_work_bounds_the_values_and_decides_them(easy_tasks):
    found = []
    with batt.open_engine(engine="cpu", workers=1) as engine:
        for effort in (1_000_000, 5_000_000, 5_000_000):
            states = engine.states(TaskFrame(easy_tasks["turned"]).samples(), limits=LIMITS)
            found.append(states.hashes(enumeration(states, effort).handles).tolist())
            states.close()
    assert len(found[0]) < len(found[1])
    assert found[1] == found[2]
    assert found[1][: len(found[0])] == found[0]


def test_what_is_applied_beside_is_no_value(states):
    values = enumeration(states, 1_000_000)
    known = set(values.handles.tolist())
    made = values.apply("upscale", Work(ENOUGH), states.I, states.constant(7))
    assert made.handles[0] >= 0
    assert set(values.handles.tolist()) == known
