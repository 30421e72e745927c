"""Saved text holds no annotations, and is the same program."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from batt.front import Deck, load_deck
from batt.front.annotations import without_annotations

PLAIN = "def f(I):\n    return I"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (PLAIN, PLAIN),
        ("def f(I: Grid) -> Grid:\n    return I", PLAIN),
        ("def f(I : (Grid)) ->( Grid ) :\n    return I", "def f(I) :\n    return I"),
        ("def f(I: 'é', é: x[1:2], b: {1: 2}) -> lambda a, b: c:\n    return I", "def f(I, é, b):\n    return I"),
        ("def f(\n    I: Grid,  # the grid\n    b: (\n        int\n    ),\n):\n    return I",
         "def f(\n    I,  # the grid\n    b,\n):\n    return I"),
        ("def f(I) -> \\\n    int:\n    return I", PLAIN),
        ("def f(I):\n    x: int = vmirror(I)  # é\n    (y): (int) = x\n    return y",
         "def f(I):\n    x = vmirror(I)  # é\n    (y) = x\n    return y"),
        ("def f(I: '''a\nb''') -> f'{x}':\n    'é'; z: int=I\n    return z", "def f(I):\n    'é'; z=I\n    return z"),
        ("def f(I):\n    '''\\d x: int -> y'''\n    return I", "def f(I):\n    '''\\d x: int -> y'''\n    return I"),
    ],
)  # fmt: skip
def test_annotations_go_and_the_rest_stays(text: str, expected: str):
    assert without_annotations(text) == expected


def test_an_annotation_may_nest_as_deeply_as_python_reads():
    assert without_annotations(f"def f(I: {'(' * 90}x{')' * 90}{'()' * 900}):\n    return I") == PLAIN


@pytest.mark.parametrize("suffix", [".py", ".jsonl"])
def test_importing_a_saved_deck_runs_nothing_of_a_strangers_text(tmp_path: Path, suffix: str):
    trace = tmp_path / "trace"
    effect = f"open({str(trace)!r}, 'w')"
    text = (
        f"K: {effect} = 3\n"
        f"def helper(g: {effect}, n: ({effect})) -> {effect}:\n    y: {effect} = fill(g, n, g)\n    return y\n"
        f"def solve_a(I: {effect}) -> {effect}:\n    return helper(I, K)\n"
        f"@{effect}\ndef solve_decorated(I):\n    return I\n"
        f"def solve_default(I={effect}):\n    return I\n"
        f"def solve_starred(*I: {effect}):\n    return I\n"
        f"def solve_class(I):\n    class A({effect}): pass\n    return I\n"
    )
    (tmp_path / "deck.py").write_text(text)
    deck = load_deck(tmp_path / "deck.py", keep_going=True)
    assert deck.names == ("solve_a",)
    saved = tmp_path / f"saved{suffix}"
    deck.save(saved)
    again = load_deck(saved)
    assert [each.program for each in again] == [each.program for each in deck]
    (tmp_path / "saved.py").write_text(deck[0].source if suffix == ".jsonl" else saved.read_text())
    subprocess.run([sys.executable, "-c", "import saved"], cwd=tmp_path, check=True)
    assert not trace.exists()


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the syntax is not there")
def test_type_parameters_are_refused():
    found = Deck.from_sources({"a": "def solve_a[T: print(1)](I):\n    return I\n", "b": PLAIN}, keep_going=True)
    assert found.names == ("b",)
    assert "a type parameter is not part of the language" in str(found.mistakes[0])
