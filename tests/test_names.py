"""One name per class: a class name means one thing in all of batt."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import batt

ROOT = Path(batt.__file__).parent


def homes() -> dict[str, list[str]]:
    """The files that define each class, by its name."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef):
                found[node.name].append(path.relative_to(ROOT).as_posix())
    return found


def shared_within(files: list[str]) -> list[str]:
    """The packages that define a class more than once, given the files that define it."""
    packages = [file.split("/")[0] for file in files]
    return sorted({package for package in packages if packages.count(package) > 1})


def test_no_class_name_is_used_twice_in_a_package():
    assert {name: shared_within(files) for name, files in homes().items() if shared_within(files)} == {}


def test_no_public_class_name_is_used_twice():
    assert {name: files for name, files in homes().items() if len(files) > 1 and not name.startswith("_")} == {}
