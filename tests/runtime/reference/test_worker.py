"""What a worker process answers, and values that can be sent."""

from __future__ import annotations

import math
import pickle
import signal
import sys
from typing import Any

import pytest
from hypothesis import given

from batt.bytecode.wire import write_value
from batt.dsl import compose, first, last, vmirror
from batt.ir import Helper
from batt.runtime import Equality, Limits, Outcome, Status, evaluate_one
from batt.runtime.outcome import RECORD
from batt.runtime.packing import pack
from batt.runtime.reference import worker as worker_module
from batt.runtime.reference.worker import Evaluate, Setup, TraceRequest, portable
from batt.types import OrderedSet, fingerprint, form
from batt.types.plain import MAX_DEPTH, MAX_NODES, Printed
from handmade import MIRROR, RAISES, program, sample
from strategies import values


def nested(depth: int) -> Any:
    value: Any = ()
    for _ in range(depth - 1):
        value = (value,)
    return value


def doubled(times: int) -> Any:
    value: Any = 1
    for _ in range(times):
        value = (value, value)
    return value


@pytest.mark.parametrize(
    ("expected", "equality", "differing"),
    [(((2, 1),), Equality.YES, 0), (((2, 2),), Equality.NO, 1), (((7,),), Equality.NO, 2), (None, Equality.UNKNOWN, 0)],
)
def test_a_value_is_packed_with_its_equality_hash_and_score(expected: Any, equality: Equality, differing: int):
    packed = pack(Outcome(Status.OK, value=((2, 1),)), sample(expected=expected))
    assert RECORD.unpack(packed) == (Status.OK, 0, equality, fingerprint(((2, 1),)), differing, 1, 2)


@pytest.mark.parametrize(
    "outcome", [Outcome(Status.RAISED, "ValueError"), Outcome(Status.OVER_BUDGET), Outcome(Status.TIMED_OUT)]
)
@pytest.mark.parametrize(
    ("expected", "equality", "differing"), [(((2, 1),), Equality.NO, 2), (None, Equality.UNKNOWN, 0)]
)
def test_what_has_no_value_is_not_equal_and_misses_every_cell(
    outcome: Outcome, expected: Any, equality: Equality, differing: int
):
    packed = pack(outcome, sample(expected=expected))
    assert RECORD.unpack(packed) == (outcome.status, outcome.error_number, equality, 0, differing, 0, 0)


def test_true_equals_one_in_a_record():
    as_bools, as_ints = (pack(Outcome(Status.OK, value=((2, one),)), sample()) for one in (True, 1))
    assert as_bools == as_ints
    assert RECORD.unpack(as_bools)[2] is Equality.YES.value


def test_a_set_of_the_same_cells_is_not_equal_to_a_grid():
    assert RECORD.unpack(pack(Outcome(Status.OK, value=OrderedSet([(2, 1)])), sample()))[2] == Equality.NO


@pytest.mark.parametrize("value", [None, 3, True, ((1, 2),), OrderedSet([(1, (0, 0))]), vmirror, (first, last), ()])
def test_a_plain_value_is_sent_whole(value: Any):
    assert portable(value) is value


@pytest.mark.parametrize(
    "value",
    [
        compose(first, last),
        (1, (compose(first, last),)),
        OrderedSet([compose(first, last)]),
        Helper("twice", program(*MIRROR)),
        doubled(40),
        tuple(range(MAX_NODES)),
        nested(MAX_DEPTH + 1),
        nested(100_000),
    ],
    ids=["function", "in a tuple", "in a set", "helper", "repeats", "large", "deep", "very deep"],
)
def test_any_other_value_is_sent_as_its_printed_form(value: Any):
    sent = portable(value)
    assert isinstance(sent, Printed)
    assert repr(sent) == sent == form(value)


@given(values)
def test_what_is_sent_can_be_pickled_and_stays_the_same(value: Any):
    sent = portable(value)
    assert pickle.loads(pickle.dumps(sent)) == sent


def test_a_value_of_the_greatest_depth_can_be_pickled():
    value = nested(MAX_DEPTH)
    assert pickle.loads(pickle.dumps(portable(value))) == value


@pytest.fixture
def alarms(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What the worker asks of its alarm, which would end the tests' own process."""
    asked: list[float] = []
    monkeypatch.setattr(signal, "setitimer", lambda which, seconds: asked.append(seconds))
    return asked


def test_a_block_is_answered_with_the_records_outputs_and_steps_of_its_pairs(alarms: list[float]):
    programs, samples, limits = (program(*MIRROR), program(*RAISES)), (sample(), sample(((5, 6),))), Limits(wall_s=3)
    worker = worker_module._Worker(bytearray(8))  # type: ignore[arg-type]
    assert worker.answer(Setup(samples, limits, outputs=True)) is None
    # The second block finds the program that came with the first.
    blocks = [Evaluate({0: programs[0], 1: programs[1]}, [(0, 1), (1, 0)]), Evaluate({}, [(0, 0)])]
    outcomes = [evaluate_one(programs[p], samples[s], limits) for p, s in ((0, 1), (1, 0), (0, 0))]
    replies = [worker.answer(block) for block in blocks]
    assert b"".join(reply.records for reply in replies) == b"".join(
        map(pack, outcomes, (samples[1], samples[0], samples[0]))
    )
    wires = [write_value(outcome.value) if outcome.status is Status.OK else b"" for outcome in outcomes]
    assert b"".join(reply.outputs for reply in replies) == b"".join(wires)
    assert [reply.ends for reply in replies] == [(len(wires[0]), len(wires[0])), (len(wires[2]),)]
    assert [each for reply in replies for each in reply.steps] == [outcome.steps for outcome in outcomes]
    assert int.from_bytes(worker.counter, sys.byteorder) == 3
    assert len(alarms) == 3


def test_outputs_are_not_written_unless_asked_for(alarms: list[float]):
    worker = worker_module._Worker(bytearray(8))  # type: ignore[arg-type]
    worker.answer(Setup((sample(),), Limits(), outputs=False))
    assert worker.answer(Evaluate({0: program(*MIRROR)}, [(0, 0)])).ends == ()


@pytest.mark.parametrize("wall_s", [0.5, 30.0, math.inf])
def test_the_alarm_is_finite_and_leaves_the_parent_to_act_first(alarms: list[float], wall_s: float):
    worker = worker_module._Worker(bytearray(8))  # type: ignore[arg-type]
    worker.answer(TraceRequest(program(*MIRROR), sample(), Limits(wall_s=wall_s)))
    assert min(wall_s, 1e5) < alarms[0] < math.inf


def test_a_message_of_another_kind_is_refused():
    with pytest.raises(TypeError, match="unknown message str"):
        worker_module._Worker(bytearray(8)).answer("hello")  # type: ignore[arg-type]
