"""The version changes whenever an outcome could, and not with comments; outcomes of another version are not used."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import batt
from batt.cache import version
from batt.cache.version import DECIDING, SemanticSources, meaning, outcome_version

ROOT = Path(batt.__file__).parent
SCALING = "ops/scaling.py"
BODY, CHANGED = "return tuple([row[1:-1] for row in grid[1:-1]])", "return tuple([row[1:-1] for row in grid[1:]])"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package."""
    return Path(shutil.copytree(ROOT, tmp_path / "src" / "batt", ignore=shutil.ignore_patterns("__pycache__")))


def edit(copy: Path, name: str, old: str, new: str) -> None:
    text = (copy / name).read_text("utf-8")
    assert old in text
    (copy / name).write_text(text.replace(old, new, 1), "utf-8")


def test_comments_docstrings_and_formatting_do_not_count():
    first = b'"""A module."""\n\n\ndef f(x):\n    """A function."""\n    return x + 1  # one more\n'
    assert meaning(first) == meaning(b"def f( x ):\n\n    return (x+1)\n")
    assert meaning(first) != meaning(first.replace(b"+ 1", b"+ 2"))
    assert meaning(b"X = 'text'\n") != meaning(b"X = 'texts'\n")


def test_the_version_changes_with_the_code_that_decides_outcomes(tmp_path: Path):
    root = tmp_path / "batt"
    for name in DECIDING:
        (root / name / "inner").mkdir(parents=True)
        (root / name / "a.py").write_text("x = 1\n")
        (root / name / "inner" / "b.py").write_text("y = 1\n")
    before = SemanticSources(root)
    assert len({before.version, SemanticSources(root).version}) == 1
    for name in DECIDING:
        for file in ("a.py", "inner/b.py"):
            path = root / name / file
            text = path.read_text()
            path.write_text(f"# {text}{text}")
            assert SemanticSources(root).digest != before.digest
            assert SemanticSources(root).version == before.version
            path.write_text(text.replace("1", "2"))
            assert SemanticSources(root).version != before.version
            path.write_text(text)


def test_the_version_changes_with_the_native_library_and_the_kernel(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    before = SemanticSources(tmp_path).version
    library = tmp_path / "lib.so"
    library.write_bytes(b"one")
    monkeypatch.setattr(version.native, "places", lambda: (library,))
    versions = [before, SemanticSources(tmp_path).version]
    library.write_bytes(b"two")
    versions.append(SemanticSources(tmp_path).version)
    monkeypatch.setattr(version.kernels, "source", lambda: version.kernels.Source("", tmp_path, b"other"))
    versions.append(SemanticSources(tmp_path).version)
    assert len({*versions}) == len(versions)


def test_a_version_is_remembered_by_the_bytes_of_the_sources():
    found: dict[bytes, bytes] = {}
    first = outcome_version(found.get, found.__setitem__)
    assert list(found.values()) == [first]
    assert outcome_version(lambda sources: b"known", found.__setitem__) == b"known"


CUSTOMIZE = """
import sys
# It would find the installed package first, also in worker processes.
sys.meta_path[:] = [each for each in sys.meta_path if "Redirecting" not in type(each).__name__]
"""
SCRIPT = """
import sys
from pathlib import Path
import batt
from batt.cache import ResultCache
assert Path(batt.__file__).is_relative_to(sys.argv[1])
deck = batt.Deck.from_sources({"solve_a": "def solve_a(I):\\n    return trim(I)\\n"})
pair = {"input": [[1, 2, 3], [4, 5, 6], [7, 8, 9]], "output": [[5]]}
tasks = {"t": {"train": [pair], "test": [pair | {"input": [[2] * 3, [5] * 3, [2] * 3]}]}}
results = batt.evaluate(deck, tasks, engine="reference", workers=1, cache=ResultCache(Path(sys.argv[2])))
print(results.cached, results.fits.any(), *results.notes)
"""


def test_a_changed_op_is_computed_again(copy: Path, tmp_path: Path):
    (copy.parent / "sitecustomize.py").write_text(CUSTOMIZE)
    found_first = os.environ | {"PYTHONPATH": str(copy.parent)}

    def outcome() -> str:
        command = [sys.executable, "-c", SCRIPT, str(copy.parent), str(tmp_path / "cache" / "results.db")]
        ended = subprocess.run(command, capture_output=True, text=True, env=found_first)
        return ended.stdout.strip() or ended.stderr

    assert [outcome(), outcome()] == ["0 True", "2 True"]
    edit(copy, SCALING, BODY, CHANGED)
    assert [outcome(), outcome()] == ["0 False", "2 False"]
    edit(copy, SCALING, CHANGED, f"# What is within.\n    {BODY}")
    assert outcome() == "2 True"
