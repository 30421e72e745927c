"""The checks of a deck: each finds what is wrong, at its place, and nothing in what is right."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from batt.cli.main import main
from batt.front import Deck, load_deck
from batt.linting import Finding, FindingKind, lint
from handmade import source
from rearc import whole_deck


def found(text: str, kind: FindingKind | None = None) -> list[str]:
    """Findings of a text as `line:column message`."""
    return [f"{each.place.line}:{each.place.column} {each.message}" for each in findings(text, kind)]


def findings(text: str, kind: FindingKind | None = None) -> list[Finding]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "deck.py"
        path.write_text(text)
        return [each for each in lint(path).findings if kind in (None, each.kind)]


CLEAN = """
BORDER = 8


def frame(grid, colour):
    return fill(grid, colour, box(asindices(grid)))


def solve_a(I):
    return frame(I, BORDER)
"""


def test_a_clean_text_has_no_findings():
    assert found(CLEAN) == []


def test_the_built_in_deck_has_no_findings():
    assert lint("built-in").findings == ()


def test_of_the_re_arc_verifiers_only_values_that_nobody_reads_and_equal_programs_are_told():
    report = lint(whole_deck("re-arc"))
    assert {each.kind for each in report.findings} == {FindingKind.DEAD_STEP, FindingKind.DUPLICATE_SOLVER}
    assert len(report.of_kind(FindingKind.DEAD_STEP)) == 32
    assert len(report.of_kind(FindingKind.DUPLICATE_SOLVER)) == 8


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("x = upscale(I, I)", "upscale: 'factor' expects int, got grid"),
        ("x = first(size(I))", "first: 'container' expects container, got int"),
        ("x = ONE(I)", "raises TypeError on every sample; is what it calls a function of that many arguments?"),
        ("x = compose(first, last)(I, I)",
         "raises TypeError on every sample; is what it calls a function of that many arguments?"),
        ("x = power(vmirror, 0)(I)", "raises RecursionError on every sample"),
    ],
)  # fmt: skip
def test_a_step_that_can_never_succeed_is_told_at_its_line(line: str, message: str):
    text = source("solve_a", "y = vmirror(I)", line)
    assert found(text, FindingKind.NEVER_SUCCEEDS) == [f"3:5 {message}"]


def test_a_call_that_fails_inside_a_loop_is_a_warning_since_the_loop_may_have_nothing_to_do():
    (each,) = findings(source("solve_a", "x = apply(lbind(add, I), I)"), FindingKind.FAILING_CALL)
    assert each.message == "inside a function: add: 'a' expects num, got grid"


def test_a_step_of_a_helper_that_never_succeeds_is_told_where_it_stands():
    text = f"def helper(g):\n    return upscale(g, g)\n\n\n{source('solve_a', 'x = helper(I)')}"
    (each,) = findings(text, FindingKind.NEVER_SUCCEEDS)
    assert (each.place.line, each.place.column, each.line) == (2, 5, "    return upscale(g, g)")
    assert each.message == "upscale: 'factor' expects int, got grid; called by solve_a"


def test_a_step_inside_a_word_of_the_dialect_is_told_at_the_solver():
    (each,) = findings("\n\n\n" + source("solve_a", "x = p_g(3)"), FindingKind.NEVER_SUCCEEDS)
    assert (each.place.line, each.place.column) == (4, 1)


def test_values_that_nobody_reads_are_told_with_whether_they_can_fail():
    text = source("solve_a", "y = argmax(I, size)", "z = vmirror(I)", "x = I")
    assert found(text) == [
        "2:5 'y' is never read; it can raise an error, which fails the solver",
        "3:5 'z' is never read; it cannot raise an error",
    ]


def test_equal_programs_are_told_whatever_their_names_parameters_and_helpers():
    sources = {
        "solve_a": source("solve_a", "x = vmirror(I)"),
        "solve_b": source("solve_b", "flipped = vmirror(grid)", "x = flipped", params="S, grid, C"),
        "solve_c": source("solve_c", "x = hmirror(I)"),
    }
    (each,) = lint(Deck.from_sources(sources)).findings
    assert each.kind is FindingKind.DUPLICATE_SOLVER
    assert each.message == "solve_b has the same program as solve_a (solve_a:1:1)"


def test_helpers_and_constants_that_no_solver_reaches_are_unused():
    text = (
        f"A = 1\nB = 2\n\n\ndef inner(x):\n    return add(x, A)\n\n\ndef helper(x):\n    return inner(x)\n\n\n{CLEAN}"
    )
    assert found(text) == [
        "5:1 no solver uses 'inner'",
        "9:1 no solver uses 'helper'",
        "1:1 no solver uses 'A'",
        "2:1 no solver uses 'B'",
    ]


def test_nothing_is_called_unused_in_a_text_with_mistakes():
    text = f"A = 1\n\n\n{CLEAN}\n\ndef solve_b(I):\n    return vmiror(A)\n"
    assert {each.kind for each in findings(text)} == {FindingKind.MISTAKE}


def test_a_helpers_unread_parameter_is_told_unless_it_begins_with_an_underscore():
    helpers = "def one(a, b):\n    return a\n\n\ndef two(a, _b):\n    return a\n\n\n"
    text = helpers + source("solve_a", "x = two(one(I, 1), 2)")
    assert found(text) == ["1:1 'b' of one is never read"]


def test_a_solver_that_reads_none_of_its_parameters_ignores_its_sample():
    message = "solve_a reads none of its parameters: its result is the same for every sample"
    assert found(source("solve_a", "x = 3", params="S, I, C")) == [f"1:1 {message}"]
    assert found(source("solve_a", "x = I", params="S, I, C")) == []


def test_of_some_solvers_of_a_loaded_deck_the_helpers_of_others_are_not_unused(tmp_path: Path):
    helper = "def helper(x):\n    return vmirror(x)\n\n\n"
    path = tmp_path / "deck.py"
    path.write_text(helper + source("solve_a", "x = I") + source("solve_b", "x = helper(I)"))
    assert lint(load_deck(path)[:1]).findings == ()


def test_a_card_of_the_built_in_deck_is_clean_but_for_what_its_solvers_have_alike(tmp_path: Path):
    path = tmp_path / "my_batt.py"
    assert main(["card", "-c", "20", "-f", str(path)]) == 0
    assert {each.kind for each in lint(path).findings} <= {FindingKind.DUPLICATE_SOLVER}


def test_a_helper_of_another_file_is_used_where_a_solver_of_any_file_reaches_it(tmp_path: Path):
    idioms = "USED = 1\nSPARE = 2\ndef turn(x):\n    return rot90(x)\ndef idle(x):\n    return x\n"
    solver = "from idioms import *\ndef solve_a(I):\n    return fill(turn(I), USED, asindices(I))\n"
    (tmp_path / "idioms.py").write_text(idioms)
    (tmp_path / "a.py").write_text(solver)
    told = [(each.kind, each.place.line) for each in lint(tmp_path).findings]
    assert told == [(FindingKind.UNUSED_HELPER, 5), (FindingKind.UNUSED_CONSTANT, 2)]
    (tmp_path / "b.py").write_text("from idioms import idle\ndef solve_b(I):\n    return nothing(I)\n")
    assert FindingKind.UNUSED_HELPER not in {each.kind for each in lint(tmp_path).findings}
