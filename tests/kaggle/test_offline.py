"""The notebook runs without network, in a fresh environment, with nothing but what a pack holds."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from batt.kaggle.packing import PackRequest, make_pack
from batt.submit import check_submission
from batt.tasks import Task, load_tasks
from native_library import needs_library

pytestmark = [pytest.mark.slow, needs_library]
RUNNER = Path(__file__).parents[1] / "notebook_runner.py"
PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
COUNT = 8


def plain(task: Task) -> dict[str, Any]:
    """A task in Kaggle's form, without its test outputs."""
    train = [{"input": pair.input, "output": pair.output} for pair in task.train]
    return {"train": train, "test": [{"input": pair.input} for pair in task.test]}


def cut_off() -> tuple[list[str], dict[str, str]]:
    """How to start a command without network: in its own network namespace, else with proxies that do not answer."""
    alone = ["unshare", "--net", "--map-root-user"]
    if shutil.which("unshare") and subprocess.run([*alone, "true"], check=False).returncode == 0:
        return alone, {}
    return [], {f"{scheme}_proxy": "http://127.0.0.1:9" for scheme in ("http", "https")}


@pytest.fixture(scope="module")
def jupyter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with what Kaggle's image has to run notebooks, and no more; its Python."""
    folder = tmp_path_factory.mktemp("jupyter") / "environment"
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = folder / "bin" / "python"
    subprocess.run([str(python), "-m", "pip", "--quiet", "install", "nbclient", "ipykernel"], check=True)
    return python


def test_the_notebook_writes_a_valid_submission_and_shows_what_was_solved(jupyter: Path, tmp_path: Path):
    tasks = list(load_tasks("arc1-training"))[:COUNT]
    inputs, working = tmp_path / "input", tmp_path / "working"
    mounted = inputs / "competitions" / "arc-prize-2025"
    for folder in (mounted, inputs / "datasets", working):
        folder.mkdir(parents=True)
    challenges = mounted / "arc-agi_test_challenges.json"
    challenges.write_text(json.dumps({task.id: plain(task) for task in tasks}))
    make_pack(tmp_path / "pack", PackRequest((PYTHON,), "none"))
    shutil.copytree(tmp_path / "pack" / "dataset", inputs / "datasets" / "batt-pack")
    start, proxies = cut_off()
    own = ("BATT_CACHE_DIR", "BATT_NATIVE_LIBRARY", "BATT_PURE", "PYTHONPATH")
    environment = {name: value for name, value in os.environ.items() if name not in own and "PIP_" not in name}
    environment |= {"BATT_INPUT": str(inputs), "BATT_WORKING": str(working), "BATT_DEADLINE": "5m", **proxies}
    executed = tmp_path / "executed.ipynb"
    command = [*start, str(jupyter), str(RUNNER), str(tmp_path / "pack" / "notebook" / "batt.ipynb"), str(executed)]
    subprocess.run(command, env=environment, cwd=tmp_path, check=True)
    checked = check_submission(working / "submission.json", load_tasks(challenges))
    assert checked.findings == ()
    answered = json.loads((working / "submission.json").read_text())
    right = sum(list(map(list, pair.output)) in (each["attempt_1"], each["attempt_2"])
                for task in tasks for pair, each in zip(task.test, answered[task.id], strict=True))  # fmt: skip
    assert right == sum(len(task.test) for task in tasks)
    outputs = [each for cell in json.loads(executed.read_text())["cells"] for each in cell.get("outputs", [])]
    printed = "".join(["".join(each.get("text", [])) for each in outputs])
    assert f"valid                {COUNT} tasks" in printed
    assert "on the cpu engine" in printed
    assert "\x1b[" not in printed
    assert [each for each in outputs if "image/svg+xml" in each.get("data", {})] != []
    assert [each for each in outputs if each["output_type"] == "error"] == []
