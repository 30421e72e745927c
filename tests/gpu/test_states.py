"""States of many tasks on a real GPU: every handle, hash, failure, program and value is that of the CPU."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import batt
from batt.dsl import F, T, color, ofcolor, size
from batt.runtime.cuda import missing
from batt.states import OpenEngine, StatesBatch
from state_runs import assert_same_states, run_alone, run_together, tasks

WHY_NOT = missing()

pytestmark = [pytest.mark.gpu, pytest.mark.skipif(WHY_NOT is not None, reason=f"no GPU: {WHY_NOT}")]

MOST = 100
SMALL = 400_000


@pytest.fixture(scope="module")
def engines() -> Iterator[tuple[OpenEngine, OpenEngine]]:
    with batt.open_engine(engine="cuda") as gpu, batt.open_engine(engine="cpu") as cpu:
        yield gpu, cpu


@pytest.mark.parametrize("most_bytes", [1 << 30, SMALL])
def test_all_calls_of_the_manifest_make_the_states_of_the_cpu(engines: tuple[OpenEngine, OpenEngine], most_bytes: int):
    gpu, cpu = engines
    wanted, alone = run_alone(cpu, MOST, most_bytes=most_bytes)
    batch = gpu.states_batch(tasks(), most_bytes=most_bytes)
    assert run_together(batch, MOST) == wanted
    assert batch.gpu_bytes > 0
    assert_same_states(list(batch), alone)
    assert (batch.refused > 0) == (most_bytes == SMALL)
    assert not [line for line in gpu.notes if "on the CPU" in line]


def values_of(batch: StatesBatch) -> list[Any]:
    """Apply ops to functions, sets, tuples, None and failures, and return all that is known of what they make."""
    of = np.arange(len(batch))
    inputs = np.array([states.I for states in batch])
    flags = [batch.constant(flag) for flag in (T, F, T)]
    objects = batch.apply("objects", of, inputs, *flags)
    listed = batch.apply("totuple", of, objects.handles)
    bound = batch.apply("lbind", of, batch.constant(ofcolor), inputs)
    colours = batch.apply("palette", of, inputs)
    found = [
        *(objects, listed, bound, colours),
        batch.apply("apply", of, bound.handles, colours.handles),
        batch.apply("apply", of, batch.constant(color), listed.handles),
        batch.apply("order", of, objects.handles, batch.constant(size)),
        batch.apply("first", of, batch.constant(())),
        batch.apply("identity", of, batch.constant(None)),
        batch.apply("astuple", of, inputs, bound.handles),
        batch.apply("multiply", of, batch.constant(2**62), batch.constant(4)),
        batch.apply(
            "product", of, batch.apply("asindices", of, inputs).handles, batch.apply("asobject", of, inputs).handles
        ),
    ]
    values = [states.wires(np.arange(len(states))) for states in batch]
    return [*[each.candidates.tolist() for each in found], values, [states.kinds().tolist() for states in batch]]


def test_values_that_are_no_grids_are_those_of_the_cpu(engines: tuple[OpenEngine, OpenEngine]):
    made, wanted = (values_of(engine.states_batch(tasks())) for engine in engines)
    assert made == wanted
