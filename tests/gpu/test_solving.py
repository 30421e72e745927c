"""A search whose states GPUs make ahead: the answers of the cpu engine. Run on a machine with a GPU."""

from __future__ import annotations

import numpy as np
import pytest

import batt
from batt.bench.solving import split_tasks
from batt.runtime.cuda import missing
from batt.solving.frame import TaskFrame
from batt.solving.library import FunctionLibrary, build_library
from batt.solving.searches.ahead import TogetherFunctions
from batt.solving.states.packed_states import unpack_states
from batt.solving.states.states import StateMakers
from batt.solving.work import Work

WHY_NOT = missing()

pytestmark = [pytest.mark.gpu, pytest.mark.skipif(WHY_NOT is not None, reason=f"no GPU: {WHY_NOT}")]

TASKS = split_tasks("arc1-training", 10)
EFFORT = 100_000_000


@pytest.fixture(scope="module")
def library() -> FunctionLibrary:
    return build_library([batt.load_deck()])


def test_states_from_a_gpu_are_those_of_the_cpu(library: FunctionLibrary):
    ahead = TogetherFunctions(library, "cuda").make(list(TASKS))
    assert ahead.on_gpus > 0.5 * ahead.evaluations, ahead.notes
    makers = StateMakers(library)
    for task in TASKS:
        found, made = unpack_states(ahead.states[task.id]), makers.make(TaskFrame(task), Work(EFFORT))
        assert found.origins == made.origins
        assert found.runs == made.runs
        for values, others in zip(found.values, made.values, strict=True):
            assert all(np.array_equal(one, other) for one, other in zip(values, others, strict=True))


def test_searches_on_both_engines_give_the_same_answers():
    notes: list[str] = []
    on_gpu = batt.solve(TASKS, effort=EFFORT, engine="cuda", workers=2, tell=notes.append)
    assert list(on_gpu) == list(batt.solve(TASKS, effort=EFFORT, engine="cpu", workers=2))
    assert any(line.startswith("GPU: ") for line in notes)
