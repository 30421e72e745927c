"""CSV, Parquet and tables of pandas hold the rows that JSON lines hold."""

from __future__ import annotations

import csv
import gzip
import importlib.util
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from batt.errors import UsageError
from batt.front import Deck
from batt.jobs import Format, Results, evaluate, export, format_of, parquet
from batt.jobs.columns import COLUMNS, ValueKind
from batt.jobs.samples import samples_of
from batt.runtime import ERROR_KINDS, Equality, Limits, Status
from batt.runtime.evaluations import Evaluations
from batt.runtime.outputs import OutputStore, OutputWriter, PackedOutputs
from batt.runtime.records import unfilled
from batt.tasks import Pair, Task, Tasks, tasks_from_dict
from handmade import MIRROR, RAISES, SAME, deck, plain_tasks, source

KINDS = {column.name: column.kind for column in COLUMNS}
AWKWARD = ["a,b", 'say "x"', "two\nlines", "\r\n", " spaced ", "'", "é,😀", "null", "true", "-1", "=1+1"]
OUTPUTS = [((1, 2), (3, 4)), 7, None, frozenset({(0, 1)}), ((),)]

names = st.one_of(st.sampled_from(AWKWARD), st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=8))
printable = names.filter(str.isprintable)


@st.composite
def fuzzed(draw: st.DrawFn) -> tuple[Results, dict[str, list[str]]]:
    """Results of no run: any names, any records, some outputs; and scores for all evaluations."""
    solvers = draw(st.lists(printable, min_size=1, max_size=3, unique=True))
    ids = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    pair = Pair(((1,),), ((2,),))
    tasks = Tasks(tuple(Task(name, (pair,) * draw(st.integers(1, 2)), (pair,)) for name in ids), "x")
    made = Deck.from_sources({name: source("solve", *SAME) for name in solvers})
    evaluations = Evaluations(samples_of(tasks), len(made))
    rng = np.random.default_rng(draw(st.integers(0, 1 << 30)))
    records = unfilled(evaluations.total)
    records["status"] = rng.choice(list(Status), evaluations.total)
    is_raised = records["status"] == Status.RAISED
    records["error"][is_raised] = rng.integers(1, len(ERROR_KINDS), int(is_raised.sum()))
    records["equal"] = rng.choice(list(Equality), evaluations.total)
    records["hash"] = rng.integers(0, 1 << 64, evaluations.total, dtype=np.uint64)
    writer = OutputWriter()
    for status in records["status"]:
        writer.add(OUTPUTS[rng.integers(len(OUTPUTS))]) if status == Status.OK else writer.skip()
    outputs = OutputStore(evaluations.total)
    packed = PackedOutputs.of(np.frombuffer(bytes(writer.data), np.uint8), np.array(writer.ends, np.uint64))
    outputs.put(np.arange(evaluations.total), packed)
    scores = ["null" if rng.random() < 0.3 else json.dumps({"equal": [0, ['"', 1]]}) for _ in records]
    return Results(made, tasks, evaluations, records, engine="cpu", limits=Limits(), outputs=outputs), {
        "scores": scores
    }


def of_json_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n")[:-1]]


def of_csv(text: str) -> list[dict[str, Any]]:
    def value(name: str, field: str) -> Any:
        if field == "":
            return None
        kind = KINDS[name]
        return field if kind in (ValueKind.NAME, ValueKind.TEXT) else json.loads(field)

    found = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    return [{name: value(name, field) for name, field in row.items()} for row in found]


def of_parquet(path: Path) -> list[dict[str, Any]]:
    def value(name: str, field: Any) -> Any:
        return json.loads(field) if KINDS[name] is ValueKind.JSON and field is not None else field

    return [
        {name: value(name, field) for name, field in row.items()}
        for row in pyarrow.parquet.read_table(path).to_pylist()
    ]


def of_pandas(table: pandas.DataFrame) -> list[dict[str, Any]]:
    rows = table.astype(object).where(table.notna(), None).to_dict("records")
    return [
        {name: json.loads(each) if name == "output" and each else each for name, each in row.items()} for row in rows
    ]


@given(fuzzed())
def test_all_formats_hold_the_same_rows(
    tmp_path_factory: pytest.TempPathFactory, made: tuple[Results, dict[str, list[str]]]
):
    results, scores = made
    folder = tmp_path_factory.mktemp("rows")
    for name in ("rows.jsonl", "rows.csv", "rows.parquet"):
        export(results, folder / name, outputs=True, with_engine=True, columns=scores, run="r,1")
    rows = of_json_lines(folder / "rows.jsonl")
    assert of_csv((folder / "rows.csv").read_bytes().decode()) == rows
    assert of_parquet(folder / "rows.parquet") == rows
    shown = [{name: each for name, each in row.items() if name not in ("engine", "scores", "run")} for row in rows]
    assert of_pandas(results.to_pandas(outputs=True)) == shown


@pytest.fixture(scope="module")
def results() -> Results:
    made = deck(solve_a=MIRROR, solve_b=SAME, solve_c=RAISES)
    return evaluate(made, tasks_from_dict(plain_tasks(answers=False)), engine="reference", workers=1, outputs=True)


def test_rows_have_the_columns_of_the_table_in_its_order(results: Results, tmp_path: Path):
    export(results, tmp_path / "a.csv", outputs=True, with_engine=True, columns={"scores": ["null"] * 21}, run="x")
    assert (tmp_path / "a.csv").read_text().splitlines()[0].split(",") == [column.name for column in COLUMNS]


def test_a_column_is_null_only_when_the_table_says_so(results: Results):
    table = results.to_pandas(outputs=True)
    nulls = {name for name in table if table[name].isna().any()}
    assert nulls == {column.name for column in COLUMNS if column.may_be_null}


def test_csv_is_written_as_its_rfc_says(results: Results, tmp_path: Path):
    export(results, tmp_path / "a.csv", outputs=True)
    lines = (tmp_path / "a.csv").read_text().splitlines()
    assert lines[1].startswith("solve_a,mirror,test,0,ok,,,")
    assert lines[1].endswith(',"[[7,6]]"')
    assert lines[-1] == "solve_c,trap,train,1,raised,StopIteration,false,,"


def test_compressed_csv_holds_the_same_text(results: Results, tmp_path: Path):
    export(results, tmp_path / "a.csv")
    export(results, tmp_path / "a.csv.gz")
    assert gzip.decompress((tmp_path / "a.csv.gz").read_bytes()) == (tmp_path / "a.csv").read_bytes()


def test_parquet_keeps_names_as_dictionaries_and_writes_groups(
    results: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    export(results, tmp_path / "one.parquet", outputs=True)
    monkeypatch.setattr(parquet, "GROUP_ROWS", 8)
    export(results, tmp_path / "two.parquet", outputs=True)
    monkeypatch.setattr(parquet, "GROUP_CHARACTERS", 1)
    export(results, tmp_path / "three.parquet", outputs=True)
    counts = [
        pyarrow.parquet.ParquetFile(tmp_path / f"{name}.parquet").num_row_groups for name in ("one", "two", "three")
    ]
    assert counts == [1, 2, 3]
    tables = [of_parquet(tmp_path / f"{name}.parquet") for name in ("one", "two", "three")]
    assert tables[0] == tables[1] == tables[2]
    schema = pyarrow.parquet.read_schema(tmp_path / "one.parquet")
    assert pyarrow.types.is_dictionary(schema.field("solver").type)
    assert schema.field("index").type == pyarrow.int32()
    assert schema.field("equal").type == pyarrow.bool_()


def test_a_table_of_pandas_has_categories_for_names(results: Results):
    table = results.to_pandas()
    assert len(table) == 21
    assert list(table["solver"].cat.categories) == ["solve_a", "solve_b", "solve_c"]
    assert {name: str(kind) for name, kind in table.dtypes.items()} == {
        **dict.fromkeys(["solver", "task", "part", "status", "error"], "category"),
        "index": "int32",
        "equal": "boolean",
        "hash": "string",
    }
    assert table[table["solver"] == "solve_a"]["equal"].sum() == 5


def test_a_run_without_a_row_is_a_table_with_columns(results: Results, tmp_path: Path):
    empty = Results(
        results.deck, results.tasks, results.evaluations, unfilled(21), engine="x", limits=results.limits
    )  # fmt: skip
    assert [str(kind) for kind in empty.to_pandas().dtypes] == [str(kind) for kind in results.to_pandas().dtypes]
    for name in ("a.csv", "a.parquet", "a.jsonl"):
        export(empty, tmp_path / name)
    assert (tmp_path / "a.csv").read_text() == "solver,task,part,index,status,error,equal,hash\n"
    assert pyarrow.parquet.read_table(tmp_path / "a.parquet").num_rows == 0
    assert (tmp_path / "a.jsonl").read_text() == ""


@pytest.mark.parametrize(
    ("name", "format", "expected"),
    [
        ("a.jsonl", None, Format.JSON_LINES),
        ("a.ndjson.gz", None, Format.JSON_LINES),
        ("a", None, Format.JSON_LINES),
        ("-", None, Format.JSON_LINES),
        ("a.csv", None, Format.CSV),
        ("a.csv.gz", None, Format.CSV),
        ("a.parquet", None, Format.PARQUET),
        ("-", "csv", Format.CSV),
        ("a.txt", "csv", Format.CSV),
    ],
)
def test_the_name_of_a_file_or_an_option_chooses_the_format(name: str, format: str | None, expected: Format):
    assert format_of(Path(name), format) is expected


@pytest.mark.parametrize(
    ("name", "format", "message"),
    [
        ("a.json", None, "end the name in .jsonl"),
        ("a.parquet.gz", None, "end the name in .jsonl"),
        ("a.csv", "xml", "unknown format 'xml'"),
        ("-", "parquet", "Parquet is written to files only"),
    ],
)
def test_a_format_that_cannot_be_written_is_refused(name: str, format: str | None, message: str):
    with pytest.raises(UsageError, match=message):
        format_of(Path(name), format)


def test_a_missing_package_is_named_with_its_command(results: Results, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    find = importlib.util.find_spec
    for module in ("batt.jobs.parquet", "batt.jobs.frames"):
        monkeypatch.setattr(f"{module}.find_spec", lambda name: None if name in ("pyarrow", "pandas") else find(name))
    with pytest.raises(UsageError, match="pip install pyarrow"):
        export(results, tmp_path / "a.parquet")
    with pytest.raises(UsageError, match="pip install pandas"):
        results.to_pandas()
    assert list(tmp_path.iterdir()) == []
