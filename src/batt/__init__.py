"""batt: run decks of arc-dsl solvers over ARC-AGI tasks, thousands of samples at a time.

Names are imported on first use, so that `import batt` and the worker processes start fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from batt.importing import on_first_use

if TYPE_CHECKING:
    from batt.compiler import Batt, SlotKind, compile_deck, slot_kinds
    from batt.errors import BattError, DataError, DeckError, UsageError
    from batt.front import Deck, Solver, as_deck, load_deck
    from batt.ir import Program, slice_program
    from batt.jobs import Failed, Results, Tap, Taps, Trace, evaluate, evaluate_async, export, taps
    from batt.linting import Finding, LintReport, lint
    from batt.runtime import Limits
    from batt.solving import Solutions, solve
    from batt.states import OpenEngine, StateKind, States, open_engine
    from batt.statistics import DeckStatistics, deck_statistics
    from batt.store import open_run
    from batt.submit import submission
    from batt.tasks import Pair, Task, Tasks, load_tasks, tasks_from_dict
    from batt.variants import Parameter, ParameterKind, Template, make_template, read_template

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
    "OpenEngine",
    "Pair",
    "Parameter",
    "ParameterKind",
    "Program",
    "Results",
    "SlotKind",
    "Solutions",
    "Solver",
    "StateKind",
    "States",
    "Tap",
    "Taps",
    "Task",
    "Tasks",
    "Template",
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
    "make_template",
    "open_engine",
    "open_run",
    "read_template",
    "slice_program",
    "slot_kinds",
    "solve",
    "submission",
    "taps",
    "tasks_from_dict",
]

_HOMES = {
    "Batt": "batt.compiler",
    "BattError": "batt.errors",
    "DataError": "batt.errors",
    "Deck": "batt.front",
    "DeckError": "batt.errors",
    "DeckStatistics": "batt.statistics",
    "Failed": "batt.jobs",
    "Finding": "batt.linting",
    "Limits": "batt.runtime",
    "LintReport": "batt.linting",
    "OpenEngine": "batt.states",
    "Pair": "batt.tasks",
    "Parameter": "batt.variants",
    "ParameterKind": "batt.variants",
    "Program": "batt.ir",
    "Results": "batt.jobs",
    "SlotKind": "batt.compiler",
    "Solutions": "batt.solving",
    "Solver": "batt.front",
    "StateKind": "batt.states",
    "States": "batt.states",
    "Tap": "batt.jobs",
    "Taps": "batt.jobs",
    "Task": "batt.tasks",
    "Tasks": "batt.tasks",
    "Template": "batt.variants",
    "Trace": "batt.jobs",
    "UsageError": "batt.errors",
    "as_deck": "batt.front",
    "compile_deck": "batt.compiler",
    "deck_statistics": "batt.statistics",
    "evaluate": "batt.jobs",
    "evaluate_async": "batt.jobs",
    "export": "batt.jobs",
    "lint": "batt.linting",
    "load_deck": "batt.front",
    "load_tasks": "batt.tasks",
    "make_template": "batt.variants",
    "open_engine": "batt.states",
    "open_run": "batt.store",
    "read_template": "batt.variants",
    "slice_program": "batt.ir",
    "slot_kinds": "batt.compiler",
    "solve": "batt.solving",
    "submission": "batt.submit",
    "taps": "batt.jobs",
    "tasks_from_dict": "batt.tasks",
}

__getattr__ = on_first_use(__name__, _HOMES)


def __dir__() -> list[str]:
    return __all__
