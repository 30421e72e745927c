"""Outputs as JSON: the text of the definition, whether native code or Python writes it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given

from batt.bytecode.wire import DEEPER, LARGER
from batt.dsl import compose, first, lbind
from batt.ir import Helper
from batt.jobs import texts as texts_module
from batt.jobs.texts import output_text, output_texts
from batt.runtime.native import library
from batt.runtime.outputs import Functions, OutputWriter
from batt.types import OrderedSet
from batt.types.plain import MAX_DEPTH, MAX_NODES
from handmade import MIRROR, program
from native_library import needs_library
from output_texts import plain_text
from strategies import grids, values

HELPER = Helper("twice", program(*MIRROR))


def nested(depth: int, inner: Any = ()) -> Any:
    for _ in range(depth - 1):
        inner = (inner,)
    return inner


def doubled(times: int, value: Any = 1) -> Any:
    for _ in range(times):
        value = (value, value)
    return value


def written(*given: Any) -> tuple[list[bytes], list[Functions]]:
    wires: list[bytes] = []
    functions: list[Functions] = []
    for value in given:
        writer = OutputWriter()
        writer.add(value)
        wires.append(bytes(writer.data))
        functions.append(Functions(writer.helpers))
    return wires, functions


def assert_alike(*given: Any) -> None:
    wires, functions = written(*given)
    expected = [plain_text(value) for value in given]
    assert [output_text(*output) for output in zip(wires, functions, strict=True)] == expected
    assert output_texts(wires, functions) == expected


ODD = [
    *[(), ((),), ((), ()), ((1,), (2, 3)), ((239, 240),), ((1, None),), None, True, 0, 9, 10, 239, 240, -1, HELPER],
    *[2**63 - 1, -(2**63), 2**63, 2**64, -(2**70), (2**5000, 1), OrderedSet(), OrderedSet([OrderedSet()])],
    *[(HELPER, compose(HELPER, first)), ((1, 2), (HELPER, 3)), OrderedSet([(1, (2, 3)), (0, (5, 6))])],
    *[((1,) * 446,) * 446, ((1,) * 447,) * 447, (1,) * (MAX_NODES - 1), (1,) * MAX_NODES, doubled(40)],
    *[nested(MAX_DEPTH), nested(MAX_DEPTH + 1), (nested(MAX_DEPTH - 1), (1,) * MAX_NODES)],
    *[nested(MAX_DEPTH, OrderedSet([1])), nested(MAX_DEPTH + 1, compose(first, first)), nested(100_000)],
    *[lbind(first, (1,) * MAX_NODES), lbind(first, doubled(40)), (lbind(first, nested(MAX_DEPTH - 2)), 7)],
    *[(lbind(first, nested(MAX_DEPTH + 1)), 7), (lbind(first, tuple(range(1_990))),) * 150],
]


@given(values)
def test_any_value_has_the_text_of_the_definition(value: Any):
    assert_alike(value)


@given(grids())
def test_a_grid_has_the_text_of_the_definition(grid: Any):
    assert_alike(grid)


@pytest.mark.parametrize("value", ODD, ids=lambda value: type(value).__name__)
def test_large_deep_and_odd_values_have_the_text_of_the_definition(value: Any):
    assert_alike(value, 1, value)


def test_an_evaluation_without_a_value_is_null():
    assert output_texts([b"", b""], [Functions()] * 2) == ["null", "null"]
    assert output_texts([], []) == []


def test_many_outputs_are_written_in_parts(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(texts_module, "AT_ONCE_BYTES", 40)
    assert_alike(*[((n % 10, n % 300),) * (n % 7) for n in range(200)], None, HELPER)


def test_without_the_library_python_writes_the_same(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(texts_module, "missing", lambda: "it is not there")
    assert_alike(*ODD[:20])


@needs_library
@pytest.mark.parametrize(
    ("wire", "text"),
    [
        (bytes([242, 2, 0, 0, 0, 1]), ""),
        (bytes([242, 1, 0]), ""),
        (bytes([1, 1]), ""),
        (bytes([240, 1, 2]), ""),
        (bytes([255]), ""),
        (bytes([242, 255, 255, 255, 255]), ""),
        (bytes([LARGER]), '{"larger than":200000}'),
        (bytes([DEEPER]), '{"deeper than":200}'),
    ],
)
def test_native_code_leaves_what_is_malformed(wire: bytes, text: str):
    assert texts_module._written([wire, b"\x07"]) == [text, "7"]


@needs_library
def test_native_code_writes_nothing_beyond_its_room():
    data, ends = np.frombuffer(bytes([242, 2, 0, 0, 0, 100, 101]), np.uint8), np.array([7], np.uint64)
    for room in range(10):
        text, text_ends = np.full(16, 46, np.uint8), np.zeros(1, np.uint64)
        assert library().write_json(data, ends - ends, ends, text[:room], text_ends)
        assert text.tobytes().rstrip(b".") in (
            (b"[100,101]",) if room == 9 else tuple(b"[100,101]"[:n] for n in range(room + 1))
        )
        assert int(text_ends[0]) == (9 if room == 9 else 0)
