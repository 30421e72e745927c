"""The scores that a generated file returns are those of the differs run directly."""

from __future__ import annotations

import importlib.util
from types import ModuleType

import pytest

import batt
from batt.cli.main import main
from batt.differs import Candidate, differs_named, score
from batt.jobs import samples_of

OWN = """
def differ_new(S, I, C):
    shown = mapply(palette, apply(last, S))
    return difference(palette(C), shown)


def differ_cells(S, I, C, E):
    return size(difference(asobject(E), asobject(C)))
"""
SAMPLES = samples_of(batt.load_tasks("arc1-training").select(count=5))


def loaded(path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("generated")
    (path / "own.py").write_text(OWN.replace("differ_cells", "differ_left"))
    return path


def returned(form: str, folder):
    """What the function of a generated file returns for every sample, and the differs that it scores by."""
    differs = f"equal,colours,{folder / 'own.py'},cells,singles"
    target = folder / f"dealt_{form}.py"
    options = ["--batch"] if form == "batch" else []
    words = ["card", "-c", "6", "--seed", "3", "--infer", "--differs", differs, "-f", str(target), *options]
    assert main(words) == 0
    module = loaded(target)
    if form == "batch":
        columns = [[each.task, each.demonstrations, each.input, each.expected] for each in SAMPLES]
        return module.batt_batch(*map(list, zip(*columns, strict=True))), differs_named(differs)
    made = [module.batt(each.task, each.demonstrations, each.input, each.expected) for each in SAMPLES]
    return made, differs_named(differs)


@pytest.mark.parametrize("form", ["sequential", "batch"])
def test_scores_are_those_of_the_differs_run_directly(form, folder, capsys):
    made, differs = returned(form, folder)
    for sample, (outputs, scores) in zip(SAMPLES, made, strict=True):
        wanted = score(differs, [Candidate(sample, value) for *_, value in outputs])
        assert [each[3] for each in scores] == [one for row in wanted for one in row]
        assert [each[2] for each in scores] == [differ.name for differ in differs] * len(outputs)
        assert [each[:2] for each in scores][:: len(differs)] == [(step, task) for step, _, task, _ in outputs]
