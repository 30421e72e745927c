"""States of many tasks in one call: the same as those of each task alone, whatever the number of threads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import batt
from batt.dsl import F, T, argmax, size
from batt.dsl import objects as objects_of
from batt.errors import UsageError
from batt.ir import Literal, Program, Slot
from batt.states import OpenEngine, StatesBatch
from native_library import needs_library
from state_runs import assert_same_states, run_alone, run_together, tasks

pytestmark = needs_library


@pytest.fixture
def engine() -> Iterator[OpenEngine]:
    with batt.open_engine(engine="cpu", workers=1) as opened:
        yield opened


@pytest.fixture
def batch(engine: OpenEngine) -> StatesBatch:
    return engine.states_batch(tasks())


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("most_bytes", [1 << 30, 200_000])
def test_states_are_those_of_each_task_alone(engine: OpenEngine, workers: int, most_bytes: int):
    wanted, alone = run_alone(engine, 30, most_bytes=most_bytes)
    with batt.open_engine(engine="cpu", workers=workers) as opened:
        together = opened.states_batch(tasks(), most_bytes=most_bytes)
        assert run_together(together, 30) == wanted
        assert_same_states(list(together), alone)
        assert (together.refused > 0) == (most_bytes == 200_000)
        assert repr(together).startswith(f"<StatesBatch | {sum(map(len, alone)):,} states of 4 tasks | ")


def test_candidates_may_come_in_any_order_of_tasks(batch: StatesBatch):
    inputs = np.array([states.I for states in batch])
    of = np.array([3, 0, 2, 0, 1, 3])
    applied = batch.apply_each(["vmirror", "rot180", "hmirror"], of, [0, 1, 0, 2, 1, 1], inputs[of])
    for at, (task, op) in enumerate(zip(of.tolist(), [0, 1, 0, 2, 1, 1], strict=True)):
        states = batch[task]
        again = states.apply(["vmirror", "rot180", "hmirror"][op], states.I)
        assert again.handles.tolist() == [applied.handles[at]]
        assert not again.is_new[0]
    assert batch[0].lengths(applied.handles[[1, 3]]).tolist() == [1, 1]


def test_constants_have_a_handle_in_each_task(batch: StatesBatch):
    of = np.arange(len(batch))
    inputs = np.array([states.I for states in batch])
    objects = batch.apply("objects", of, inputs, *[batch.constant(flag) for flag in (T, F, T)])
    largest = batch.apply("argmax", of, objects.handles, batch.constant(size))
    assert [batch[k].values(largest.handles[k].item()) for k in of.tolist()] == [
        [argmax(objects_of(sample.input, T, F, T), size) for sample in batch[k].samples] for k in of.tolist()
    ]


def test_programs_are_applied_to_states_of_all_tasks(batch: StatesBatch):
    deck = batt.as_deck("def solve_1(I):\n    return hconcat(I, I)\n\n\ndef solve_2(S, I, C):\n    return size(S)\n")
    refused = Program(("I",), 1, (), Literal(2**70))
    of = np.repeat(np.arange(len(batch)), 3)
    inputs = np.array([states.I for states in batch])[of]
    callees = [*[solver.program for solver in deck], refused]
    applied = batch.apply_each(callees, of, np.tile([0, 1, 2], len(batch)), inputs)
    assert applied.handles[2::3].tolist() == [-1] * len(batch)
    for k, states in enumerate(batch):
        doubled, shown = applied.handles[3 * k : 3 * k + 2].tolist()
        assert states.apply("hconcat", states.I, states.I).handles.tolist() == [doubled]
        assert states.values(shown) == [len(sample.demonstrations) for sample in states.samples]
        assert states.program(doubled).steps[0].args == (Slot(1), Slot(1))


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda batch: batch.apply("vmirror", [0, 4], 1), "a task is out of range: there are 4"),
        (lambda batch: batch.apply("vmirror", [0, 1], 99), "not one of these states"),
        (lambda batch: batch.apply("hconcat", [0, 1], 1), "too few arguments"),
        (lambda batch: batch.apply_each(["vmirror"], [0], [1], 1), "a callee or a handle is out of range"),
        (lambda batch: (batch.close(), batch.apply("vmirror", [0], 1)), "closed"),
    ],
)
def test_mistakes_are_told(batch: StatesBatch, call: Any, why: str):
    with pytest.raises(UsageError, match=why):
        call(batch)


def test_no_candidates_are_no_work(batch: StatesBatch):
    applied = batch.apply("vmirror", np.zeros(0, np.int64), np.zeros(0, np.int64))
    assert len(applied) == 0
