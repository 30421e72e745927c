"""Where generated solvers may be written. Owns which names are refused: those that mean another module."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path

from batt.errors import UsageError


def check_target(path: Path) -> None:
    """Refuse a file that could not be imported by its name, or that would hide another module."""
    if path.exists() and not path.is_file() and not path.is_dir():
        return  # a device or a pipe is nobody's module
    if path.is_dir():
        raise UsageError(f"{path}: is a folder")
    if path.suffix != ".py":
        raise UsageError(f"{path}: solvers are written to a .py file; {_better(path)} would do")
    if not path.stem.isidentifier() or iskeyword(path.stem):
        raise UsageError(f"{path}: {path.stem!r} is no name of a module; {_better(path)} would do")
    if _is_taken(path.stem, path):
        raise UsageError(f"{path}: would hide the module {path.stem!r}; {_better(path)} would do")


def _better(path: Path) -> str:
    """A name close to the given one that is free."""
    stem = "".join([char if f"_{char}".isidentifier() else "_" for char in path.stem])
    for better in (stem, f"my_{stem}", f"{stem}_of_solvers"):
        candidate = path.with_name(f"{better}.py")
        if better.isidentifier() and not iskeyword(better) and not _is_taken(better, candidate):
            return candidate.name
    return "my_batt.py"


def _is_taken(stem: str, path: Path) -> bool:
    """Whether Python finds a module of that name, other than the file itself."""
    if stem in sys.stdlib_module_names or stem in sys.builtin_module_names:
        return True
    try:
        found = find_spec(stem)
    except ValueError:
        # A module that is there, but was not found by Python's own means, such as __main__.
        return True
    if found is None:
        return False
    return found.origin is None or Path(found.origin).resolve() != path.resolve()
