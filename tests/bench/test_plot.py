"""Pictures of rates are well-formed, and hold what was measured."""

from __future__ import annotations

import math
from typing import Any
from xml.etree import ElementTree

import pytest

from batt.bench.plot import COLOURS, dots_svg, growth_svg, plot

SVG = "{http://www.w3.org/2000/svg}"


def case(name: str, compared: int, **rates: float | None) -> dict[str, Any]:
    columns = [{"engine": engine, "evaluations_per_s": rate} for engine, rate in rates.items()]
    return {"case": name, "compared": compared, "columns": columns}


def words(svg: str) -> list[str]:
    return [each.text or "" for each in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_cases_are_dots_by_engine():
    svg = plot([case("a<b>&", 10, plain=3_000.0, cpu=250_000.4), case("b", 20, plain=2_000.0, cpu=None)])
    assert {"a<b>&", "b", "plain", "cpu", "3,000/s", "250,000/s", "2,000/s"} <= set(words(svg))
    dots = list(ElementTree.fromstring(svg).iter(f"{SVG}circle"))
    # A decade is as wide as any other: a hundredfold rate is twice as far as a tenfold one.
    places = [float(dot.attrib["cx"]) for dot in dots]
    assert (places[1] - places[0]) / math.log10(250_000.4 / 3_000) == pytest.approx(
        (places[0] - places[2]) / math.log10(3_000 / 2_000), rel=0.01
    )
    assert [dot.attrib["fill"] for dot in dots] == [COLOURS[0], COLOURS[1], COLOURS[0]]


def growth_rows() -> list[dict[str, Any]]:
    rates = [{"auto": 50.0, "reference": 70.0}, {"auto": 500.0, "reference": None}]
    return [{"evaluations": 10 ** (at + 1), "evaluations_per_s": each} for at, each in enumerate(rates)]


@pytest.mark.parametrize(
    "svg",
    [
        dots_svg([case("a", 10, plain=3_000.0, cpu=250_000.4)]),
        growth_svg({"title": "growth", "engines": ["auto", "reference"], "rows": growth_rows()}),
    ],
    ids=["dots", "lines"],
)
def test_a_viewer_without_css_sees_the_light_picture(svg: str):
    root = ElementTree.fromstring(svg)
    assert float(root.attrib["height"]) > 0
    for name in ("rect", "circle", "text"):
        assert all(each.get("fill") for each in root.iter(f"{SVG}{name}"))
    for name in ("path", "line"):
        assert all(each.get("stroke") for each in root.iter(f"{SVG}{name}"))
    style = root.findtext(f"{SVG}style") or ""
    assert style.strip().startswith("@media (prefers-color-scheme: dark)")
    assert "var(" not in svg


def test_parts_of_one_case_are_lines_by_size():
    svg = plot([case("sizes/b", 1_000, cpu=9_000.0), case("sizes/a", 10, cpu=100.0), case("sizes/c", 9, cpu=90.0)])
    (line,) = ElementTree.fromstring(svg).iter(f"{SVG}path")
    places = [float(point.split()[0]) for point in line.attrib["d"].replace("M", "L").split("L")[1:]]
    assert places == sorted(places)
    assert "cpu" in words(svg)


@pytest.mark.parametrize("cases", [[], [case("a", 0)], [case("a", 1, cpu=1.0)]])
def test_little_can_be_drawn_too(cases: list[dict[str, Any]]):
    ElementTree.fromstring(dots_svg(cases))


def test_growth_is_lines_with_gaps_where_an_engine_was_left_out():
    svg = growth_svg({"title": "growth", "engines": ["auto", "reference"], "rows": growth_rows()})
    root = ElementTree.fromstring(svg)
    assert len(list(root.iter(f"{SVG}path"))) == 2
    assert len(list(root.iter(f"{SVG}circle"))) == 3
