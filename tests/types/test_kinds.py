"""Kinds as keys of tables."""

from __future__ import annotations

import pickle

from batt.types import IdentityEnum, Kind


def test_a_kind_is_hashed_as_the_object_it_is():
    assert issubclass(Kind, IdentityEnum)
    assert all(hash(kind) == object.__hash__(kind) for kind in Kind)


def test_a_kind_that_was_pickled_is_the_same_key():
    assert all({kind: 1}[pickle.loads(pickle.dumps(kind))] for kind in Kind)
