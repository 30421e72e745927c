"""The formats of files, from the code that defines them: docstrings of modules, types of records, and small files."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any

import numpy as np

import batt
from batt.linting.formats import as_json
from batt.report import summary
from batt.runtime.records import RECORD_TYPE
from batt.statistics import count_statistics, json_text
from making.markdown import cell

RECORD_FIELDS = {
    "status": "how the evaluation ended",
    "error": "the kind of error, 0 for none",
    "equal": "whether the output is equal to the expected one, or that this is unknown",
    "hash": "equal for equal outputs",
    "differing": "the cells that differ from the expected output",
    "height": "the rows of the output, 0 if it is no grid",
    "width": "its columns",
}

WRONG = "def solve_007bbfb7(I):\n    unused = vmirror(I)\n    return rot90(I)\n"
"""A solver that fits no task and has a finding, so that every list of a file has an item."""


def layout_of(module: str) -> Callable[[], Iterator[str]]:
    """Return what yields the docstring of a module that defines a format, from its second sentence on."""

    def lines() -> Iterator[str]:
        text = inspect.getdoc(import_module(module)) or ""
        yield from text.partition("\n\n")[2].splitlines()

    return lines


def record_rows() -> Iterator[str]:
    """Yield the table of the fields of a record."""
    yield "| field | bytes | what it holds |"
    yield "|---|---|---|"
    for name in RECORD_TYPE.names or ():
        yield f"| `{name}` | {RECORD_TYPE[name].itemsize} | {RECORD_FIELDS[name]} |"


def summary_rows() -> Iterator[str]:
    """Yield the table of the keys of `summary.json`."""
    same = batt.Task("same", (batt.Pair(((1,),), ((1,),)),), (batt.Pair(((2,),), ((2,),)),))
    tasks = batt.load_tasks([batt.load_tasks("arc1-training")["007bbfb7"], same])
    deck = batt.Deck.from_sources({"solve_007bbfb7": WRONG, "solve_same": "def solve_same(I):\n    return I\n"})
    return _keys(summary(batt.evaluate(deck, tasks, engine="reference", workers=1)))


def lint_rows() -> Iterator[str]:
    """Yield the table of the keys of a deck in `batt lint --format json`."""
    return _keys(as_json(batt.lint(WRONG), 10))


def statistics_rows() -> Iterator[str]:
    """Yield the table of the keys of `batt stats --json`."""
    data = json.loads(json_text(count_statistics(batt.as_deck(WRONG))))
    # The keys within are those of this deck.
    return _keys({name: {} if isinstance(value, dict) else value for name, value in data.items()})


def _keys(data: Mapping[str, Any]) -> Iterator[str]:
    yield "| key | value |"
    yield "|---|---|"
    for name, value in data.items():
        yield f"| `{name}` | {_kind(value)} |"


def _kind(value: Any) -> str:
    """Return the kind of a JSON value in words; of a list, the kind of its first item."""
    match value:
        case None:
            return "null or a value"
        case bool():
            return "true or false"
        case int() | np.integer():
            return "integer"
        case float():
            return "number"
        case str():
            return "text"
        case list() | tuple():
            return f"list of: {_kind(value[0])}" if value else "list"
        case Mapping():
            is_record = all(str(key).isidentifier() for key in value)
            return f"object: {', '.join(map(cell, value))}" if value and is_record else "object"
    raise TypeError(type(value))


TABLES: dict[str, Callable[[], Iterator[str]]] = {
    "batt.tasks.packed": layout_of("batt.tasks.packed"),
    "batt.store.runfile": layout_of("batt.store.runfile"),
    "batt.runtime.blocks": layout_of("batt.runtime.blocks"),
    "batt.cache.database": layout_of("batt.cache.database"),
    "batt.runtime.records": record_rows,
    "batt.report.summary": summary_rows,
    "batt.linting.formats": lint_rows,
    "batt.statistics.kept": statistics_rows,
}
