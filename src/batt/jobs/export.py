"""Write results as JSON lines, CSV or Parquet. Every engine gives the same rows, and the same bytes of text."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import Any

from batt.errors import UsageError
from batt.files import whole_file
from batt.jobs.columns import NULL, Coded, ExportColumn, RowColumns, ValueKind, Values
from batt.jobs.results import Results
from batt.runtime.records import chunks

GZIP_LEVEL = 6


class Format(Enum):
    """The formats of exports."""

    JSON_LINES = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"


SUFFIXES = {
    ".jsonl": Format.JSON_LINES,
    ".ndjson": Format.JSON_LINES,
    ".csv": Format.CSV,
    ".parquet": Format.PARQUET,
}
"""The endings of file names that choose a format. Texts may also end in `.gz`."""


def export(
    results: Results,
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    outputs: bool = False,
    with_engine: bool = False,
    columns: Mapping[str, Sequence[str]] | None = None,
    run: str = "",
) -> None:
    """Write one row per evaluation that the run keeps, sorted by solver, task, part and index.

    `format` is `jsonl`, `csv` or `parquet`; without it, the name of the file decides. A text file that ends in `.gz` is
    compressed; `-` is standard output. `columns` adds columns to the rows: JSON texts, by the number of the evaluation.
    `run` is added to every row unless it is empty.
    """
    rows = RowColumns(results, outputs, with_engine, columns, run)
    target = Path(path)
    chosen = format_of(target, format)
    if chosen is Format.PARQUET:
        # Importing pyarrow takes a while.
        from batt.jobs.parquet import write_parquet

        write_parquet(rows, target)
        return
    with _text_file(target) as write:
        for lines in _csv_lines(rows) if chosen is Format.CSV else _json_lines(rows):
            write(lines)


def format_of(path: Path, name: str | None = None) -> Format:
    """Return the format called `name`, or the one that the name of the file chooses.

    Raise UsageError for an unknown format, and for Parquet if pyarrow is missing or the file is a stream.
    """
    known = [each.value for each in Format]
    if name is not None and name not in known:
        raise UsageError(f"unknown format {name!r}; results are written as {', '.join(known)}")
    found = Format(name) if name is not None else _by_suffix(path)
    if found is Format.PARQUET:
        from batt.jobs.parquet import check_parquet

        check_parquet(path)
    return found


def _by_suffix(path: Path) -> Format:
    plain = path.name.removesuffix(".gz")
    found = next((each for suffix, each in SUFFIXES.items() if plain.endswith(suffix)), None)
    if found is not None and not (found is Format.PARQUET and plain != path.name):
        return found
    if not path.suffix or (path.exists() and not path.is_file()):
        return Format.JSON_LINES
    raise UsageError(
        f"{path}: results are written as JSON lines, CSV or Parquet; end the name in .jsonl, .jsonl.gz, .csv, .csv.gz "
        "or .parquet, or name a format"
    )


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


@contextmanager
def _text_file(path: Path) -> Iterator[Callable[[str], Any]]:
    """Yield a function that writes text to a file that appears when it is complete."""
    if path.suffix != ".gz":
        with whole_file(path) as file:
            yield file.write
        return
    # The head has neither a time nor a name, so that equal rows are equal files.
    with whole_file(path, "wb") as file, gzip.GzipFile("", "wb", GZIP_LEVEL, file, mtime=0) as packed:
        yield lambda text: packed.write(text.encode())


def _json_lines(rows: RowColumns) -> Iterator[str]:
    """Yield the rows of each solver as JSON lines."""
    texts = _Texts(lambda column, value: f"{json.dumps(column.name)}:{json.dumps(value)}")
    for block in rows.blocks():
        made = []
        for column in rows.columns:
            values = block[column.name]
            if column.kind is ValueKind.JSON and isinstance(values, list):
                name = f"{json.dumps(column.name)}:"
                made.append([f"{name}{text}" for text in values])
            else:
                made.append(texts.of(column, values))
        yield "".join([f"{{{','.join(row)}}}\n" for row in zip(*made, strict=True)])


def _csv_lines(rows: RowColumns) -> Iterator[str]:
    """Yield the names of the columns, then the rows of each solver, as CSV (RFC 4180, with bare newlines)."""
    yield f"{','.join([_csv_text(column.name) for column in rows.columns])}\n"
    texts = _Texts(lambda column, value: _csv_text(value))
    for block in rows.blocks():
        made = []
        for column in rows.columns:
            values = block[column.name]
            if column.kind is ValueKind.JSON and isinstance(values, list):
                made.append(["" if text == NULL else _csv_text(text) for text in values])
            else:
                made.append(texts.of(column, values))
        yield "".join([f"{','.join(row)}\n" for row in zip(*made, strict=True)])


class _Texts:
    """The texts of values, each made once if it is one of few."""

    def __init__(self, text: Callable[[ExportColumn, Any], str]) -> None:
        self._text = text
        self._tables: dict[str, list[str]] = {}

    def of(self, column: ExportColumn, values: Values) -> list[str]:
        """Return the text of each row."""
        if not isinstance(values, Coded):
            return [self._text(column, value) for value in values]
        table = self._tables.get(column.name)
        if table is None:
            table = self._tables[column.name] = [self._text(column, value) for value in values.values]
        return [table[code] for code in values.codes.tolist()]


def _csv_text(value: Any) -> str:
    """Return a value as a field of CSV: nothing for None, and quotes where a reader needs them."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value)
    if not text or any(each in text for each in '",\r\n'):
        return '"' + text.replace('"', '""') + '"'
    return text
