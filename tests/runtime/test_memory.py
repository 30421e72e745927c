"""The sizes of a worker's memory."""

from __future__ import annotations

from dataclasses import astuple, fields

import pytest

from batt.errors import UsageError
from batt.runtime.memory import MEMORY, Fields, WorkerMemory


def test_native_code_is_given_the_sizes_in_their_order():
    made = MEMORY.fields
    names = [each.name for each in fields(WorkerMemory)]
    assert [name for name, _ in Fields._fields_] == names
    assert tuple([getattr(made, name) for name in names]) == astuple(MEMORY)


@pytest.mark.parametrize("name", [each.name for each in fields(WorkerMemory)])
def test_no_size_is_negative(name: str):
    with pytest.raises(UsageError, match=f"the sizes of a worker's memory must not be negative, got .*{name}=-1"):
        WorkerMemory(**{name: -1})
