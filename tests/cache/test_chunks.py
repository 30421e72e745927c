"""New outcomes go to chunks of the cache if the run has all their samples; other samples become new chunks."""

from __future__ import annotations

import numpy as np
import pytest

from batt.cache.chunks import Targets
from batt.cache.keys import SampleKeys, digest

KEYS = [digest(str(number).encode()) for number in range(6)]


def test_samples_become_chunks_in_their_order(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("batt.cache.chunks.CHUNK", 2)
    # The fourth has no key, and the last is like the first.
    targets = Targets.of(SampleKeys([KEYS[0], KEYS[1], KEYS[2], None, KEYS[0]]), {})
    assert targets.chunk_of.tolist() == [0, 0, 1, -1, -1]
    assert targets.place_of.tolist() == [0, 1, 0, -1, -1]
    assert [targets.samples_of[key] for key in targets.keys] == [KEYS[:2], KEYS[2:3]]


def test_known_chunks_come_first_the_longest_one_before_those_that_overlap_with_it():
    known = {b"short": np.array([1, 2]), b"long": np.array([2, 4, 3])}
    targets = Targets.of(SampleKeys(KEYS), known)
    assert targets.chunk_of.tolist() == [1, 1, 0, 0, 0, 1]
    assert targets.place_of.tolist() == [0, 1, 0, 2, 1, 2]
    assert targets.keys[0] == digest(KEYS[2] + KEYS[4] + KEYS[3])
