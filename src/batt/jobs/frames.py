"""Results as a table of pandas. Only this file imports pandas, when it is asked to."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from batt.errors import UsageError
from batt.jobs.columns import NULL, Coded, ExportColumn, RowColumns, ValueKind

if TYPE_CHECKING:
    import pandas

MISSING = "to_pandas needs pandas, which is not installed: pip install pandas (or batt with its extra: '.[pandas]')"


DTYPES = {
    ValueKind.NAME: "category",
    ValueKind.INTEGER: "int32",
    ValueKind.BOOLEAN: "boolean",
    ValueKind.TEXT: "string",
    ValueKind.JSON: "string",
}
"""The types of pandas for the kinds of columns."""


def to_pandas(rows: RowColumns) -> pandas.DataFrame:
    """Return all rows as a table, with the columns of an export."""
    if find_spec("pandas") is None:
        raise UsageError(MISSING)
    import pandas

    blocks = list(rows.blocks())
    return pandas.DataFrame(
        {column.name: _series(column, [block[column.name] for block in blocks]) for column in rows.columns}
    )


def _series(column: ExportColumn, parts: list[Any]) -> Any:
    """Return the values of a column in several blocks as one array."""
    import pandas

    if not parts:
        return pandas.Series([], dtype=DTYPES[column.kind])
    if not isinstance(parts[0], Coded):
        texts = [None if text == NULL and column.kind is ValueKind.JSON else text for part in parts for text in part]
        return pandas.Series(texts, dtype=DTYPES[column.kind])
    codes = np.concatenate([part.codes for part in parts]).astype(np.int64)
    values = parts[0].values
    match column.kind:
        case ValueKind.NAME:
            # A category for each value, and -1 for none.
            categories = [each for each in values if each is not None]
            place_of = {each: place for place, each in enumerate(categories)}
            places = np.array([place_of.get(each, -1) for each in values], np.int64)
            return pandas.Categorical.from_codes(places[codes], categories=categories)
        case ValueKind.BOOLEAN:
            known = np.array([each is not None for each in values])[codes]
            return pandas.arrays.BooleanArray(np.array([bool(each) for each in values])[codes], ~known)
        case _:
            return np.array(values, DTYPES[column.kind])[codes]
