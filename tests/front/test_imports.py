"""Imports: passed over, never executed, and never a reason for a name to mean something else."""

from __future__ import annotations

import pytest

from batt.front.definitions import Module
from batt.front.module import read_module

USED = "def f(I):\n    return {}(I)\n"


def read(text: str) -> Module:
    return read_module(text, "deck.py")


def told(text: str) -> list[str]:
    return [f"{each.place.line}:{each.place.column}: {each.message}" for each in read(text).mistakes]


@pytest.mark.parametrize(
    ("line", "modules"),
    [
        ("import os, sys", ["os", "sys"]),
        ("import numpy as np", ["numpy"]),
        ("import os.path", ["os.path"]),
        ("import dsl as d", []),
        ("from os import *", ["os"]),
        ("from . import *", ["."]),
        ("from ..numpy.linalg import norm", ["..numpy.linalg"]),
        ("from synth_rearc.core import vmirror", ["synth_rearc.core"]),
        ("from dsl import vmirror as hmirror", []),
        ("from batt.dsl import *", []),
        ("from typing import List", []),
    ],
)
def test_an_import_is_passed_over_and_its_module_noted(line: str, modules: list[str]):
    for text in (f"{line}\n{USED.format('size')}", f"def f(I):\n    {line}\n    return size(I)\n"):
        module = read(text)
        assert module.mistakes == []
        assert list(module.imports) == modules
        assert len(module.definitions["f"].program.steps) == 1


def test_a_definition_that_is_read_twice_counts_its_imports_once():
    assert read("def f(I):\n    import os\n    return g(I)\ndef g(x):\n    return x\n").imports == {"os": 1}


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("import numpy as np", "np"),
        ("import os.path", "os"),
        ("from x import helping", "helping"),
        ("from x import helping as another", "another"),
        ("from dsl import vmirror as hmirror", "hmirror"),
        ("from x import size as ONE", "ONE"),
    ],
)
def test_a_name_that_only_an_import_gives_is_not_defined(line: str, name: str):
    why = f"{name!r} is not defined: it is imported, and imports are never executed"
    assert told(f"{line}\n{USED.format(name)}") == [f"3:12: {why}"]
    assert told(f"def f(I):\n    {line}\n    return {name}(I)\n") == [f"3:12: {why}"]


@pytest.mark.parametrize("name", ["vmirror", "o_g", "ONE", "size"])
def test_a_name_of_the_language_may_be_imported_from_anywhere(name: str):
    assert told(f"from x import {name}\ndef f(I):\n    return ({name}, I)\n") == []


def test_a_definition_of_the_text_goes_before_an_import_of_its_name():
    for order in ([0, 1, 2], [0, 2, 1], [2, 0, 1]):
        parts = ("from x import g\n", "def g(x):\n    return vmirror(x)\n", "def f(I):\n    return g(I)\n")
        assert told("".join([parts[n] for n in order])) == []
