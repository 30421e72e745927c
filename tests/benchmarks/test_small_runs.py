"""Small runs of two checkouts compared by processor time."""

from __future__ import annotations

from pathlib import Path

import pytest

from native_library import needs_library
from small_runs import main, rows_of


def test_a_row_has_the_medians_of_either_side_and_of_their_ratio():
    old, new = [{"10 auto": each} for each in (1.0, 3.0, 2.0)], [{"10 auto": each} for each in (1.0, 1.0, 4.0)]
    assert rows_of(old, new) == [["10", "auto", "2.00 ms", "1.00 ms", "1.000"]]


@needs_library
def test_a_checkout_is_measured_against_itself(capsys: pytest.CaptureFixture[str]):
    root = str(Path(__file__).parents[2])
    assert main([root, root, "--no-build", "--times", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines[1:4]] == [["10", "cpu:1"], ["10", "cpu:2"], ["10", "auto"]]
    assert len(lines) == 10


def test_a_folder_without_batt_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main([str(tmp_path), str(tmp_path), "--no-build"]) == 2
    assert "is no checkout of batt" in capsys.readouterr().err
