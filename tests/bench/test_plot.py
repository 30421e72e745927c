"""Pictures of rates are well-formed, and hold what was measured."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

from batt.bench.plot import bars_svg, growth_svg, plot

SVG = "{http://www.w3.org/2000/svg}"


def case(name: str, compared: int, **rates: float | None) -> dict[str, Any]:
    columns = [{"engine": engine, "evaluations_per_s": rate} for engine, rate in rates.items()]
    return {"case": name, "compared": compared, "columns": columns}


def words(svg: str) -> list[str]:
    return [each.text or "" for each in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_cases_are_bars_by_engine():
    svg = plot([case("a<b>&", 10, plain=3_000.0, cpu=250_000.4), case("b", 20, plain=2_000.0, cpu=None)])
    assert {"a<b>&", "b", "plain", "cpu", "3,000/s", "250,000/s", "2,000/s"} <= set(words(svg))
    assert len(ElementTree.fromstring(svg).findall(f"{SVG}rect")) == 3
    assert "prefers-color-scheme: dark" in svg


def test_parts_of_one_case_are_lines_by_size():
    svg = plot([case("sizes/b", 1_000, cpu=9_000.0), case("sizes/a", 10, cpu=100.0), case("sizes/c", 9, cpu=90.0)])
    (line,) = ElementTree.fromstring(svg).iter(f"{SVG}path")
    places = [float(point.split()[0]) for point in line.attrib["d"].replace("M", "L").split("L")[1:]]
    assert places == sorted(places)
    assert "cpu" in words(svg)


@pytest.mark.parametrize("cases", [[], [case("a", 0)], [case("a", 1, cpu=1.0)]])
def test_little_can_be_drawn_too(cases: list[dict[str, Any]]):
    ElementTree.fromstring(bars_svg(cases))


def test_growth_is_lines_with_gaps_where_an_engine_was_left_out():
    rows = [
        {"evaluations": 10, "evaluations_per_s": {"auto": 50.0, "reference": 70.0}},
        {"evaluations": 100, "evaluations_per_s": {"auto": 500.0, "reference": None}},
    ]
    svg = growth_svg({"title": "growth", "engines": ["auto", "reference"], "rows": rows})
    root = ElementTree.fromstring(svg)
    assert len(list(root.iter(f"{SVG}path"))) == 2
    assert len(list(root.iter(f"{SVG}circle"))) == 3
