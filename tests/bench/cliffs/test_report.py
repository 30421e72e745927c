"""The table and the picture of cliffs."""

from __future__ import annotations

import json

from batt.bench.cliffs.judge import Case
from batt.bench.cliffs.report import cliffs_svg, cliffs_table, told_cliffs, worst
from batt.cli.output import rows_text


def cases() -> list[Case]:
    return [
        Case("fill", "fill(I, 3, S)", "square", "packed", "with few", size, size, 2 * size, step_ns * 2 * size)
        for size, step_ns in ((1_000, 1.0), (10_000, 2.0), (100_000, 30.0))
    ]


def test_the_slowest_case_of_a_call_stands_in_the_table() -> None:
    told = told_cliffs(cases())
    assert told["above"] == ["fill"]
    assert [row["items"] for row in worst(told["rows"])] == [100_000]
    text = rows_text(cliffs_table(told))
    assert "fill(I, 3, S)" in text
    assert "100,000" in text
    assert "cliff" in text


def test_the_figures_are_plain_data_also_where_a_call_did_not_finish() -> None:
    unfinished = Case("fill", "fill(I, 3, S)", "tall", "packed", "", 10_000, 1, None, 4e9, "stopped after 4 s")
    told = json.loads(json.dumps(told_cliffs([*cases(), unfinished]), allow_nan=False))
    assert told["rows"][0]["reason"] == "stopped after 4 s"
    assert told["rows"][0]["factor"] is None


def test_the_picture_has_a_line_for_each_op() -> None:
    picture = cliffs_svg(told_cliffs(cases()))
    assert picture.count("<path") == 1
    assert "fill" in picture
    assert "10 ns" in picture
