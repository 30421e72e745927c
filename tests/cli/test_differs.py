"""`batt run --differs`: scores in the summary and in exported rows, and what is refused."""

from __future__ import annotations

import json

import pytest

from native_library import needs_library

OWN = "def differ_more(S, I, C, E):\n    x = subtract(size(C), size(E))\n    return x\n"


@pytest.fixture
def own_file(tmp_path):
    path = tmp_path / "own.py"
    path.write_text(OWN)
    return path


def test_exported_rows_hold_the_scores(batt, deck_file, tasks_file, own_file, tmp_path):
    rows = tmp_path / "rows.jsonl"
    differs = f"equal,cells,{own_file}"
    ended = batt("run", "--deck", deck_file, "--tasks", tasks_file, "--differs", differs, "--export", rows, "--quiet")
    assert (ended.code, ended.out) == (0, "")
    lines = [json.loads(line) for line in rows.read_text().splitlines()]
    found = {(row["solver"], row["task"], row["index"]): row for row in lines if row["part"] == "train"}
    mirror = found["solve_mirror", "mirror", 0]["scores"]
    assert mirror == {"equal": [0, [[1, 2], [1, 2]]], "cells": [0, [2, 2]], "more": [0, []]}
    fails = found["solve_fails", "mirror", 0]["scores"]
    assert fails == {name: [None, ["StopIteration"]] for name in ("equal", "cells", "more")}
    assert "output" not in found["solve_mirror", "mirror", 0]


def test_a_differ_may_use_an_op_of_the_users_own(batt, deck_file, tasks_file, own_file, tmp_path):
    ops, rows = tmp_path / "ops.py", tmp_path / "rows.jsonl"
    ops.write_text(
        "from batt.own import *\n\n\n@op(GRID, result=INT)\ndef cell_sum(grid):\n    return sum(map(sum, grid))\n"
    )
    own_file.write_text("def differ_sum(S, I, C, E):\n    x = subtract(cell_sum(C), cell_sum(E))\n    return x\n")
    options = ["--ops", ops, "--differs", own_file, "--export", rows, "--quiet"]
    assert batt("run", "--deck", deck_file, "--tasks", tasks_file, *options).code == 0
    found = [json.loads(line) for line in rows.read_text().splitlines()]
    assert {row["scores"]["sum"][0] for row in found if row["status"] == "ok"} == {0}


@needs_library
def test_exports_are_the_same_on_every_engine(batt, deck_file, tasks_file, own_file, tmp_path):
    texts = []
    for engine in ("cpu", "reference"):
        rows = tmp_path / f"{engine}.jsonl"
        options = ["--differs", f"singles,{own_file},colours", "--export", rows, "--outputs", "--quiet"]
        assert batt("run", "--deck", deck_file, "--tasks", tasks_file, "--engine", engine, *options).code == 0
        texts.append(rows.read_text())
    assert texts[0] == texts[1]


def test_the_summary_tells_the_figures_of_each_differ(batt, deck_file, tasks_file, tmp_path):
    ended = batt("run", "--deck", deck_file, "--tasks", tasks_file, "--differs", "equal,singles", "--json")
    told = json.loads(ended.out)["differs"]
    assert list(told) == ["equal", "singles"]
    assert told["equal"]["without"] == {"StopIteration": 7}
    out = tmp_path / "out"
    ended = batt("run", "--deck", deck_file, "--tasks", tasks_file, "--differs", "equal", "--out", out)
    assert "equal     14        9       0.36    7" in ended.out
    assert json.loads((out / "summary.json").read_text())["differs"]["equal"] == told["equal"]


def test_without_differs_nothing_is_scored(batt, deck_file, tasks_file):
    ended = batt("run", "--deck", deck_file, "--tasks", tasks_file, "--json")
    assert "differs" not in json.loads(ended.out)


def test_a_mistake_in_a_differ_is_told_before_anything_runs(refused, deck_file, tasks_file, own_file):
    own_file.write_text(OWN.replace("size(E)", "sise(E)"))
    told = refused("run", "--deck", deck_file, "--tasks", tasks_file, "--differs", own_file)
    assert f"{own_file}:2:27: 'sise' is not defined" in told
    assert "^" in told


@pytest.mark.parametrize(("word", "told"), [("equals", "no differ 'equals'"), ("none.py", "No such file")])
def test_an_unknown_differ_is_refused(refused, deck_file, tasks_file, word, told):
    assert told in refused("run", "--deck", deck_file, "--tasks", tasks_file, "--differs", word)
