"""Findings as text, JSON and GitHub's annotations, which hostile names and lines cannot break out of."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from batt.linting.findings import Finding, FindingKind, LintReport
from batt.linting.formats import MAX_CHARS, as_json, github_lines, shown, text_lines
from batt.source import Place


def finding(message: str = "m", file: str = "a.py", line: str = "", kind: FindingKind = FindingKind.MISTAKE) -> Finding:
    return Finding(kind, message, Place(file, 3, 7), "solve_a", line)


def test_a_line_of_text_is_place_kind_and_message():
    assert list(text_lines([finding("'x' is not defined")])) == ["a.py:3:7: mistake: 'x' is not defined"]


def test_an_annotation_names_file_line_and_column():
    (line,) = github_lines([finding("100 % wrong: no", "a,b:c.py")])
    expected = "::error file=a%2Cb%3Ac.py,line=3,col=7,title=batt lint%3A mistake::100 %25 wrong: no"
    assert line == expected


def test_a_warning_is_a_warning():
    (line,) = github_lines([finding(kind=FindingKind.DEAD_STEP)])
    assert line.startswith("::warning ")


def test_a_source_in_a_line_of_json_is_annotated_at_that_line():
    (line,) = github_lines([finding("wrong", "decks/d.jsonl:12 solve_x")])
    assert line.startswith("::error file=decks/d.jsonl,line=12,col=1,")
    assert line.endswith("::solve_x, line 3: wrong")


@given(st.text(), st.text())
def test_no_message_and_no_file_name_breaks_out_of_its_line(message: str, file: str):
    each = finding(message, file)
    for line in (*text_lines([each]), *github_lines([each])):
        assert line.isprintable()
    (annotation,) = github_lines([each])
    head, _, rest = annotation[2:].partition("::")
    assert head.count(",") == 3
    assert not set("%\r\n") & set(rest.replace("%25", "").replace("%0D", "").replace("%0A", ""))


def test_very_long_names_and_lines_are_cut():
    each = finding("x" * 10**6, "f" * 10**6, "l" * 10**6)
    assert len(json.dumps(as_json(LintReport("d", 1, (each,)), None))) < 10 * MAX_CHARS
    assert all(len(line) < 10 * MAX_CHARS for line in (*text_lines([each]), *github_lines([each])))


def test_json_has_counts_and_what_is_left_out():
    report = LintReport("d", 2, (finding("a"), finding("b"), finding(kind=FindingKind.DEAD_STEP)), imports=4)
    told = as_json(report, 1)
    assert (told["solvers"], told["imports"], told["errors"], told["warnings"], told["left_out"]) == (2, 4, 2, 1, 1)
    assert told["counts"]["mistake"] == 2
    assert told["counts"]["unused-helper"] == 0
    assert told["findings"][0] == {
        "kind": "mistake",
        "severity": "error",
        "group": "a",
        "message": "a",
        "file": "a.py",
        "line": 3,
        "column": 7,
        "definition": "solve_a",
        "source": None,
    }


def test_a_limit_holds_for_each_kind():
    mistakes, dead = [finding(str(n)) for n in range(3)], finding(kind=FindingKind.DEAD_STEP)
    assert shown([*mistakes, dead], 2) == [*mistakes[:2], dead]
    assert shown([*mistakes, dead], None) == [*mistakes, dead]
