"""The script that measures states made ahead runs, and compares them."""

from __future__ import annotations

import pytest

from native_library import needs_library
from states_ahead import main


@needs_library
@pytest.mark.slow
def test_states_made_together_are_measured_and_compared(capsys: pytest.CaptureFixture[str]):
    assert main(["--engine", "cpu", "--sample", "2", "--together", "1,2", "--effort", "1000000"]) == 0
    assert "0 of 4 sets of states differ" in capsys.readouterr().out
