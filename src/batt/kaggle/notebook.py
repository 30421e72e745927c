"""The notebook of a pack, what Kaggle must know about it and the dataset, and the README."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

NOTEBOOK = "batt.ipynb"
ANYONE = "YOUR-KAGGLE-NAME"
_CELL = "# %%"
_MARKDOWN = "# %% [markdown]"


def notebook() -> dict[str, Any]:
    """Return the example notebook in the form of Jupyter."""
    cells = []
    for number, (is_code, text) in enumerate(cells_of(example())):
        cell: dict[str, Any] = {"cell_type": "markdown", "id": f"cell-{number}", "metadata": {}}
        if is_code:
            cell |= {"cell_type": "code", "execution_count": None, "outputs": []}
        cells.append(cell | {"source": text.splitlines(keepends=True)})
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {
        "cells": cells,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def example() -> str:
    """Return the text of the example, in which `# %%` begins a cell."""
    return resources.files("batt.kaggle").joinpath("example.py").read_text("utf-8")


def cells_of(text: str) -> list[tuple[bool, str]]:
    """Return the cells of a text: whether each is code, and its text. What comes before the first is left out."""
    cells: list[tuple[bool, list[str]]] = []
    for line in text.splitlines():
        if line.startswith(_CELL):
            cells.append((not line.startswith(_MARKDOWN), []))
        elif cells:
            is_code, lines = cells[-1]
            lines.append(line if is_code else line.removeprefix("#").removeprefix(" "))
    return [(is_code, "\n".join(lines).strip("\n").replace("  # noqa: E402", "")) for is_code, lines in cells]


def kernel_metadata(user: str, competition: str) -> dict[str, Any]:
    """Return what `kaggle kernels push` reads."""
    return {
        "id": f"{user}/batt-example",
        "title": "batt example",
        "code_file": NOTEBOOK,
        "language": "python",
        "kernel_type": "notebook",
        "is_private": True,
        "enable_gpu": True,
        "enable_internet": False,
        "dataset_sources": [f"{user}/batt-pack"],
        "competition_sources": [competition],
        "kernel_sources": [],
        "model_sources": [],
    }


def dataset_metadata(user: str) -> dict[str, Any]:
    """Return what `kaggle datasets create` reads."""
    return {"title": "batt pack", "id": f"{user}/batt-pack", "licenses": [{"name": "other"}]}


def readme(user: str, competition: str) -> str:
    """Return what to upload and to click."""
    named = "" if user != ANYONE else f" (for commands, put your name for {ANYONE} into both …-metadata.json files)"
    upload = "on kaggle.com, Create → New Dataset; or `kaggle datasets create -p dataset`"
    return f"""# batt for a Kaggle notebook without network

1. Upload all files of `dataset/` as a private dataset: {upload}{named}.
2. Import `notebook/{NOTEBOOK}`: Create → New Notebook → File → Import Notebook; or `kaggle kernels push -p notebook`.
3. In the notebook, Add Input: the dataset, and the competition ({competition}), whose rules you have accepted.
4. In its settings, turn the internet off, and choose a GPU as accelerator or none.
5. Save Version → Save & Run All; when it is done, open its output and click Submit for `submission.json`.
"""


def as_text(value: Any) -> str:
    """Return JSON as a file holds it."""
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"
