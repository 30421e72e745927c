"""Save decks as one Python file or as JSON lines. The text reads back as the same programs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from batt.errors import UsageError
from batt.front.naming import SOLVER_NAME, identifier
from batt.front.solver import Solver

_DEF_NAME = re.compile(r"\Adef[\s\\]+\w+")
_HEADER = "from batt.dsl import *"


def as_json_lines(deck: Iterable[Solver], run: str = "") -> str:
    """Return the deck as JSON lines: each solver with everything it uses, and with the run that it comes from."""
    more = {"run": run} if run else {}
    return "".join(json.dumps({"name": s.name, "source": s.source, **more}) + "\n" for s in deck)


def as_python(deck: Iterable[Solver], target: Path) -> str:
    """Return the deck as one file: every constant and helper once, then the solvers under their own names."""
    constants: dict[str, str] = {}
    definitions: dict[str, str] = {}
    solvers: dict[str, Solver] = {}
    for solver in deck:
        own_name = identifier(solver.name)
        if solvers.setdefault(own_name, solver) is not solver:
            raise _not_one_file(target, f"two solvers would be named {own_name!r}")
        for name in solver.module.needed(solver.definition):
            table, text = constants if name in solver.module.constants else definitions, solver.module.text_of(name)
            if name == solver.definition:
                name, text = own_name, _DEF_NAME.sub(f"def {own_name}", text)
            if (definitions.get(name) or constants.get(name) or text) != text:
                raise _not_one_file(target, f"two different {name!r}")
            table[name] = text
    helpers = [name for name in definitions if name not in solvers]
    for name in filter(SOLVER_NAME.match, helpers):
        raise _not_one_file(target, f"{name!r} is no solver of the deck, but would be read as one")
    head = "\n\n".join([_HEADER, "\n".join(constants.values())]).rstrip()
    return "\n\n\n".join([head, *[definitions[name] for name in (*helpers, *solvers)]]) + "\n"


class NotOneFile(UsageError):
    """The solvers of a deck do not fit in one Python file: two need different definitions of one name."""


def _not_one_file(target: Path, why: str) -> NotOneFile:
    return NotOneFile(f"{target}: the deck does not fit in one file: {why}; save as .jsonl instead")
