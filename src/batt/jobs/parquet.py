"""Write rows as Parquet. Only this file imports pyarrow, when it is asked to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from batt.errors import UsageError
from batt.files import STREAMS, whole_file
from batt.jobs.columns import NULL, Coded, ExportColumn, RowColumns, ValueKind, Values

GROUP_ROWS = 1 << 17
GROUP_CHARACTERS = 64 << 20
"""A row group is written when it has this many rows, or this many characters of outputs and scores."""

MISSING = "Parquet needs pyarrow, which is not installed: pip install pyarrow (or batt with its extra: '.[parquet]')"


def check_parquet(path: Path) -> None:
    """Raise UsageError if Parquet cannot be written to this path."""
    if find_spec("pyarrow") is None:
        raise UsageError(MISSING)
    if str(path) in STREAMS or (path.exists() and not path.is_file() and not path.is_dir()):
        raise UsageError(f"{path}: Parquet is written to files only; name a file, or take another format")


def write_parquet(rows: RowColumns, path: Path) -> None:
    """Write all rows, one row group at a time."""
    import pyarrow
    import pyarrow.parquet

    schema = pyarrow.schema([pyarrow.field(column.name, _type(column)) for column in rows.columns])
    with whole_file(path, "wb") as file, pyarrow.parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        for blocks in _groups(rows):
            arrays = [_array(column, [block[column.name] for block in blocks]) for column in rows.columns]
            writer.write_batch(pyarrow.RecordBatch.from_arrays(arrays, schema=schema))


def _groups(rows: RowColumns) -> Iterator[list[dict[str, Values]]]:
    """Yield the rows of as many solvers as make a row group."""
    texts = [column.name for column in rows.columns if column.kind is ValueKind.JSON]
    group: list[dict[str, Values]] = []
    count = characters = 0
    for block in rows.blocks():
        group.append(block)
        count += len(block[rows.columns[0].name])
        characters += sum([len(text or "") for name in texts for text in _listed(block[name])])
        if count >= GROUP_ROWS or characters >= GROUP_CHARACTERS:
            yield group
            group, count, characters = [], 0, 0
    if group:
        yield group


def _listed(values: Values) -> Sequence[str | None]:
    return () if isinstance(values, Coded) else values


def _type(column: ExportColumn) -> Any:
    import pyarrow

    match column.kind:
        case ValueKind.NAME:
            return pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
        case ValueKind.INTEGER:
            return pyarrow.int32()
        case ValueKind.BOOLEAN:
            return pyarrow.bool_()
        case ValueKind.TEXT | ValueKind.JSON:
            return pyarrow.string()


def _array(column: ExportColumn, parts: Sequence[Any]) -> Any:
    """Return the values of a column in several blocks as one array."""
    import pyarrow

    if not isinstance(parts[0], Coded):
        texts = [None if text == NULL and column.kind is ValueKind.JSON else text for part in parts for text in part]
        return pyarrow.array(texts, pyarrow.string())
    # All blocks have the same values; only those that occur are written.
    used, places = np.unique(np.concatenate([part.codes for part in parts]), return_inverse=True)
    values = [parts[0].values[code] for code in used.tolist()]
    if column.kind is not ValueKind.NAME:
        return pyarrow.array(values, _type(column)).take(pyarrow.array(places))
    is_null = np.array([each is None for each in values])[places]
    names = pyarrow.array([each or "" for each in values], pyarrow.string())
    return pyarrow.DictionaryArray.from_arrays(pyarrow.array(places, pyarrow.int32(), mask=is_null), names)
