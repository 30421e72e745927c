"""What solvers are called. Owns which definitions are solvers and how a name becomes that of a `def`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from unicodedata import normalize

from batt.ir import Helper, Program

SOLVER_NAME = re.compile(r"(solve|verify)(_|$)")
LAMBDA_NAME = re.compile(r"lambda_[0-9a-f]{12}")


def solver_name(task: str) -> str:
    """The name of the solver of a task; what is the name of a solver stays."""
    return task if SOLVER_NAME.match(task) else f"solve_{task}"


def lambda_of(program: Program) -> Helper:
    """A lambda as a helper, named by what it does: equal lambdas are equal functions wherever they stand."""
    return Helper(f"lambda_{Helper('lambda', program).digest[:12]}", program)


class Numbering:
    """Gives each name once: the second of one name is numbered 2, and so on."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._given = set(taken)
        self._last: dict[str, int] = {}

    def free(self, name: str) -> str:
        """The name, with a number where it was given before."""
        free = name
        while free in self._given:
            self._last[name] = self._last.get(name, 1) + 1
            free = f"{name}_{self._last[name]}"
        self._given.add(free)
        return free


def identifier(name: str) -> str:
    """A solver's name as the name of a `def`."""
    cleaned = "".join([each if f"_{each}".isidentifier() else "_" for each in normalize("NFKC", name)])
    return cleaned if cleaned.startswith(("solve_", "verify_")) else f"solve_{cleaned}"
