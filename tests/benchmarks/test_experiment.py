"""The experiment of a search uses public names alone, and its states are those of its programs."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import batt
import experiment
from batt.bench.frozen import first_132
from native_library import needs_library

DECK = """
def solve_1(I):
    mirrored = vmirror(I)
    recoloured = replace(mirrored, 3, 2)
    return hconcat(recoloured, I)


def solve_2(I):
    return replace(vmirror(I), 3, 2)
"""


def test_it_uses_public_names_alone():
    tree = ast.parse(Path(experiment.__file__).read_text("utf-8"))
    imported = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    imported |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name for name in imported if name.split(".")[0] == "batt"} == {"batt"}
    used = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "batt"
    }
    assert used <= set(batt.__all__)


@needs_library
def test_equal_slices_are_one_function():
    with batt.open_engine(engine="cpu", workers=1) as engine:
        functions = experiment.harvest([batt.as_deck(DECK)], engine)
    assert [len(program.steps) for program in functions] == [1, 2, 3]
    assert [len(program.steps) for program in experiment.colour_templates(functions, 2)] == [2, 3]


@needs_library
def test_states_are_those_of_their_programs():
    search = experiment.Search([first_132()[:12]], chosen=3, checked=20)
    search.solve(batt.load_tasks("arc1-training")["67a3c6ac"])
    assert (search.figures.checked > 15, search.figures.differing) == (True, 0)
    assert search.figures.states < search.figures.candidates


def test_a_missing_environment_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    deck = tmp_path / "deck.py"
    deck.write_text(DECK, "utf-8")
    assert experiment.main([str(deck), "--against", str(tmp_path), str(tmp_path), "--pairs", "1"]) == 2
    assert "No such file" in capsys.readouterr().err
