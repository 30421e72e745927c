"""The deck of `batt bench` never changes."""

from __future__ import annotations

from batt.bench.cases import deck_digest
from batt.bench.frozen import first_132


def test_the_first_132_solvers_are_the_programs_they_always_were():
    assert len(first_132()) == 132
    assert deck_digest(first_132()) == "0869df2250bc4c3d2d30e1ed72bb4366d5d24a19125c7e8b02cd11a2005d71f7"
