"""Every helper that an engine works for, on every rung of the ladder: the same answers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from batt import compat, dsl
from batt.bench.frozen import first_132
from batt.compat import grids
from batt.tasks import load_tasks
from fake_cards import Cards, card_of_evaluate
from native_library import needs_library

TASKS = load_tasks("arc1-training").tasks[20:26]
GRIDS = [pair.input for task in TASKS for pair in task.train]
OBJECTS = [dsl.objects(grid, True, True, False) for grid in GRIDS]
LEAST = dsl.compose(dsl.leastcolor, dsl.lefthalf)
DECK = first_132()[:8]
Helper = Callable[[str], Any]

HELPERS: dict[str, Helper] = {
    "samples": lambda engine: compat.batch_process_samples_gpu(TASKS[0].demonstrations, engine=engine),
    "forms": lambda engine: compat.batch_o_g(GRIDS[0], range(8), engine=engine),
    "mapply": lambda engine: compat.batch_mapply_gpu(dsl.toindices, OBJECTS, engine=engine),
    "groups": lambda engine: compat.multi_mapply_gpu([(dsl.backdrop, each) for each in OBJECTS[:5]], engine=engine),
    "grids": lambda engine: compat.batch_grid_operations(
        GRIDS, dsl.compose(dsl.leastcolor, dsl.lefthalf), engine=engine
    ),
    "operations": lambda engine: compat.GPUDSLOperations(engine=engine).batch_color_counts(GRIDS).values,
    "coordinator": lambda engine: compat.MegaBatchCoordinator(first_132()[:8], 5, engine=engine).process_all(TASKS[:2]),
}


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Cards:
    return card_of_evaluate(monkeypatch, tmp_path)


@needs_library
@pytest.mark.parametrize("name", sorted(HELPERS))
def test_every_engine_gives_the_same(name: str, card: Cards):
    assert grids.no_gpu() is None
    wanted = HELPERS[name]("reference")
    assert HELPERS[name]("cpu") == wanted
    assert HELPERS[name]("cuda") == wanted
    assert card.ladder is not None
    card.assert_all_is_given_back()
