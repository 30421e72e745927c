"""Results as rows of JSON. Owns the format of an export, which is the same, byte for byte, whatever engine ran."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from batt.errors import UsageError
from batt.files import whole_file
from batt.jobs.results import Results
from batt.runtime import ERROR_KINDS, Equality, Status

_EQUAL = {Equality.NO: False, Equality.YES: True, Equality.UNKNOWN: None}


def export(results: Results, path: str | os.PathLike[str], *, outputs: bool = False, with_engine: bool = False) -> None:
    """Write one row per evaluation that ran, sorted by solver, task, part and index."""
    if outputs and results.outputs is None:
        raise UsageError("outputs were not kept; evaluate with outputs=True")
    with whole_file(Path(path)) as file:
        file.writelines(_lines(results, outputs, with_engine))


def _lines(results: Results, outputs: bool, with_engine: bool) -> Iterator[str]:
    samples = results.plan.samples
    by_key = sorted(range(len(samples)), key=lambda i: (samples[i].task, samples[i].part.value, samples[i].index))
    rank = {position: place for place, position in enumerate(by_key)}
    names = results.deck.names
    solvers, positions = (column.tolist() for column in results.plan.columns())
    ran = np.flatnonzero(results.records["status"] != Status.NOT_RUN).tolist()
    numbers = sorted(ran, key=lambda n: (names[solvers[n]], rank[positions[n]]))
    for number in numbers:
        row = _row(results, number, names[solvers[number]], positions[number])
        if with_engine:
            row["engine"] = results.engine
        text = json.dumps(row, separators=(",", ":"))
        if outputs and results.outputs is not None:
            text = f'{text[:-1]},"output":{results.outputs[number]}}}'
        yield text + "\n"


def _row(results: Results, number: int, solver: str, position: int) -> dict[str, Any]:
    record, sample = results.records[number], results.plan.samples[position]
    status = Status(int(record["status"]))
    return {
        "solver": solver,
        "task": sample.task,
        "part": sample.part.value,
        "index": sample.index,
        "status": status.word,
        "error": ERROR_KINDS[int(record["error"])] or None,
        "equal": _EQUAL[Equality(int(record["equal"]))],
        "hash": f"{int(record['hash']):016x}" if status is Status.OK else None,
    }
