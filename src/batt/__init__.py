"""batt: run decks of arc-dsl solvers over ARC-AGI tasks, thousands of samples at a time.

Names are imported on first use, so that `import batt` and the worker processes start fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from batt.compiler import Batt, compile_deck
    from batt.errors import BattError, DataError, DeckError, UsageError
    from batt.front import Deck, Solver, as_deck, load_deck
    from batt.jobs import Failed, Results, Trace, evaluate, evaluate_async, export
    from batt.linting import Finding, LintReport, lint
    from batt.runtime import Limits
    from batt.statistics import DeckStatistics, deck_statistics
    from batt.store import open_run
    from batt.submit import submission
    from batt.tasks import Pair, Task, Tasks, load_tasks, tasks_from_dict

__version__ = "0.1.0"

__all__ = [
    "Batt",
    "BattError",
    "DataError",
    "Deck",
    "DeckError",
    "DeckStatistics",
    "Failed",
    "Finding",
    "Limits",
    "LintReport",
    "Pair",
    "Results",
    "Solver",
    "Task",
    "Tasks",
    "Trace",
    "UsageError",
    "__version__",
    "as_deck",
    "compile_deck",
    "deck_statistics",
    "evaluate",
    "evaluate_async",
    "export",
    "lint",
    "load_deck",
    "load_tasks",
    "open_run",
    "submission",
    "tasks_from_dict",
]

_HOMES = (
    "batt.errors",
    "batt.front",
    "batt.tasks",
    "batt.runtime",
    "batt.jobs",
    "batt.compiler",
    "batt.linting",
    "batt.statistics",
    "batt.store",
    "batt.submit",
)


def __getattr__(name: str) -> Any:
    if name in __all__:
        for home in _HOMES:
            module = import_module(home)
            if hasattr(module, name):
                return getattr(module, name)
    raise AttributeError(f"module 'batt' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
