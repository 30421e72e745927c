"""Results as rows of JSON. Owns the format of an export, which is the same, byte for byte, whatever engine ran."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from batt.errors import UsageError
from batt.files import whole_file
from batt.jobs.plan import Keys, keys_of
from batt.jobs.results import Results
from batt.runtime import ERROR_KINDS, Equality, Part, Status
from batt.runtime.blocks import Integers

_EQUAL = {Equality.NO: False, Equality.YES: True, Equality.UNKNOWN: None}


def export(
    results: Results,
    path: str | os.PathLike[str],
    *,
    outputs: bool = False,
    with_engine: bool = False,
    columns: Mapping[str, Sequence[str]] | None = None,
) -> None:
    """Write one row per evaluation that ran, sorted by solver, task, part and index.

    `columns` adds more to the rows: JSON texts by the numbers of the evaluations.
    """
    if outputs and results.outputs is None:
        raise UsageError("outputs were not kept; evaluate with outputs=True")
    with whole_file(Path(path)) as file:
        file.writelines(_lines(results, outputs, with_engine, columns or {}))


def _lines(results: Results, outputs: bool, with_engine: bool, columns: Mapping[str, Sequence[str]]) -> Iterator[str]:
    keys = keys_of(results.plan.samples)
    rank = _ranks(keys)
    names = results.deck.names
    # Solver by solver, so that no list of all evaluations is ever there.
    for solver in sorted(range(len(names)), key=lambda position: names[position]):
        numbers, positions = results.plan.of_solver(solver)
        ran = results.records["status"][numbers] != Status.NOT_RUN
        numbers, positions = numbers[ran], positions[ran]
        order = np.argsort(rank[positions], kind="stable")
        for number, position in zip(numbers[order].tolist(), positions[order].tolist(), strict=True):
            row = _row(results.records[number], names[solver], *keys.key(position))
            if with_engine:
                row["engine"] = results.engine
            text = json.dumps(row, separators=(",", ":"))
            if outputs and results.outputs is not None:
                text = f'{text[:-1]},"output":{results.outputs[number]}}}'
            for name, texts in columns.items():
                text = f'{text[:-1]},"{name}":{texts[number]}}}'
            yield text + "\n"


def _ranks(keys: Keys) -> Integers:
    """The place of each sample when they are sorted by task, part and index."""
    by_name = sorted(range(len(keys.ids)), key=lambda place: keys.ids[place])
    name_rank = np.empty(len(by_name), np.int64)
    name_rank[by_name] = np.arange(len(by_name))
    order = np.lexsort((keys.index_of, keys.is_train, name_rank[keys.task_of]))
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return rank


def _row(record: np.void, solver: str, task: str, part: Part, index: int) -> dict[str, Any]:
    status = Status(int(record["status"]))
    return {
        "solver": solver,
        "task": task,
        "part": part.value,
        "index": index,
        "status": status.word,
        "error": ERROR_KINDS[int(record["error"])] or None,
        "equal": _EQUAL[Equality(int(record["equal"]))],
        "hash": f"{int(record['hash']):016x}" if status is Status.OK else None,
    }
