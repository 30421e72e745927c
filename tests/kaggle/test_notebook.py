"""The example notebook: its form, what Kaggle is told, and how it finds its inputs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from batt.kaggle.notebook import ANYONE, cells_of, dataset_metadata, kernel_metadata, notebook, readme

CODE = ["".join(cell["source"]) for cell in notebook()["cells"] if cell["cell_type"] == "code"]


def found_inputs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Run the cell that finds the inputs below a folder; its names."""
    monkeypatch.setenv("BATT_INPUT", str(folder))
    names: dict[str, Any] = {}
    exec(CODE[0], names)
    return names


def put(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{}")
    return path


def test_cells_are_split_at_their_marks():
    text = '"""Left out."""\n\n# %% [markdown]\n# # Head\n#\n# text\n\n# %%\nx = 1\n\n\ny = 2  # noqa: E402\n'
    assert cells_of(text) == [(False, "# Head\n\ntext"), (True, "x = 1\n\n\ny = 2")]


def test_the_notebook_is_one_that_jupyter_reads():
    made = notebook()
    assert (made["nbformat"], made["nbformat_minor"]) == (4, 5)
    assert made["metadata"]["kernelspec"]["name"] == "python3"
    assert len({cell["id"] for cell in made["cells"]}) == len(made["cells"])
    for cell in made["cells"]:
        keys = {"cell_type", "id", "metadata", "source"}
        assert set(cell) == (keys | {"execution_count", "outputs"} if cell["cell_type"] == "code" else keys)
        assert all(line.endswith("\n") for line in cell["source"][:-1])
    assert json.loads(json.dumps(made)) == made


@pytest.mark.parametrize("number", range(len(CODE)))
def test_every_cell_of_code_compiles_and_needs_no_installed_batt(number: int):
    compile(CODE[number], f"cell {number}", "exec")
    assert "import batt" not in CODE[number]
    assert "noqa" not in CODE[number]


@pytest.mark.parametrize("where", ["arc", "competitions/arc-prize-2025", "a/b/c"])
def test_inputs_are_found_wherever_they_are_mounted(where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    challenges = put(tmp_path / where / "arc-agi_test_challenges.json")
    pack = put(tmp_path / "datasets" / "me" / "pack" / "batt-pack.json").parent
    names = found_inputs(tmp_path, monkeypatch)
    assert (names["CHALLENGES"], names["PACK"]) == (challenges, pack)


def test_a_mount_may_be_a_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    put(tmp_path / "real" / "batt-pack.json")
    put(tmp_path / "real" / "arc-agi_test_challenges.json")
    (tmp_path / "input").mkdir()
    (tmp_path / "input" / "linked").symlink_to(tmp_path / "real")
    names = found_inputs(tmp_path / "input", monkeypatch)
    assert names["PACK"] == tmp_path / "input" / "linked"


def test_the_test_set_comes_before_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    put(tmp_path / "batt-pack.json")
    put(tmp_path / "arc-agi_training_challenges.json")
    assert found_inputs(tmp_path, monkeypatch)["CHALLENGES"].name == "arc-agi_training_challenges.json"
    put(tmp_path / "arc-agi_evaluation_challenges.json")
    assert found_inputs(tmp_path, monkeypatch)["CHALLENGES"].name == "arc-agi_evaluation_challenges.json"
    put(tmp_path / "deeper" / "arc-agi_test_challenges.json")
    assert found_inputs(tmp_path, monkeypatch)["CHALLENGES"].name == "arc-agi_test_challenges.json"
    other = put(tmp_path / "mine_challenges.json")
    monkeypatch.setenv("BATT_CHALLENGES", str(other))
    assert found_inputs(tmp_path, monkeypatch)["CHALLENGES"] == other


def test_what_is_missing_is_told_with_what_to_click(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(FileNotFoundError, match="click 'Add Input' and add the competition"):
        found_inputs(tmp_path, monkeypatch)
    put(tmp_path / "arc-agi_test_challenges.json")
    with pytest.raises(FileNotFoundError, match="click 'Add Input' and add the dataset"):
        found_inputs(tmp_path, monkeypatch)


def test_kaggle_is_told_to_turn_the_internet_off_and_a_gpu_on():
    told = kernel_metadata("me", "arc-prize-2026")
    assert (told["enable_internet"], told["enable_gpu"], told["is_private"]) == (False, True, True)
    assert told["code_file"] == "batt.ipynb"
    assert told["competition_sources"] == ["arc-prize-2026"]
    assert told["dataset_sources"] == [dataset_metadata("me")["id"]]


def test_the_readme_has_five_steps_and_asks_for_a_name_only_where_there_is_none():
    steps = [line for line in readme("me", "arc-prize-2026").splitlines() if line[:1].isdigit()]
    assert [step[:2] for step in steps] == ["1.", "2.", "3.", "4.", "5."]
    assert "arc-prize-2026" in steps[2]
    assert ANYONE not in readme("me", "x")
    assert ANYONE in readme(ANYONE, "x")
