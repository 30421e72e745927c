from __future__ import annotations

import builtins
import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import batt
from batt.jobs.progress import progress_display

RUNNER = Path(__file__).parents[1] / "notebook_runner.py"
PACKAGES = ("nbclient", "ipykernel", "ipywidgets")


class Notebook:
    """What IPython.display is to a notebook, with all that was shown in one output."""

    def __init__(self) -> None:
        self.shown: list[dict[str, str]] = []

    def display(self, bundle: dict[str, str], *, raw: bool, display_id: bool) -> Notebook:
        assert raw
        assert display_id
        self.shown.append(bundle)
        return self

    def update(self, bundle: dict[str, str], *, raw: bool) -> None:
        assert raw
        self.shown.append(bundle)


class ZMQInteractiveShell:
    """What `get_ipython` gives in a notebook."""


def test_a_notebook_without_widgets_gets_one_output_that_is_replaced(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    now = 0.0
    notebook = Notebook()
    monkeypatch.setattr(builtins, "get_ipython", ZMQInteractiveShell, raising=False)
    monkeypatch.setitem(sys.modules, "IPython", ModuleType("IPython"))
    monkeypatch.setitem(sys.modules, "IPython.display", notebook)
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    monkeypatch.setattr("time.monotonic", lambda: now)
    with progress_display(quiet=False) as progress:
        assert progress is not None
        for now in (0.0, 0.1, 1.0, 1.1, 2.0):
            progress(int(now * 1_000), 2_000)
    assert [each["text/plain"] for each in notebook.shown] == [
        "evaluating",
        "0 of 2,000 evaluations",
        "1,000 of 2,000 evaluations, 1,000/s, 1 s left",
        "2,000 of 2,000 evaluations, 1,000/s, 0 s left",
    ]
    assert notebook.shown[2]["text/html"].startswith('<progress value="1000" max="2000"></progress> 1,000 of')
    assert capsys.readouterr() == ("", "")


CELLS = [
    "import batt\n"
    "deck = batt.Deck.from_sources({'solve_a': 'def solve_a(I):\\n    return vmirror(I)\\n'})\n"
    "tasks = batt.load_tasks('arc1-training')[:2]\n"
    "results = batt.evaluate(deck, tasks, engine='reference', progress=True)",
    "def stop(part):\n"
    "    raise KeyboardInterrupt\n"
    "stopped = batt.evaluate(deck, tasks, engine='reference', workers=1, progress=True, on_block=stop)",
    "import sys; sys.modules['ipywidgets'] = None\n"
    "results = batt.evaluate(deck, tasks, engine='reference', progress=True)",
    "results",
    "deck",
    "tasks",
]


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A notebook that was executed in an environment with widgets, on the batt and the packages of this one."""
    folder = tmp_path_factory.mktemp("notebook")
    subprocess.run([sys.executable, "-m", "venv", str(folder / "environment")], check=True)
    python = str(folder / "environment" / "bin" / "python")
    subprocess.run([python, "-m", "pip", "--quiet", "install", *PACKAGES], check=True)
    blank = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    cells = [{**blank, "id": f"cell{at}", "source": source} for at, source in enumerate(CELLS)]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (folder / "given.ipynb").write_text(json.dumps(notebook))
    paths = [str(Path(batt.__file__).parents[1]), sysconfig.get_path("purelib")]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    command = [python, str(RUNNER), str(folder / "given.ipynb"), str(folder / "executed.ipynb")]
    subprocess.run(command, env=environment, cwd=folder, check=True)
    return dict(json.loads((folder / "executed.ipynb").read_text()))


@pytest.mark.slow
def test_a_notebook_with_widgets_gets_its_own_bar(executed: dict[str, Any]):
    cell, stopped = executed["cells"][:2]
    (state,) = executed["metadata"]["widgets"].values()
    models = [each["state"] for each in state["state"].values()]
    bars = [each for each in models if each["_model_name"] == "IntProgressModel"]
    assert sorted((each["bar_style"], each["value"] == each["max"]) for each in bars) == [
        ("success", True), ("warning", False)
    ]  # fmt: skip
    texts = [each["value"] for each in models if each["_model_name"] == "LabelModel"]
    assert any(text.startswith(f"{bars[0]['max']} of {bars[0]['max']} evaluations, ") for text in texts)
    for each in (cell, stopped):
        (output,) = each["outputs"]
        assert "application/vnd.jupyter.widget-view+json" in output["data"]


@pytest.mark.slow
def test_an_executed_notebook_without_widgets_shows_plain_progress(executed: dict[str, Any]):
    (output,) = executed["cells"][2]["outputs"]
    assert "<progress" in "".join(output["data"]["text/html"])
    assert " evaluations, " in "".join(output["data"]["text/plain"])


@pytest.mark.slow
def test_results_decks_and_tasks_show_themselves(executed: dict[str, Any]):
    shown = ["".join(cell["outputs"][0]["data"]["text/html"]) for cell in executed["cells"][3:]]
    results, deck, tasks = shown
    assert "1 solvers (rows) on 2 tasks (columns)" in results
    assert "solve_a" in deck
    assert "007bbfb7" in tasks
    assert ["<img" in each or "<svg" in each for each in (results, tasks)] == [True, True]
