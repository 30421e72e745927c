"""A small case of three solvers on handmade tasks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from batt.bench.cases import Spec
from handmade import MIRROR, RAISES, SAME, plain_tasks, source


@pytest.fixture
def spec(tmp_path: Path) -> Spec:
    solvers = {"solve_mirror": MIRROR, "solve_same": SAME, "solve_fails": RAISES}
    (tmp_path / "deck.py").write_text("\n\n".join([source(name, *lines) for name, lines in solvers.items()]))
    (tmp_path / "tasks.json").write_text(json.dumps(plain_tasks()))
    return Spec("deck", deck=str(tmp_path / "deck.py"), tasks=str(tmp_path / "tasks.json"))
