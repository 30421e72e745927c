"""The calls of the search for cliffs."""

from __future__ import annotations

import pytest

from batt.bench.cliffs.calls import LOOP_BODIES, MADE, function_calls, loop_calls, op_calls
from batt.bench.cliffs.measure import Runner, materials
from batt.bytecode.opcodes import CALLERS
from batt.ops import OPS
from batt.runtime.native import missing


def test_every_primitive_is_called() -> None:
    called = {call.op for call in (*op_calls(), *loop_calls(), *function_calls())}
    assert called == set(OPS)


def test_every_loop_has_a_body_of_each_kind() -> None:
    loops = [call.name for call in loop_calls()]
    with_bodies = {name.partition(",")[0] for name in loops if "," in name}
    assert with_bodies <= set(CALLERS)
    for op in with_bodies:
        bodies = [name for name in loops if name.startswith(f"{op},")]
        assert len(bodies) == len(LOOP_BODIES) - (op == "mfilter"), "ints cannot be merged"


def test_every_maker_of_functions_is_called_by_a_loop() -> None:
    assert {call.op for call in function_calls()} == set(MADE)


@pytest.mark.skipif(missing() is not None, reason="needs the native library")
def test_every_call_succeeds_with_some_value() -> None:
    runner = Runner()
    expected = {(programs.name_of(call), call.text) for programs in runner.programs for call in programs.calls}
    found = {(case.name, case.call) for main, others in materials(100) for case in runner.cases(main, 100, others)}
    assert expected - found == set()
