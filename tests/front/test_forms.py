"""Everyday Python in decks: what is read, as which steps, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from batt import evaluate, load_deck
from batt.card.steps import merge_steps
from batt.card.writing import write_batt
from batt.errors import DeckError
from batt.front import Deck
from batt.front.batts import read_batt_text
from batt.front.definitions import Module
from batt.front.module import read_module
from batt.front.naming import LAMBDA_NAME
from batt.ir import Helper, Literal, Program
from batt.ir.writing import describe
from batt.runtime import Status
from batt.tasks import load_tasks
from batt.variants.inferring import solver_of

PUBLISHED = Path(__file__).parent.parent / "data" / "published_deck.py"
GRID = ((1, 2, 3), (4, 5, 6))


def module(*lines: str, before: str = "") -> Module:
    return read_module(before + "def f(I):\n" + "".join([f"    {line}\n" for line in lines]), "deck.py")


def program(*lines: str, before: str = "") -> Program:
    found = module(*lines, before=before)
    assert not found.mistakes, found.mistakes[0]
    return found.definitions["f"].program


def described(*lines: str) -> list[str]:
    found = program(*lines)
    return [describe(found, step) for step in found.steps]


def refused(*lines: str, before: str = "") -> list[tuple[int, int, str]]:
    return [(each.place.line, each.place.column, each.message) for each in module(*lines, before=before).mistakes]


def value(*lines: str, before: str = "") -> Any:
    return program(*lines, before=before).run([GRID])


def test_forms_are_described_as_they_are_written():
    assert described("a, (b, _) = I", "c = a[0] + -b", "d = c * 2 // 3 % 4 - 1", "return d <= c") == [
        "a, _ = I",
        "_, _2 = I",
        "b, _ = _2",
        "_4 = a[0]",
        "_5 = -b",
        "c = _4 + _5",
        "_7 = c * 2",
        "_8 = _7 // 3",
        "_9 = _8 % 4",
        "d = _9 - 1",
        "_11 = d <= c",
    ]


def test_comparisons_that_primitives_make_are_theirs():
    lines = ("a = I == 1", "b = I != 1", "c = I > 1", "d = I < 1", "e = not I", "g = tuple(I)", "return I >= 1")
    assert described(*lines) == [
        "a = equality(I, 1)",
        "_2 = equality(I, 1)",
        "b = flip(_2)",
        "c = greater(I, 1)",
        "d = greater(1, I)",
        "e = flip(I)",
        "g = totuple(I)",
        "_8 = 1 <= I",
    ]


def test_names_are_assigned_from_left_to_right():
    assert value("(a, b), a = ((1, 2), 3)", "return (a, b)") == (3, 2)
    assert value("a, b = 1, 2", "a, b = b, a", "return (a, b)") == (2, 1)


def test_an_underscore_that_is_read_is_a_name():
    assert value("_, a = (1, 2)", "return _") == 1
    assert value("_, _ = (1, 2)", "return _") == 2
    assert value("_, a = (1, 2)", "_ += 5", "return a") == 2
    assert len(program("_, a, _ = I", "return a").steps) == 1
    assert len(program("_, _, _ = I", "return I").steps) == 1


def test_displays_in_calls_of_tuple_and_frozenset_are_tuples():
    assert value("return frozenset({1, 2, 1})") == {1, 2}
    assert value("return frozenset([2, I])") == {2, GRID}
    assert value("return (tuple([1, I]), tuple(), frozenset())") == ((1, GRID), (), frozenset())
    assert refused("return tuple({1, 2})") == [(2, 18, "a set display is not part of the language")]
    assert refused("return vmirror([I])") == [(2, 20, "a list is not part of the language")]


def test_tuple_and_frozenset_are_functions_too():
    assert value("return apply(tuple, initset(frozenset((1, 2))))") == {(1, 2)}
    assert value("return apply(frozenset, I)") == (frozenset({1, 2, 3}), frozenset({4, 5, 6}))


@pytest.mark.parametrize("below", [True, False])
def test_a_deck_may_define_tuple_itself(below: bool):
    own, use = "def tuple(x):\n    return 7\n", "def f(I):\n    return tuple(I)\n"
    found = read_module(use + own if below else own + use, "deck.py")
    assert not found.mistakes
    assert found.definitions["f"].program.run([GRID]) == 7


# Lambdas


def test_a_lambda_is_a_helper_that_is_named_by_what_it_does():
    found = program("a = lambda v: v[0]", "b = lambda w: w[0]", "c = lambda w: w[1]", "return (a, b, c)")
    a, b, c = found.result.value if isinstance(found.result, Literal) else ()
    assert isinstance(a, Helper)
    assert LAMBDA_NAME.fullmatch(a.name)
    assert a == b != c
    assert a(GRID) == (1, 2, 3)


def test_a_lambda_reads_names_of_its_definition():
    assert value("k = I[0]", "return apply(lambda r: r + k, I)") == ((1, 2, 3, 1, 2, 3), (4, 5, 6, 1, 2, 3))
    lines = ("a, b, c = I[0]", "f2 = lambda v: v + a * b - c", "return f2(10)")
    assert value(*lines) == 9
    assert value("k = 5", "f2 = lambda v: v * k", "return f2(2)") == 10
    assert value("k = I[0][1]", "f2 = lambda u: lambda v: u * 10 + v + k", "return f2(1)(2)") == 14
    assert value("return (lambda u, v: u - v)(I[1][0], 3)") == 1


def test_a_lambda_may_use_what_the_deck_defines():
    assert value("return (lambda v: h(v) + K)(1)", before="K = 5\ndef h(x):\n    return x * 2\n") == 7


def test_equal_closures_are_equal_functions():
    assert value("k = I[0][0]", "m = first(first(I))", "return (lambda v: v + k) == (lambda v: v + m)") is True
    assert value("k = I[0][0]", "m = I[0][1]", "return (lambda v: v + k) == (lambda v: v + m)") is False


LATE = "{!r} is assigned after the lambda that reads it"


@pytest.mark.parametrize(
    ("lines", "mistakes"),
    [
        (("k = I", "g = lambda v: k", "k = 2", "return g(I)"), [(3, 9, LATE.format("k"))]),
        (("k = 1", "g = lambda v: k", "k += 2", "return g(I)"), [(3, 9, LATE.format("k"))]),
        (("g = lambda v: g(v)", "return g(I)"), [(2, 9, LATE.format("g"))]),
        (("g = lambda v: vmirror(v)", "vmirror = 1", "return g(I)"), [(2, 9, LATE.format("vmirror"))]),
        (("g = lambda v: lambda w: k", "k = 2", "return g(I)"), [(2, 9, LATE.format("k"))]),
        (("I = apply(lambda v: I, I)", "return I"), [(2, 15, LATE.format("I"))]),
        (
            ("a, b, c = I", "return (lambda u, v: (u, v, a, b, c))(1, 2)"),
            [(3, 13, "parameters and names of its definition that a lambda reads are at most 4")],
        ),
        (("return (lambda v: v)(1, 2)",), [(2, 12, "the lambda takes 1 argument (v), 2 given")]),
        (("return (lambda v: foo(v))(1)",), [(2, 23, "'foo' is not defined")]),
    ],
)
def test_a_lambda_that_python_would_read_otherwise_is_refused(lines: tuple[str, ...], mistakes: list[Any]):
    assert refused(*lines) == mistakes


def test_a_parameter_of_a_lambda_hides_names():
    assert value("v = 5", "g = lambda v: v + 1", "v = 7", "return g(1) + v") == 9


def test_the_name_of_a_lambda_is_kept_for_it():
    (message,) = [each[2] for each in refused("return I", before="def lambda_0123456789ab(x):\n    return x\n")]
    assert message == "'lambda_0123456789ab' is the name of another lambda; choose another name"


def test_deep_and_long_forms_are_told_not_run_into():
    deep = "[0]" * 101
    assert "nested deeper than 100 levels" in refused(f"return I{deep}")[0][2]
    assert "nested deeper" in refused("return " + "lambda v: " * 101 + "v")[0][2]
    assert refused(f"{', '.join(['a'] * 65)} = I", "return I")[0][2] == "a value is unpacked into 1 to 64 names"


# Solvers of (S, I)


def test_a_solver_of_demonstrations_and_input_takes_a_candidate_that_it_does_not_read():
    two = "def solve_a(S, I):\n    x, y = S[0]\n    return apply(lambda v: (v, x), (I,))\n"
    (first,) = Deck.from_sources({"a": two})
    (second,) = Deck.from_sources({"a": two.replace("S, I)", "S, I, C)")})
    assert first.program == second.program
    assert first.program.params == ("S", "I", "C")
    assert first.source == two


def test_a_solver_of_two_others_is_refused():
    with pytest.raises(DeckError, match=r"a solver takes \(I\), \(S, I\) or \(S, I, C\), not 2 parameters"):
        Deck.from_sources({"a": "def solve_a(I, C):\n    return I\n"})


# Whole decks


def test_a_deck_as_people_publish_it_runs():
    deck = load_deck(PUBLISHED)
    assert deck.names == ("solve_corner", "solve_taller", "verify_shifted")
    assert deck.imports == {"numpy": 1, "synth_package.core": 1, ".helpers": 1}
    tasks = load_tasks("arc1-training")[:3]
    reference = evaluate(deck, tasks, engine="reference", workers=1)
    other = evaluate(deck, tasks)
    for name in ("status", "error", "hash"):
        assert (reference.records[name] == other.records[name]).all()
    assert (reference.records["status"] == Status.OK).mean() > 0.5


@pytest.mark.parametrize("suffix", [".py", ".jsonl"])
def test_a_saved_deck_is_the_same_deck(tmp_path: Path, suffix: str):
    deck = load_deck(PUBLISHED)
    deck.save(tmp_path / f"saved{suffix}")
    assert [each.program for each in load_deck(tmp_path / f"saved{suffix}")] == [each.program for each in deck]


@pytest.mark.parametrize("batch", [False, True])
def test_a_card_is_the_same_deck(batch: bool):
    lines = ("x = -3", "y = -x", "z = (1, 2)[y]", "g = lambda v: (lambda w: w + v)(y)", "return g(z)")
    extra = "def solve_more(I):\n    " + "\n    ".join(lines)
    deck = Deck([*load_deck(PUBLISHED), *Deck.from_sources({"solve_more": extra})])
    text = write_batt(merge_steps(list(deck)), "A batt.", batch=batch)
    again = read_batt_text(text, "my_batt.py")
    assert [each.program for each in again.solvers] == [each.program for each in deck]


def test_a_variant_is_written_with_its_lambdas():
    for solver in load_deck(PUBLISHED):
        again = solver_of(solver, "again", "solve_again", solver.program, "As it was.")
        assert Deck.from_sources({"again": again.source})["again"].program == solver.program
