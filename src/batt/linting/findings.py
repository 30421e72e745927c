"""The findings of a check, their kinds and their severities."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from batt.source import Place

_PARTICULARS = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`|(?<![\w.])-?\d[\d,]*|;.*")


class Severity(Enum):
    """The severity of a finding. An error makes a solver fail or unreadable; a warning does not."""

    ERROR = "error"
    WARNING = "warning"


class FindingKind(Enum):
    """The kind of a finding. The words are those of the output; their order here is the order of a report."""

    MISTAKE = "mistake"
    NEVER_SUCCEEDS = "never-succeeds"
    FAILING_CALL = "failing-call"
    DEAD_STEP = "dead-step"
    DUPLICATE_SOLVER = "duplicate-solver"
    UNUSED_HELPER = "unused-helper"
    UNUSED_CONSTANT = "unused-constant"
    UNUSED_PARAMETER = "unused-parameter"

    @property
    def severity(self) -> Severity:
        """Mistakes and steps that never succeed are errors, everything else is a warning."""
        is_error = self in (FindingKind.MISTAKE, FindingKind.NEVER_SUCCEEDS)
        return Severity.ERROR if is_error else Severity.WARNING


_ORDER = {kind: position for position, kind in enumerate(FindingKind)}


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: its kind, its message, its place, the solver or helper it is about, and its line of source."""

    kind: FindingKind
    message: str
    place: Place
    definition: str = ""
    line: str = ""

    @property
    def severity(self) -> Severity:
        """Return the severity of its kind."""
        return self.kind.severity

    @property
    def group(self) -> str:
        """Return the message without names, numbers and hints: equal for findings that differ in those alone."""
        return _PARTICULARS.sub(lambda found: "" if found.group().startswith(";") else "…", self.message)

    def __str__(self) -> str:
        return f"{self.place}: {self.kind.value}: {self.message}"


@dataclass(frozen=True, slots=True)
class LintReport:
    """The findings in one deck, sorted by kind and place, the number of valid solvers, and of skipped imports."""

    deck: str
    solvers: int
    findings: tuple[Finding, ...]
    imports: int = 0

    def count(self, severity: Severity) -> int:
        """Return the number of findings of a severity."""
        return sum([each.severity is severity for each in self.findings])

    def of_kind(self, kind: FindingKind) -> list[Finding]:
        """Return the findings of a kind."""
        return [each for each in self.findings if each.kind is kind]

    def __repr__(self) -> str:
        counts = Counter([each.kind for each in self.findings])
        told = ", ".join([f"{kind.value} {counts[kind]:,}" for kind in FindingKind if counts[kind]])
        return f"<LintReport {self.deck} | {told or 'no findings'}>"


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings sorted by kind and place, each place and message once."""
    unique: dict[tuple[FindingKind, Place, str], Finding] = {}
    for each in findings:
        unique.setdefault((each.kind, each.place, each.message), each)
    return tuple(sorted(unique.values(), key=_sort_key))


def _sort_key(finding: Finding) -> tuple[int, str, int, int, str]:
    place = finding.place
    return _ORDER[finding.kind], place.file, place.line, place.column, finding.message
