"""Features of the parts of grids, compared with plain Python definitions."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

import batt
from batt.errors import UsageError
from batt.ops import EVERY_OP
from batt.states import FEATURES, FORMS, Features, OpenEngine
from batt.types.kinds import Grid
from native_library import needs_library
from plain_features import features_of, parts_of

IDENTITIES = ("shape", "turned_shape", "picture", "turned_picture")
"""Features whose values only have to be equal where the definitions' are."""

pytestmark = needs_library


@pytest.fixture(scope="module")
def engine() -> Iterator[OpenEngine]:
    """An engine with one thread."""
    with batt.open_engine(engine="cpu", workers=1) as opened:
        yield opened


@pytest.fixture(scope="module")
def grids() -> list[Grid]:
    """Random grids of many shapes and densities, and inputs and outputs of real tasks."""
    rng = random.Random(21)
    made: list[Grid] = []
    for _ in range(60):
        height, width, colours = rng.randint(1, 12), rng.randint(1, 12), rng.choice([1, 2, 2, 3, 10])
        share = rng.choice([0.1, 0.5, 0.8])
        made.append(
            tuple(
                tuple(rng.randrange(colours) if rng.random() < share else 0 for _ in range(width))
                for _ in range(height)
            )
        )
    tasks = batt.load_tasks("arc1-training")
    for task in rng.sample(list(tasks), 12):
        made += [task.train[0].input, task.train[0].output]
    return made


@pytest.mark.parametrize("form", FORMS)
def test_features_are_what_plain_python_defines(engine: OpenEngine, grids: list[Grid], form: str):
    table = engine.features(grids, form)
    expected = [row for grid in grids for row in features_of(grid, parts_of(grid, form))]
    assert len(table) == len(expected) > 0
    for name in FEATURES:
        wanted = [row[name] for row in expected]
        if name in IDENTITIES:
            pairs = set(zip(table[name].tolist(), wanted, strict=True))
            assert len(pairs) == len(set(wanted)) == len({number for number, _ in pairs}), name
        else:
            assert table[name].tolist() == wanted, name


@pytest.mark.parametrize("form", FORMS)
def test_owners_tell_the_part_of_each_cell(engine: OpenEngine, grids: list[Grid], form: str):
    table = engine.features(grids, form)
    for at, grid in enumerate(grids):
        expected = np.full((len(grid), len(grid[0])), -1)
        for number, part in enumerate(parts_of(grid, form)):
            for place in part:
                expected[place] = number
        assert table.owners(at).tolist() == expected.tolist()


def test_panels_are_those_of_the_word(engine: OpenEngine, grids: list[Grid]):
    table = engine.features(grids, "panels")
    for at, grid in enumerate(grids):
        rows = table.rows(at)
        sides = list(zip(table["height"][rows].tolist(), table["width"][rows].tolist(), strict=True))
        assert sides == [(len(panel), len(panel[0])) for panel in EVERY_OP["panels"](grid)]


def _same(table: Features, other: Features) -> bool:
    pairs = [(table.columns, other.columns), (table.ends, other.ends), (table.packed_owners, other.packed_owners)]
    return all(bool((a == b).all()) for a, b in pairs)


def test_threads_make_the_same_table(engine: OpenEngine, grids: list[Grid]):
    many = grids * 4
    with batt.open_engine(engine="cpu", workers=3) as threaded:
        assert _same(engine.features(many, "TFT"), threaded.features(many, "TFT"))


def test_the_grids_of_states_have_features_by_state_and_sample(engine: OpenEngine):
    task = batt.load_tasks("arc1-training")["007bbfb7"]
    states = engine.states(task)
    mirrored = int(states.apply("vmirror", states.I).handles[0])
    table = states.features([states.I, mirrored], "TFT")
    inputs = [pair.input for pair in task.pairs]
    assert _same(table, engine.features([*inputs, *[EVERY_OP["vmirror"](each) for each in inputs]], "TFT"))
    assert table.grids.max() == 2 * len(inputs) - 1
    assert table["left"][table.rows(0)].tolist() == table["to_right"][table.rows(len(inputs))].tolist()[::-1]


def test_a_grid_with_too_many_parts_is_left_out(engine: OpenEngine):
    chequered: Grid = tuple(tuple((i + j) % 2 for j in range(8)) for i in range(8))
    table = engine.features([chequered, ((1,),)], "TFF", most_parts=63)
    assert (table.missing.tolist(), len(table)) == ([True, False], 1)
    assert (table.owners(0) == -1).all()
    assert engine.features([chequered], "TFF", most_parts=64).ends.tolist() == [64]


def test_a_value_that_is_no_grid_has_no_rows(engine: OpenEngine):
    table = engine.features([3, ((1, 2),), ()], "TFF")
    assert (table.missing.tolist(), table.ends.tolist()) == ([True, False, True], [0, 2, 2])


def test_no_grids_make_an_empty_table(engine: OpenEngine):
    assert len(engine.features([], "colours")) == 0


def test_large_grids_and_all_bytes_are_supported(engine: OpenEngine):
    wide: Grid = (tuple(range(256)) * 4,)
    table = engine.features([wide], "TFF", most_parts=2_000)
    assert (len(table), table["colour"].max(), table["grid_width"][0]) == (1024, 255, 1024)


def test_mistakes_are_told(engine: OpenEngine):
    with pytest.raises(UsageError, match="unknown form 'TFX'"):
        engine.features([((1,),)], "TFX")
    with pytest.raises(UsageError, match="did you mean size"):
        engine.features([((1,),)], "TFF")["siz"]
    with pytest.raises(UsageError, match="at most 32,767 parts"):
        engine.features([((1,),)], "TFF", most_parts=10**6)
    states = engine.states(batt.load_tasks("arc1-training")["007bbfb7"])
    with pytest.raises(UsageError, match="a state has other values"):
        states.features(states.S, "TFF")
