"""How long `batt run` takes besides its evaluations."""

from __future__ import annotations

from pathlib import Path

import pytest

from handmade import MIRROR, SAME, source
from native_library import needs_library
from starting import Times, main, run_once


@needs_library
def test_the_times_of_a_run_are_those_of_its_process_and_of_its_evaluations(tmp_path: Path):
    deck = tmp_path / "deck.py"
    deck.write_text(source("solve_mirror", *MIRROR))
    for times in run_once(tmp_path, ["run", str(deck), "-c", "1"])[:2]:
        assert 0 < times.evaluations_s < times.total_s
        assert times.besides_s == times.total_s - times.evaluations_s


@needs_library
def test_a_table_has_the_first_run_and_the_medians_of_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    deck = tmp_path / "deck.py"
    deck.write_text(source("solve_same", *SAME))
    main(str(deck), 1, 2)
    lines = capsys.readouterr().out.splitlines()
    assert [line[:24].strip() for line in lines[1:]] == [
        *("first run, wall", "first run, CPU"),
        *("median of 2 more, wall", "median of 2 more, CPU"),
    ]
    assert Times(3.0, 1.0).besides_s == 2.0
