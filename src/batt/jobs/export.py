"""Write results as JSON lines. Every engine gives the same bytes."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from batt.errors import UsageError
from batt.files import whole_file
from batt.jobs.keeping import KeptRows
from batt.jobs.results import Results
from batt.jobs.samples import Keys
from batt.jobs.texts import output_texts
from batt.runtime import ERROR_KINDS, Equality, Split, Status
from batt.runtime.evaluations import Integers
from batt.runtime.records import chunks

SUFFIXES = (".jsonl", ".ndjson")
GZIP_LEVEL = 6

_EQUAL = {Equality.NO: False, Equality.YES: True, Equality.UNKNOWN: None}


def export(
    results: Results,
    path: str | os.PathLike[str],
    *,
    outputs: bool = False,
    with_engine: bool = False,
    columns: Mapping[str, Sequence[str]] | None = None,
    run: str = "",
) -> None:
    """Write one row per evaluation that the run keeps, sorted by solver, task, part and index.

    A file that ends in `.gz` is compressed; `-` is standard output. `columns` adds columns to the rows: JSON texts, by
    the number of the evaluation. `run` is added to every row unless it is empty.
    """
    if outputs and results.outputs is None:
        raise UsageError("outputs were not kept; evaluate with outputs=True")
    target = Path(path)
    check_suffix(target)
    lines = _lines(results, outputs, with_engine, columns or {}, f',"run":{json.dumps(run)}' if run else "")
    if target.suffix != ".gz":
        with whole_file(target) as file:
            file.writelines(lines)
        return
    # The head has neither a time nor a name, so that equal rows are equal files.
    with whole_file(target, "wb") as file, gzip.GzipFile("", "wb", GZIP_LEVEL, file, mtime=0) as packed:
        packed.writelines(line.encode() for line in lines)


def check_suffix(path: Path) -> None:
    """Raise UsageError for a file name that is not one of JSON lines."""
    if path.name.removesuffix(".gz").endswith(SUFFIXES) or not path.suffix or (path.exists() and not path.is_file()):
        return
    raise UsageError(f"{path}: results are written as JSON lines; end the name in .jsonl or .jsonl.gz")


def run_id(results: Results) -> str:
    """Return a digest of all that went into a run and came out of it. It does not depend on the engine."""
    limits = results.limits
    head = [results.deck.names, results.tasks.source, results.tasks.ids, limits.steps, limits.max_items, limits.wall_s]
    made = hashlib.sha256(json.dumps(head).encode())
    for column in () if results.evaluations.is_product else results.evaluations.columns():
        made.update(column.tobytes())
    for part in chunks(results.records):
        made.update(part.tobytes())
    return made.hexdigest()[:16]


def _lines(
    results: Results, outputs: bool, with_engine: bool, columns: Mapping[str, Sequence[str]], end: str
) -> Iterator[str]:
    kept = KeptRows(results)
    keys = kept.keys
    rank = _ranks(keys)
    names = results.deck.names
    # Solver by solver: a list of all evaluations could be too large.
    for solver in sorted(range(len(names)), key=lambda position: names[position]):
        numbers, positions = kept.of_solver(solver)
        order = np.argsort(rank[positions], kind="stable")
        numbers, positions = numbers[order], positions[order]
        made = output_texts(*results.outputs.take(numbers)) if outputs and results.outputs is not None else None
        for at, (number, position) in enumerate(zip(numbers.tolist(), positions.tolist(), strict=True)):
            row = _row(results.records[number], names[solver], *keys.key(position))
            if with_engine:
                row["engine"] = results.engine
            text = json.dumps(row, separators=(",", ":"))
            if made is not None:
                text = f'{text[:-1]},"output":{made[at]}}}'
            for name, texts in columns.items():
                text = f'{text[:-1]},"{name}":{texts[number]}}}'
            yield f"{text[:-1]}{end}}}\n" if end else text + "\n"


def _ranks(keys: Keys) -> Integers:
    """Return the position of each sample after sorting by task, part and index."""
    # The argsort of a permutation is its inverse: from positions in the order to ranks.
    name_rank = np.argsort(sorted(range(len(keys.ids)), key=lambda place: keys.ids[place]))
    return np.argsort(np.lexsort((keys.index_of, keys.is_train, name_rank[keys.task_of])))


def _row(record: np.void, solver: str, task: str, part: Split, index: int) -> dict[str, Any]:
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
