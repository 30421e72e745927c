"""`batt doctor --test` for real. Run on a machine with a GPU."""

from __future__ import annotations

import pytest

from batt.check.machine import State, Subject, check_machine
from batt.runtime.cuda import missing

WHY_NOT = missing()

pytestmark = [pytest.mark.gpu, pytest.mark.skipif(WHY_NOT is not None, reason=f"no GPU: {WHY_NOT}")]


def test_every_check_is_carried_out_and_ends_well():
    done = check_machine()
    assert [(each.name, each.about, each.line) for each in done if each.state is not State.OK] == []
    lines = {each.name: each.line for each in done if each.about is Subject.GPU}
    assert list(lines) == ["detection", "memory", "batch size", "operations", "processor", "clean-up"]
    assert next(each.line for each in done if each.name == "equality").endswith("cpu, cuda are the same bytes")
