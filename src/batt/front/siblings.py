"""Names that a file of a folder deck imports from another file of the same folder. Files are read, never executed.

Such an import is `from idioms import …` or `from .idioms import …`. It takes helpers and constants under their own
names, together with everything that they use, so that a solver's source stays self-contained. What `from ..idioms
import …` means is a file of the folder above, and read only where a caller hands it in by the name `..idioms`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from batt.errors import DeckError
from batt.front.definitions import Module
from batt.front.forms import LANGUAGE_MODULES
from batt.front.naming import SOLVER_NAME

MAX_IMPORT_DEPTH = 50

Sibling: TypeAlias = Callable[[str], Module | str | None]
"""Reads a file of the same folder by its name without `.py`: its module, why it cannot be used, or None if missing."""


class File(NamedTuple):
    """A file of a folder: the name that places show, and how to read its text."""

    name: str
    text: Callable[[], str]


class Folder:
    """The Python files of a folder by name, each read once, after those that it imports names from."""

    def __init__(self, files: Mapping[str, File], read: Callable[[str, str, Sibling], Module]) -> None:
        self._files = files
        self._read = read
        self._modules: dict[str, Module] = {}
        self._reading: list[str] = []

    def module(self, name: str) -> Module:
        """Return what a file of the folder holds. A file that is not text is a module with that mistake."""
        if name not in self._modules:
            self._reading.append(name)
            file = self._files[name]
            try:
                self._modules[name] = self._read(file.text(), file.name, self._sibling)
            except DeckError as error:
                self._modules[name] = Module(file.name, mistakes=[*error.mistakes])
            self._reading.pop()
        return self._modules[name]

    def linked(self, name: str) -> list[Module]:
        """Return what a file holds, and then what the files hold that it and these import from."""
        modules = [self.module(name)]
        known = {modules[0].file}
        for module in modules:
            new = {each.file: each for each in module.siblings if each.file not in known}
            known |= new.keys()
            modules += new.values()
        return modules

    def _sibling(self, name: str) -> Module | str | None:
        if name not in self._files:
            return None
        if name in self._reading:
            circle = [*self._reading[self._reading.index(name) :], name]
            return f"the files import one another in a circle: {' → '.join(circle)}"
        if len(self._reading) >= MAX_IMPORT_DEPTH:
            return f"files import one another more than {MAX_IMPORT_DEPTH} deep"
        return self.module(name)


def no_sibling(name: str) -> Module | str | None:
    """Find no file: a text that is not in a folder deck has no siblings."""
    return None


def sibling_name(statement: ast.ImportFrom) -> str | None:
    """Return the name of the sibling that an import may mean, or None."""
    name = statement.module
    if statement.level > 2 or name is None or "." in name or name in LANGUAGE_MODULES:
        return None
    return f"..{name}" if statement.level == 2 else name


def wanted_names(statement: ast.ImportFrom, module: Module) -> Iterator[tuple[ast.alias, str]]:
    """Yield the names that an import takes from a sibling. `*` takes all but solvers and names with an underscore."""
    for alias in statement.names:
        if alias.name != "*":
            yield alias, alias.name
            continue
        for name in (*module.constants, *module.definitions):
            is_word = name in module.definitions and module.definitions[name].is_word
            if not (is_word or name.startswith("_") or SOLVER_NAME.match(name)):
                yield alias, name
