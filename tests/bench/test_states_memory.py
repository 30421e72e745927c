"""`batt bench states --minutes M`: sets of states that are filled stay within their memory, and nothing breaks."""

from __future__ import annotations

import dataclasses

import pytest

from batt.bench import states_memory
from batt.bench.states_memory import MemoryFigures, measure_memory, memory_tables
from batt.cli.main import main
from native_library import needs_library

TINY = 1 << 20


@needs_library
@pytest.mark.parametrize("workers", [1, 2])
def test_a_tiny_limit_is_kept_and_what_does_not_fit_is_counted(workers: int):
    told: list[str] = []
    figures = measure_memory(0.02, workers, most_bytes=TINY, drawn=30, tell=told.append)
    assert figures.full > 0 < figures.refused
    assert 0.5 * TINY < figures.most_state_bytes <= TINY
    assert len(told) == len(figures.lines) > 1
    assert [line.candidates for line in figures.lines] == sorted(line.candidates for line in figures.lines)


def test_figures_above_a_limit_are_told():
    figures = MemoryFigures(TINY, 1, most_state_bytes=TINY, peak_bytes=TINY + states_memory.OTHER_BYTES)
    assert figures.is_within
    assert not dataclasses.replace(figures, most_state_bytes=TINY + 1).is_within
    assert not dataclasses.replace(figures, peak_bytes=figures.peak_bytes + 1).is_within
    assert [table.row_count for table in memory_tables(figures)] == [0, 5]


@pytest.mark.parametrize(
    "arguments", [["--minutes", "1"], ["states", "--minutes", "0"], ["states", "--minutes", "inf"]]
)
def test_minutes_need_states_and_a_number_above_0(arguments: list[str], capsys: pytest.CaptureFixture[str]):
    assert main(["bench", *arguments]) == 2
    assert "--minutes needs `states`" in capsys.readouterr().err
