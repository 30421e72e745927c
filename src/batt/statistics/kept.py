"""Statistics as JSON: how they are written and read, and the file with those of the built-in deck."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import resources
from typing import Any

from batt.front import BUILT_IN, DeckSource, as_deck
from batt.statistics.counting import count_statistics
from batt.statistics.model import DeckStatistics
from batt.statistics.producers import Producer, ProducerKind

KEPT = "statistics.json"
"""The file with the statistics of the built-in deck, in its folder. `make statistics` writes it."""
DISTRIBUTIONS = ("steps", "depths", "widths", "reads")


def deck_statistics(deck: DeckSource = BUILT_IN) -> DeckStatistics:
    """Return the statistics of a deck: those of the built-in deck from a file of the package, others counted now."""
    if deck == BUILT_IN:
        return from_json(json.loads(resources.files("batt.decks").joinpath(KEPT).read_text("utf-8")))
    return count_statistics(as_deck(deck))


def from_json(data: Mapping[str, Any]) -> DeckStatistics:
    """Return the statistics that `json_text` wrote."""
    arguments = {
        op: [
            {
                Producer(ProducerKind(kind), name): count
                for kind, names in found.items()
                for name, count in names.items()
            }
            for found in positions
        ]
        for op, positions in data["arguments"].items()
    }
    counts = {name: {int(value): count for value, count in data[name].items()} for name in DISTRIBUTIONS}
    return DeckStatistics(data["solvers"], data["calls"], arguments=arguments, **counts)


def json_text(statistics: DeckStatistics) -> str:
    """Return statistics as JSON, a line for each group and op, the same text for the same counts."""
    lines = [f'{{"solvers":{statistics.solvers}']
    lines += [f'"{name}":{_compact(getattr(statistics, name))}' for name in DISTRIBUTIONS]
    lines.append(f'"calls":{_lines(statistics.calls)}')
    arguments = {op: [_by_kind(found) for found in positions] for op, positions in statistics.arguments.items()}
    lines.append(f'"arguments":{_lines(arguments)}}}')
    return ",\n".join(lines) + "\n"


def _lines(table: Mapping[str, Any]) -> str:
    """Return a table with a line for each of its keys."""
    return "{\n" + ",\n".join([f"{json.dumps(key)}:{_compact(table[key])}" for key in sorted(table)]) + "\n}"


def _compact(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _by_kind(found: Mapping[Producer, int]) -> dict[str, dict[str, int]]:
    table: dict[str, dict[str, int]] = {}
    for producer, count in found.items():
        table.setdefault(producer.kind.value, {})[producer.name] = count
    return table
