"""Import lines of a deck. They are never executed: what they name is noted, and what they bind stays undefined."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

LANGUAGE_MODULES = {"dsl", "constants", "arc_types", "typing", "__future__"}


def passed_over(statement: ast.Import | ast.ImportFrom) -> list[str]:
    """The modules that an import names, less those of the language, which need no note."""
    if isinstance(statement, ast.Import):
        names = [alias.name for alias in statement.names]
    else:
        names = ["." * statement.level + (statement.module or "")]
    return [name for name in names if name.rpartition(".")[2] not in LANGUAGE_MODULES]


def imported_names(statement: ast.Import | ast.ImportFrom, is_of_language: Callable[[str], bool]) -> Mapping[str, str]:
    """The names that an import would bind to something batt does not know, each with why it cannot be used.

    A name of the language that is imported under that very name means what it means in the language.
    """
    found: list[str] = []
    for alias in statement.names:
        if isinstance(statement, ast.Import):
            found.append(alias.asname or alias.name.partition(".")[0])
        elif alias.name != "*" and not (alias.asname in (None, alias.name) and is_of_language(alias.name)):
            found.append(alias.asname or alias.name)
    return {name: f"{name!r} is not defined: it is imported, and imports are never executed" for name in found}
