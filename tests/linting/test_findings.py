"""Findings: severities, groups and the order of a report."""

from __future__ import annotations

import pytest

from batt.linting.findings import Finding, FindingKind, LintReport, Severity, in_order
from batt.source import Place


def finding(kind: FindingKind, line: int = 1, message: str = "m", file: str = "a.py") -> Finding:
    return Finding(kind, message, Place(file, line, 1))


def test_mistakes_and_steps_that_never_succeed_are_errors_and_all_else_is_a_warning():
    errors = {kind for kind in FindingKind if kind.severity is Severity.ERROR}
    assert errors == {FindingKind.MISTAKE, FindingKind.NEVER_SUCCEEDS}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("'vmiror' is not defined; did you mean 'vmirror'?", "'x' is not defined"),
        ("line of 20,001 characters; the limit is 10,000", "line of 12 characters"),
        ("cannot import 'a.b': a deck is read", "cannot import 'c': a deck is read"),
    ],
)
def test_a_group_is_the_message_without_names_numbers_and_hints(one: str, other: str):
    assert finding(FindingKind.MISTAKE, message=one).group == finding(FindingKind.MISTAKE, message=other).group


def test_different_constructs_are_different_groups():
    messages = ["a loop is not part of the language", "a lambda is not part of the language"]
    assert [finding(FindingKind.MISTAKE, message=each).group for each in messages] == messages


def test_findings_are_sorted_by_kind_then_place_and_each_is_there_once():
    dead, late, early = (finding(FindingKind.DEAD_STEP), finding(FindingKind.MISTAKE, 9), finding(FindingKind.MISTAKE))
    assert in_order([dead, late, early, dead]) == (early, late, dead)


def test_a_report_counts_by_severity_and_shows_counts():
    report = LintReport("a.py", 2, (finding(FindingKind.MISTAKE), finding(FindingKind.DEAD_STEP)))
    assert [report.count(severity) for severity in Severity] == [1, 1]
    assert repr(report) == "<LintReport a.py | mistake 1, dead-step 1>"
    assert repr(LintReport("a.py", 2, ())) == "<LintReport a.py | no findings>"
