"""Check the path of a generated file: its name must not mean another module."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path

from batt.errors import UsageError


def check_target(path: Path) -> None:
    """Refuse a file that could not be imported by its name, or that would hide another module."""
    if path.exists() and not path.is_file() and not path.is_dir():
        return  # a device or a pipe is not a module
    if path.is_dir():
        raise UsageError(f"{path}: is a folder")
    if path.suffix != ".py":
        raise UsageError(f"{path}: solvers are written to a .py file; try {_better(path)}")
    if not path.stem.isidentifier() or iskeyword(path.stem):
        raise UsageError(f"{path}: {path.stem!r} is not a valid module name; try {_better(path)}")
    if _is_taken(path.stem, path):
        raise UsageError(f"{path}: would hide the module {path.stem!r}; try {_better(path)}")


def _better(path: Path) -> str:
    """Return a free name close to the given one."""
    stem = "".join([char if f"_{char}".isidentifier() else "_" for char in path.stem])
    for better in (stem, f"my_{stem}", f"{stem}_of_solvers"):
        candidate = path.with_name(f"{better}.py")
        if better.isidentifier() and not iskeyword(better) and not _is_taken(better, candidate):
            return candidate.name
    return "my_batt.py"


def _is_taken(stem: str, path: Path) -> bool:
    """Tell whether Python finds a module named `stem` other than the file `path`."""
    if stem in sys.stdlib_module_names or stem in sys.builtin_module_names:
        return True
    try:
        found = find_spec(stem)
    except ValueError:
        # The module exists, but Python's finders did not find it, such as __main__.
        return True
    if found is None:
        return False
    return found.origin is None or Path(found.origin).resolve() != path.resolve()
