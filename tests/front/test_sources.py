"""What a deck can be made of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from batt.errors import DeckError, UsageError
from batt.front import Deck, as_deck
from handmade import MIRROR, SAME, deck, source

TEXT = source("solve_a", *MIRROR)
OTHER = source("solve_b", *SAME)
DECK = deck(solve_a=MIRROR, solve_b=SAME)


@pytest.mark.parametrize(
    ("given", "names"),
    [
        (DECK["solve_b"], ["solve_b"]),
        (TEXT, ["solve_a"]),
        (f"{TEXT}\n\n{OTHER}", ["solve_a", "solve_b"]),
        ({"x": TEXT, "y": OTHER}, ["x", "y"]),
        ([DECK["solve_b"], DECK["solve_a"]], ["solve_b", "solve_a"]),
        ((TEXT, OTHER, TEXT), ["solve_a", "solve_b"]),
        ([{"name": "x", "source": TEXT}, {"name": "y", "source": OTHER}], ["x", "y"]),
        ([{"x": TEXT}, DECK], ["x", "solve_a", "solve_b"]),
        (iter([DECK]), ["solve_a", "solve_b"]),
    ],
)
def test_a_deck_is_made_of(given: Any, names: list[str]):
    found = as_deck(given)
    assert list(found.names) == names
    assert {solver.program for solver in found} <= {solver.program for solver in DECK}


def test_a_deck_is_taken_as_it_is():
    assert as_deck(DECK) is DECK
    assert as_deck([DECK]) is DECK


def test_paths_are_decks(tmp_path: Path):
    first, second = tmp_path / "one.py", tmp_path / "two.py"
    first.write_text(TEXT)
    second.write_text(OTHER)
    assert as_deck(first).names == as_deck(str(first)).names == ("solve_a",)
    assert as_deck([first, str(second)]).names == ("solve_a", "solve_b")
    assert as_deck([first, second]).name == "one.py + two.py"
    assert len(as_deck("built-in")) == 399


@pytest.mark.parametrize(
    ("given", "got"),
    [
        (None, "None"),
        (5, "a value of type int"),
        (b"deck.py", "a value of type bytes"),
        ([], "an empty list"),
        ([DECK, 5], "a value of type int"),
        (vars, "a value of type builtin_function_or_method"),
    ],
)
def test_what_is_no_deck_is_refused(given: Any, got: str):
    with pytest.raises(UsageError) as caught:
        as_deck(given)
    assert str(caught.value).startswith("expected a deck: a Deck, a Solver, the path of a deck, source text of ")
    assert str(caught.value).endswith(f"; got {got}")


def test_what_is_wrong_with_a_source_is_told():
    with pytest.raises(DeckError, match=r"^source:2:9: "):
        as_deck("def solve_a(I):\n    x = vmiror(I)\n    return x\n")
    with pytest.raises(UsageError, match=r"^nowhere\.py: no such file or folder"):
        as_deck("nowhere.py")
    with pytest.raises(UsageError, match="str to str, not str to int"):
        as_deck([{"name": "x", "source": 5}])


def test_two_solvers_of_one_name_are_renamed_as_in_merged_decks():
    found = as_deck([DECK, Deck.from_sources({"solve_a": OTHER})])
    assert found.names == ("solve_a", "solve_b", "sources_solve_a")
    assert found["sources_solve_a"].program == DECK["solve_b"].program


def test_a_long_list_is_named_by_its_length():
    found = as_deck([{"name": f"solve_{n}", "source": TEXT} for n in range(1_000)])
    assert (found.name, len(found)) == ("1,000 sources", 1_000)


def test_what_is_good_is_kept_where_asked():
    bad = source("solve_bad", "x = vmiror(I)")
    for given in (f"{TEXT}\n\n{bad}", {"solve_a": TEXT, "b": bad}, [{"solve_a": TEXT, "b": bad}, DECK]):
        found = as_deck(given, keep_going=True)
        assert found.names[0] == "solve_a"
        assert len(found.mistakes) == 1
        with pytest.raises(DeckError):
            as_deck(given)
