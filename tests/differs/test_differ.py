"""Differs by name and by file: what is read, what is refused, and the program that is run for one."""

from __future__ import annotations

import pytest

import batt
from batt.bench.frozen import first_132
from batt.differs import BUILT_IN, differs_named, read_differs
from batt.differs.differ import engine_program, input_of
from batt.errors import DeckError, UsageError
from batt.ir import Program
from batt.jobs import samples_of
from batt.ops import METER, RAISABLE

OWN = """
from batt.dsl import *

MOST = 3


def gaps(a, b):
    return difference(palette(a), palette(b))


def differ_hues(S, I, C, E):
    \"\"\"Colours of the expected output that are not there.\"\"\"
    return gaps(E, C)


def differ_rows(S, I, C):
    shown = apply(last, S)
    most = valmax(shown, height)
    rows = height(C)
    return (subtract(rows, most), (rows, MOST))
"""


def test_built_in_differs_are_found_by_name():
    assert differs_named("equal, cells") == (BUILT_IN["equal"], BUILT_IN["cells"])
    assert tuple(BUILT_IN) == ("equal", "cells", "colours", "singles")


def test_differs_of_a_file_stand_beside_built_in_ones(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(OWN)
    assert [each.name for each in differs_named(f"singles,{path}")] == ["singles", "hues", "rows"]


def test_the_source_of_a_differ_stands_alone():
    for differ in read_differs(OWN, "mine.py"):
        (again,) = read_differs(differ.solver.source, "again.py")
        assert again.solver.program == differ.solver.program


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("def differ_a(C):\n    x = size(C)\n    return x\n", "takes (S, I, C) or (S, I, C, E)"),
        ("def differ_a(S, I, C, E, F_):\n    x = size(C)\n    return x\n", "this one has 5"),
        ("def differ_equal(S, I, C):\n    x = size(C)\n    return x\n", "'differ_equal' cannot be the name"),
        ("def differ_(S, I, C):\n    x = size(C)\n    return x\n", "'differ_' cannot be the name"),
        (
            "def differ_a(S, I, C):\n    x = sise(C)\n    return x\n",
            "mine.py:2:9: 'sise' is not defined",
        ),
        ("def differ_a(S, I, C):\n    import os\n    return os\n", "mine.py:3:12: 'os' is not defined"),
    ],
)
def test_a_mistake_is_told_with_its_place(text, told):
    with pytest.raises(DeckError) as caught:
        read_differs(text, "mine.py")
    assert told in str(caught.value)
    assert "^" in str(caught.value)


def test_a_file_without_a_differ_is_refused(tmp_path):
    path = tmp_path / "none.py"
    path.write_text("def helper(C):\n    x = size(C)\n    return x\n")
    with pytest.raises(UsageError, match="no differ found"):
        differs_named(str(path))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("equals", "no differ 'equals'; there are equal, cells, colours, singles"),
        ("", "no differ ''"),
        ("missing.py", "missing.py: No such file"),
    ],
)
def test_an_unknown_name_is_refused(words, told):
    with pytest.raises(UsageError, match=told):
        differs_named(words)


def test_a_file_that_is_no_text_is_refused(tmp_path):
    path = tmp_path / "odd.py"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(DeckError, match=r"odd\.py:1:1: not UTF-8"):
        differs_named(str(path))


def test_two_differs_of_one_name_are_refused(tmp_path):
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text(OWN)
    with pytest.raises(UsageError, match="a second differ 'hues'"):
        differs_named([str(tmp_path / "a.py"), str(tmp_path / "b.py")])


def run(program: Program, args):
    METER.reset()
    try:
        return program.run(args)
    except RAISABLE as raised:
        return type(raised)
    finally:
        METER.reset()


@pytest.mark.parametrize("lines", [s.name for s in first_132()[::11]])
def test_a_handed_program_does_what_the_differ_does(lines):
    """Solvers of the built-in deck as differs: of the candidate, of the input, and of the expected output."""
    solver = first_132()[lines]
    text = solver.source.replace(f"def {solver.definition}(I):", "def differ_x(S, {}):")
    samples = samples_of(batt.load_tasks("arc1-training").select(count=3))
    for params in ("I, C", "X, I", "X, Y, I"):
        differ = read_differs(text.replace("{}", params), "x.py")[0]
        made = engine_program(differ.solver.program)
        for sample in samples:
            given = (sample.input, sample.expected, sample.input[::-1])
            wanted = run(differ.solver.program, (sample.demonstrations, *given[: differ.solver.program.arity - 1]))
            assert run(made, (sample.demonstrations, input_of(*given), None)) == wanted
