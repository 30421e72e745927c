"""The benchmark of what the main thread does of a run."""

from __future__ import annotations

import re

import pytest

import serial
from batt.runtime.cpu import CpuTier
from native_library import needs_library

pytestmark = needs_library


def test_the_main_thread_is_measured_to_the_first_block_and_to_the_end(capsys: pytest.CaptureFixture[str]):
    submit = CpuTier.submit
    assert serial.main(["--powers", "1,3", "--passes", "1", "--workers", "2"]) == 0
    assert CpuTier.submit is submit
    found = re.findall(
        r"^([\d,]+) evaluations: (.*) ms before .*, (.*) ms in all, (\d+) blocks$", capsys.readouterr().out, re.M
    )
    assert [total for total, *_ in found] == ["10", "1,056"]
    for _, first_ms, whole_ms, blocks in found:
        assert 0 < float(first_ms) < float(whole_ms)
        assert int(blocks) >= 1


def test_a_run_can_end_with_its_first_block():
    deck, tasks = serial.sized(serial.first_132(), serial.load_tasks(serial.TASKS), 10_000)
    total, first_ms, whole_ms, blocks = serial.one_pass(deck, tasks, 1, begin=True)
    assert (total, blocks) == (10_164, 2)
    assert 0 < first_ms < whole_ms
