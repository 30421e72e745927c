"""The names of solvers: which definitions are solvers, and how a name becomes that of a `def`."""

from __future__ import annotations

import re
from unicodedata import normalize

from batt.ir import Helper, Program

SOLVER_NAME = re.compile(r"(solve|verify)(_|$)")
LAMBDA_NAME = re.compile(r"lambda_[0-9a-f]{12}")


def solver_name(task: str) -> str:
    """Return the name of the solver of `task`; the name of a solver stays."""
    return task if SOLVER_NAME.match(task) else f"solve_{task}"


def lambda_of(program: Program) -> Helper:
    """Return a lambda as a helper. Its name is a digest of its program, so that equal lambdas are equal functions."""
    return Helper(f"lambda_{Helper('lambda', program).digest[:12]}", program)


def identifier(name: str) -> str:
    """Return a solver's name as the name of a `def`."""
    cleaned = "".join([each if f"_{each}".isidentifier() else "_" for each in normalize("NFKC", name)])
    return cleaned if cleaned.startswith(("solve_", "verify_")) else f"solve_{cleaned}"
