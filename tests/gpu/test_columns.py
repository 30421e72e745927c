"""Columns on a real GPU: the results of the CPU for recorded calls and for any values."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import batt
from batt.bytecode.opcodes import CALLERS
from batt.dsl import F, T, color, size
from batt.ops import EVERY_OP
from batt.runtime import Limits
from batt.runtime.cuda import missing
from batt.states import DeviceColumn, OpColumn, OpenEngine
from batt.types import OrderedSet
from vectors import read, recorded

WHY_NOT = missing()

pytestmark = [pytest.mark.gpu, pytest.mark.skipif(WHY_NOT is not None, reason=f"no GPU: {WHY_NOT}")]

LIMITS = Limits(steps=100_000)
GRID = ((0, 1, 1), (2, 0, 2))
VALUES: list[Any] = [
    *(0, 1, 3, -2, None, (), (1, 2), (3, 0), GRID, ((1, 1), (1, 1)), size, color),
    *(OrderedSet([(0, 1), (1, 1)]), OrderedSet([(3, (0, 0)), (3, (0, 1))]), OrderedSet([OrderedSet([(1, (2, 2))])])),
]
QUICK = ("objects", "vmirror", "paint", "asobject", "multiply", "dedupe", *sorted(CALLERS))
"""Ops of every run; a kernel is compiled for each of the others."""


@pytest.fixture(scope="module")
def engines() -> Iterator[tuple[OpenEngine, OpenEngine]]:
    with (
        batt.open_engine(engine="cuda", limits=LIMITS) as gpu,
        batt.open_engine(engine="cpu", limits=LIMITS) as cpu,
    ):
        yield gpu, cpu


def assert_same(made: OpColumn | DeviceColumn, wanted: OpColumn | DeviceColumn) -> None:
    assert isinstance(made, DeviceColumn)
    for field in ("status", "error", "hash", "steps", "shape", "equal", "cause"):
        assert made.results[field].tolist() == wanted.results[field].tolist(), field
    assert made.values == wanted.values


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in EVERY_OP]
)
def test_an_op_has_the_results_of_the_cpu(engines: tuple[OpenEngine, OpenEngine], name: str):
    random = Random(7)
    vectors = recorded().get(name, [])
    rows = [[read(each) for each in vector["args"]] for vector in random.sample(vectors, min(100, len(vectors)))]
    rows += [[random.choice(VALUES) for _ in range(EVERY_OP[name].arity)] for _ in range(40)]
    arguments = list(map(list, zip(*rows, strict=True)))
    gpu, cpu = engines
    assert_same(gpu.columns(name, *arguments), cpu.columns(name, *arguments))


def test_chains_of_many_rows_have_the_results_of_the_cpu(engines: tuple[OpenEngine, OpenEngine]):
    random = Random(11)
    grids = [
        tuple([tuple([random.randrange(4) for _ in range(width)]) for _ in range(random.randrange(1, 12))])
        for width in (random.randrange(1, 12) for _ in range(5_000))
    ]
    made: list[list[OpColumn | DeviceColumn]] = []
    for engine in engines:
        objects = engine.columns("objects", grids, T, F, T)
        largest = engine.columns("argmax", objects, size)
        cells = engine.columns("toindices", largest)
        made.append([objects, largest, cells, engine.columns("fill", engine.columns("identity", grids), 5, cells)])
    for found, wanted in zip(*made, strict=True):
        assert_same(found, wanted)
