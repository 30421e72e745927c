"""Counts of a checkout, on one that is written for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from counts import counts, main

FILES = {
    "src/batt/__init__.py": '"""What it is."""\n',
    "src/batt/one/a.py": 'class Part:\n    """A part."""\n\n\nclass _Hidden:\n    pass\n',
    "src/batt/one/b.py": "class Part:\n    left = 1\n",
    "src/batt/two/c.py": "class _Hidden:\n    pass\n",
    "src/batt/jobs/run.py": "def evaluate(a, b, *, rest=1):\n    return a._left, f(rest=rest)\n",
    "src/batt/jobs/results.py": "class Results:\n    def __init__(self, a, *, b):\n        pass\n",
    "native/core/x.h": "int a;\nint b;\n",
    "native/generated/y.h": "// Generated; do not edit.\nint c;\n",
    "native/notes.md": "no source\n",
    "tests/test_x.py": "",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_every_figure_is_counted(folder: Path):
    found = counts(folder)
    assert (found["lines of src"], found["lines of native"], found["lines of tests"]) == (16, 2, 0)
    assert (found["top-level classes"], found["… public"]) == (5, 3)
    assert (found["… names in several modules"], found["… names in several modules of a package"]) == (2, 1)
    assert found["docstrings"] == 2
    assert found["… that begin with What, Which, Where, Whether, How"] == 1
    assert (found["parameters of evaluate"], found["parameters of Results.__init__"]) == (3, 2)
    assert (found["words for deferred, of 14"], found["… left"], found["… rest"]) == (2, 2, 3)


def test_the_fields_of_a_dataclass_are_its_parameters(folder: Path):
    (folder / "src/batt/jobs/results.py").write_text("class Results:\n    a: int\n    b: int = 1\n    c = 2\n")
    assert counts(folder)["parameters of Results.__init__"] == 2


def test_checkouts_stand_side_by_side_and_clashes_are_listed(folder: Path, capsys: pytest.CaptureFixture[str]):
    assert main([str(folder), "--clashes"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[-2:] == [f"{folder}: Part: one/a.py, one/b.py", f"{folder}: _Hidden: one/a.py, two/c.py"]


def test_what_is_no_checkout_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main([str(tmp_path)]) == 2
    assert "is no checkout of batt" in capsys.readouterr().err
