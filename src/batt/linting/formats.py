"""Findings for other programs to read: lines of text, JSON, and GitHub's workflow annotations."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from batt.linting.findings import Finding, FindingKind, LintReport, Severity
from batt.source import Place

_JSON_LINE = re.compile(r"(.*\.jsonl):(\d+) (.*)", re.DOTALL)
"""The name that the front end gives to the source text in a line of a JSON lines file."""

MAX_CHARS = 500


def shown(findings: Iterable[Finding], limit: int | None) -> list[Finding]:
    """Return at most `limit` findings of each kind."""
    counts: Counter[FindingKind] = Counter()
    found = []
    for each in findings:
        counts[each.kind] += 1
        if limit is None or counts[each.kind] <= limit:
            found.append(each)
    return found


def cut(text: str) -> str:
    """Cut a very long text: names and lines of a deck can have a million characters."""
    return text if len(text) <= MAX_CHARS else text[:MAX_CHARS] + "…"


def printable(text: str) -> str:
    """Return the text on one line, without control characters: a deck and its file name may be hostile."""
    return "".join([char if char.isprintable() else "�" for char in cut(text)])


def text_lines(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield a line for each finding: `file:line:col: kind: message`."""
    for each in findings:
        yield printable(str(each))


def github_lines(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield a workflow command for each finding, which GitHub shows as an annotation beside the line."""
    for each in findings:
        file, line, column, message = _in_file(each.place, each.message)
        properties = {"file": file, "line": str(line), "col": str(column), "title": f"batt lint: {each.kind.value}"}
        listed = ",".join([f"{key}={_escaped_property(value)}" for key, value in properties.items()])
        yield f"::{each.severity.value} {listed}::{_escaped(message)}"


def _in_file(place: Place, message: str) -> tuple[str, int, int, str]:
    """Return the place in the file itself; a line of JSON holds a source with lines of its own."""
    if found := _JSON_LINE.fullmatch(place.file):
        return found[1], int(found[2]), 1, f"{found[3]}, line {place.line}: {message}"
    return place.file, place.line, place.column, message


def _escaped(text: str) -> str:
    """Escape text as GitHub's toolkit does, so that it cannot end a workflow command and begin another."""
    return printable(cut(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _escaped_property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


def as_json(report: LintReport, limit: int | None) -> dict[str, Any]:
    """Return a report as plain data; `left_out` counts the findings beyond `limit`."""
    counts = Counter([each.kind for each in report.findings])
    found = shown(report.findings, limit)
    return {
        "deck": report.deck,
        "solvers": report.solvers,
        "imports": report.imports,
        "errors": report.count(Severity.ERROR),
        "warnings": report.count(Severity.WARNING),
        "counts": {kind.value: counts[kind] for kind in FindingKind},
        "left_out": len(report.findings) - len(found),
        "findings": [_finding_json(each) for each in found],
    }


def _finding_json(finding: Finding) -> dict[str, Any]:
    return {
        "kind": finding.kind.value,
        "severity": finding.severity.value,
        "group": cut(finding.group),
        "message": cut(finding.message),
        "file": cut(finding.place.file),
        "line": finding.place.line,
        "column": finding.place.column,
        "definition": cut(finding.definition) or None,
        "source": cut(finding.line) or None,
    }
